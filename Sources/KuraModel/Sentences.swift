// The import links the Japanese sentences; none of its functions is called.
import CGraphSentences
package import KuraDiagnostics
import KuraSentences
import KuraValues

extension ModelProblemKind {
  package var kind: Diagnostic.Kind { .semantics }

  /// The problem in one line.
  package var sentence: String {
    switch self {
    case .unknownKey(let key, let part, _): localized("\(part.phrase) has no \(quoted(key))")
    case .wrongKind(let key, let wanted, let found):
      localized("\(quoted(key)) must be \(wanted.phrase), not \(found.phrase)")
    case .missingKey(let key, let part): localized("\(part.phrase) needs \(quoted(key))")
    case .unknownType(let type, _): localized("there is no type \(quoted(type))")
    case .unknownDeleteRule(let rule, _): localized("there is no delete rule \(quoted(rule))")
    case .badValue(let key, let mismatch): localized("\(quoted(key)): \(mismatch.sentence)")
    case .badCount(let key): localized("\(quoted(key)) must be a whole number, 0 or more")
    case .emptyName(let part): localized("\(part.phrase) needs a name")
    case .reservedKey(let key): localized("\(key) is every object's identity and cannot be a key")
    case .duplicateEntity(let name): localized("there are two entities named \(name)")
    case .duplicateKey(let key, let entity): localized("\(entity) has two keys named \(key)")
    case .inheritedKey(let key, let entity, let ancestor):
      localized("\(entity) inherits \(key) from \(ancestor)")
    case .duplicateRequest(let name): localized("there are two requests named \(name)")
    case .tooManyKeys(let name):
      localized(
        "with \(name), the model has more than \(ModelLimit.keys) keys, including inherited keys"
      )
    case .unknownParent(let name, _), .unknownDestination(let name, _):
      localized("there is no entity \(name)")
    case .inheritanceCycle(let names): names.joined(separator: localized(" inherits from "))
    case .ruleNotForType(let rule, let type):
      localized("\(rule.word) does not apply to \(type.phrase)")
    case .minimumAboveMaximum(let least, let greatest):
      localized("\(least.word) is greater than \(greatest.word)")
    case .defaultAgainstRule(let rule): localized("the default breaks the rule \(rule.word)")
    case .defaultOfDerived: localized("a derived attribute cannot have a default")
    case .defaultOfObject(let part):
      localized("a default is computed before the object exists, so it cannot use \(part)")
    case .badDefault(.failed(let sentence)):
      localized("the default cannot be computed: \(sentence)")
    case .badDefault(.mismatch(let mismatch)):
      localized("the default does not fit: \(mismatch.sentence)")
    case .derivedFromItself(let keys):
      keys.count == 1
        ? localized("\(keys[0]) is derived from itself")
        : localized(
          "\(keys[0]) is derived from itself, through \(keys.dropFirst().joined(separator: localized(", through ")))"
        )
    case .badPattern(_, .badPattern(let reason, _)):
      localized("not a regular expression: \(reason.localized)")
    case .badPattern(let pattern, _):
      localized("\(quoted(pattern)) is not a valid regular expression")
    case .emptyUnique: localized("unique needs a key")
    case .unknownUniqueKey(let key, let entity, _), .unknownRuleKey(let key, let entity, _):
      localized("\(entity) has no key \(key)")
    case .toManyUnique(let key): localized("\(key) is a to-many relationship and cannot be unique")
    case .repeatedUniqueKey(let key): localized("\(key) appears twice in one unique")
    case .emptyIndex: localized("an index needs a key")
    case .unknownIndexKey(let key, let entity, _): localized("\(entity) has no key \(key)")
    case .relationshipIndex(let key):
      localized("\(key) is a relationship, but an index needs attributes")
    case .indexNotForType(let key, let type):
      localized("\(key) is \(type.phrase), but an index needs values with an order")
    case .repeatedIndexKey(let key): localized("\(key) appears twice in one index")
    case .repeatedIndex(let declaration): localized("\(declaration) already exists")
    case .ruleOfToOne(let rule): localized("\(rule.word) applies only to to-many relationships")
    case .maximumCountOfZero: localized("a relationship with at most 0 objects is always empty")
    case .unknownInverse(let key, let destination, _): localized("\(destination) has no key \(key)")
    case .inverseIsAttribute(let key, let destination):
      localized("\(destination).\(key) is an attribute, but an inverse must be a relationship")
    case .inverseNotMutual(let pair): pair.sentence
    }
  }

  package var help: String? {
    switch self {
    case .unknownKey(_, let part, let near): didYouMean(near) ?? part.knownKeys
    case .unknownType(_, let near):
      didYouMean(near) ?? known(AttributeType.allCases.map(\.rawValue))
    case .unknownDeleteRule(_, let near):
      didYouMean(near) ?? known(DeleteRule.allCases.map(\.rawValue))
    case .unknownParent(_, let near), .unknownDestination(_, let near),
      .unknownUniqueKey(_, _, let near), .unknownRuleKey(_, _, let near),
      .unknownInverse(_, _, let near), .unknownIndexKey(_, _, let near):
      didYouMean(near)
    case .badValue(_, let mismatch): mismatch.help
    case .missingKey(let key, _) where key == AttributeKey.type.rawValue:
      known(AttributeType.allCases.map(\.rawValue))
    case .relationshipIndex: localized("relationships do not need an index")
    case .indexNotForType: localized("numbers, dates, strings and booleans have an order")
    case .defaultOfObject: localized("for a value that depends on other keys, use derived (…)")
    case .inheritedKey: localized("remove the key from one of the two entities")
    case .inverseNotMutual(let pair):
      localized("set the inverse of \(pair.inverse) to \(pair.relationship)")
    case .derivedFromItself:
      localized("it can use another object's value: derived (parent.depth + 1)")
    case .reservedKey:
      localized("rename it, for example to id; for plain JSON, rename it in the file")
    case .wrongKind, .missingKey, .badCount, .emptyName, .duplicateEntity,
      .duplicateKey, .duplicateRequest, .tooManyKeys, .inheritanceCycle, .ruleNotForType,
      .minimumAboveMaximum, .defaultAgainstRule, .defaultOfDerived, .badDefault, .badPattern,
      .emptyUnique,
      .toManyUnique, .repeatedUniqueKey, .emptyIndex, .repeatedIndexKey, .repeatedIndex,
      .ruleOfToOne, .maximumCountOfZero, .inverseIsAttribute:
      nil
    }
  }
}

extension ValueMismatch {
  package var kind: Diagnostic.Kind { .change }

  /// The problem in one line.
  package var sentence: String {
    switch self {
    case .kind(let type, let found): localized("expected \(type.phrase), found \(found.phrase)")
    case .typed(let type, let found): localized("expected \(type.phrase), found \(found.phrase)")
    case .outOfRange(let type, let digits): localized("\(digits) does not fit into \(type.phrase)")
    case .fraction(let type, let digits):
      localized("\(digits) has a fraction; \(type.phrase) has none")
    case .date(.notADate, let text): localized("\(quoted(text)) is not a date")
    case .date(let problem, let text):
      localized("\(quoted(text)) is not a date: \(problem.sentence)")
    case .unreadable(let type, let text):
      localized("\(quoted(text)) cannot be read as \(type.phrase)")
    }
  }

  /// An example of a value of the type.
  package var help: String? {
    switch self {
    case .kind(let type, _), .unreadable(let type, _): type.example
    case .date(let problem, _): problem.help ?? AttributeType.date.example
    case .outOfRange(let type, _):
      type.integerRange.map { localized("from \($0.lowerBound) to \($0.upperBound)") }
    case .fraction, .typed: nil
    }
  }
}

extension InversePair {
  fileprivate var sentence: String {
    switch leadsTo {
    case nil: localized("\(relationship) has the inverse \(inverse), which has no inverse itself")
    case let other?:
      localized("\(relationship) has the inverse \(inverse), whose inverse is \(other)")
    }
  }
}

extension ModelPart {
  /// The part in a sentence: `an attribute`.
  package var phrase: String {
    switch self {
    case .model: localized("a model")
    case .entity: localized("an entity")
    case .attribute: localized("an attribute")
    case .relationship: localized("a relationship")
    case .request: localized("a request")
    case .index: localized("an index")
    }
  }

  fileprivate var knownKeys: String? {
    switch self {
    case .model: known(ModelKey.allCases.map(\.rawValue))
    case .entity: known(EntityKey.allCases.map(\.rawValue))
    case .attribute: known(AttributeKey.allCases.map(\.rawValue))
    case .relationship: known(RelationshipKey.allCases.map(\.rawValue))
    case .request: nil
    case .index: known(IndexKey.allCases.map(\.rawValue))
    }
  }
}

extension ModelRule {
  /// The rule as a word of a statement.
  fileprivate var word: String {
    switch self {
    case .min, .minCount: "min"
    case .max, .maxCount: "max"
    case .matches: "matches"
    case .ordered: "ordered"
    }
  }
}

extension JSONKind {
  /// The kind in a sentence: `a string`.
  package var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: localized("true or false")
    case .number: localized("a number")
    case .string: localized("a string")
    case .array: localized("a list")
    case .object: localized("an object")
    }
  }
}

extension AttributeType {
  /// The type in a sentence: `an integer16`.
  package var phrase: String {
    switch self {
    case .integer: localized("an integer")
    case .integer16: localized("an integer16")
    case .integer32: localized("an integer32")
    case .double: localized("a double")
    case .float: localized("a float")
    case .decimal: localized("a decimal")
    case .string: localized("a string")
    case .boolean: localized("a boolean")
    case .date: localized("a date")
    case .uuid: localized("a uuid")
    case .uri: localized("a URI")
    case .binary: localized("base64 text")
    case .json: "JSON"
    }
  }

  fileprivate var example: String? {
    switch self {
    case .date: localized("dates look like 1935-06-11, 2010-07-20 18:20 or yesterday")
    case .uuid: localized("UUIDs look like E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    case .boolean: localized("true or false; in a statement YES or NO, 1 or 0")
    case .integer, .integer16, .integer32, .double, .float, .decimal, .string, .uri, .binary,
      .json:
      nil
    }
  }
}

private func known(_ names: [String]) -> String { localized("available: \(names.list)") }
