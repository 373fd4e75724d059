import KuraDiagnostics
import KuraValues

extension ModelFacts {
  /// One line that says what is wrong.
  package var sentence: String {
    switch self {
    case .unknownKey(let key, let part, _): "\(part.phrase) has no \(quoted(key))"
    case .wrongKind(let key, let wanted, let found):
      "\(quoted(key)) is \(wanted.phrase), not \(found.phrase)"
    case .missingKey(let key, let part): "\(part.phrase) needs \(quoted(key))"
    case .unknownType(let type, _): "there is no type \(quoted(type))"
    case .unknownDeleteRule(let rule, _): "there is no delete rule \(quoted(rule))"
    case .badValue(let key, let mismatch): "\(quoted(key)): \(mismatch.sentence)"
    case .badCount(let key): "\(quoted(key)) is a whole number from 0"
    case .emptyName(let part): "\(part.phrase) needs a name"
    case .reservedKey(let key): "\(key) is every object's identity and cannot be a key"
    case .duplicateEntity(let name): "there are two entities \(name)"
    case .duplicateKey(let key, let entity): "\(entity) has two keys \(key)"
    case .inheritedKey(let key, let entity, let ancestor):
      "\(entity) inherits \(key) from \(ancestor)"
    case .duplicateRequest(let name): "there are two requests \(name)"
    case .unknownParent(let name, _), .unknownDestination(let name, _):
      "there is no entity \(name)"
    case .inheritanceCycle(let names): "\(names.joined(separator: " inherits from "))"
    case .ruleNotForType(let rule, let type): "\(rule.word) means nothing for \(type.phrase)"
    case .minimumAboveMaximum(let least, let greatest): "\(least.word) is above \(greatest.word)"
    case .defaultAgainstRule(let rule): "the default breaks the rule \(rule.word)"
    case .defaultOfDerived: "a derived attribute has no default"
    case .defaultOfObject(let part):
      "a default is made before there is an object to ask for \(part)"
    case .badDefault(.failed(let sentence)): "the default cannot be computed: \(sentence)"
    case .badDefault(.mismatch(let mismatch)): "the default does not fit: \(mismatch.sentence)"
    case .derivedFromItself(let keys):
      ([keys[0] + " is derived from itself"] + keys.dropFirst()).joined(separator: ", over ")
    case .badPattern(_, .badPattern(let reason, _)): "this is no regular expression: \(reason)"
    case .badPattern(let pattern, _): "\(quoted(pattern)) is no regular expression"
    case .emptyUnique: "unique needs a key"
    case .unknownUniqueKey(let key, let entity, _), .unknownRuleKey(let key, let entity, _):
      "\(entity) has no key \(key)"
    case .toManyUnique(let key): "\(key) is a to-many relationship and cannot be unique"
    case .repeatedUniqueKey(let key): "\(key) stands twice in one unique"
    case .ruleOfToOne(let rule): "\(rule.word) is for to-many relationships"
    case .maximumCountOfZero: "a relationship that holds at most 0 objects holds none"
    case .unknownInverse(let key, let destination, _): "\(destination) has no key \(key)"
    case .inverseIsAttribute(let key, let destination):
      "\(destination).\(key) is an attribute; an inverse is a relationship"
    case .inverseNotMutual(let pair): pair.sentence
    }
  }

  /// One line that offers a way on.
  package var help: String? {
    switch self {
    case .unknownKey(_, let part, let near): didYouMean(near) ?? part.knownKeys
    case .unknownType(_, let near):
      didYouMean(near) ?? known(AttributeType.allCases.map(\.rawValue))
    case .unknownDeleteRule(_, let near):
      didYouMean(near) ?? known(DeleteRule.allCases.map(\.rawValue))
    case .unknownParent(_, let near), .unknownDestination(_, let near),
      .unknownUniqueKey(_, _, let near), .unknownRuleKey(_, _, let near),
      .unknownInverse(_, _, let near):
      didYouMean(near)
    case .badValue(_, let mismatch): mismatch.help
    case .missingKey(let key, _) where key == AttributeKey.type.rawValue:
      known(AttributeType.allCases.map(\.rawValue))
    case .defaultOfObject: "a value that follows from others is derived (…)"
    case .inheritedKey: "take it out here, or there"
    case .inverseNotMutual(let pair): "let \(pair.inverse) name \(pair.relationship) as its inverse"
    case .derivedFromItself: "another object's may be read: derived (parent.depth + 1)"
    case .reservedKey: "call it another name, such as id; in plain JSON, in the file itself"
    case .wrongKind, .missingKey, .badCount, .emptyName, .duplicateEntity,
      .duplicateKey, .duplicateRequest, .inheritanceCycle, .ruleNotForType,
      .minimumAboveMaximum, .defaultAgainstRule, .defaultOfDerived, .badDefault, .badPattern,
      .emptyUnique,
      .toManyUnique, .repeatedUniqueKey, .ruleOfToOne, .maximumCountOfZero, .inverseIsAttribute:
      nil
    }
  }
}

extension ValueMismatch {
  /// One line that says what is wrong.
  package var sentence: String {
    switch self {
    case .kind(let type, let found): "expected \(type.phrase), found \(found.phrase)"
    case .typed(let type, let found): "expected \(type.phrase), found \(found.phrase)"
    case .outOfRange(let type, let digits): "\(digits) does not fit into \(type.phrase)"
    case .fraction(let type, let digits): "\(digits) has a fraction; \(type.phrase) has none"
    case .date(.notADate, let text): "\(quoted(text)) is no date"
    case .date(let problem, let text): "\(quoted(text)) is no date: \(problem.sentence)"
    case .unreadable(let type, let text): "\(quoted(text)) cannot be read as \(type.phrase)"
    }
  }

  /// What a value of the type looks like.
  package var help: String? {
    switch self {
    case .kind(let type, _), .unreadable(let type, _): type.example
    case .date(let problem, _): problem.help ?? AttributeType.date.example
    case .outOfRange(let type, _):
      type.integerRange.map { "from \($0.lowerBound) to \($0.upperBound)" }
    case .fraction, .typed: nil
    }
  }
}

extension InversePair {
  fileprivate var sentence: String {
    switch leadsTo {
    case nil: "\(relationship) names \(inverse) as its inverse, which names none"
    case let other?: "\(relationship) names \(inverse) as its inverse, which leads to \(other)"
    }
  }
}

extension ModelPart {
  /// `an attribute`
  package var phrase: String {
    switch self {
    case .model: "a model"
    case .entity: "an entity"
    case .attribute: "an attribute"
    case .relationship: "a relationship"
    case .request: "a request"
    }
  }

  fileprivate var knownKeys: String? {
    switch self {
    case .model: known(ModelKey.allCases.map(\.rawValue))
    case .entity: known(EntityKey.allCases.map(\.rawValue))
    case .attribute: known(AttributeKey.allCases.map(\.rawValue))
    case .relationship: known(RelationshipKey.allCases.map(\.rawValue))
    case .request: nil
    }
  }
}

extension ModelRule {
  /// The word in a statement.
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
  /// `a string`
  package var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension AttributeType {
  /// `an integer16`
  package var phrase: String {
    switch self {
    case .integer, .integer16, .integer32: "an \(rawValue)"
    case .double, .float, .decimal, .string, .boolean, .date, .uuid: "a \(rawValue)"
    case .uri: "a URI"
    case .binary: "base64 text"
    case .json: "JSON"
    }
  }

  fileprivate var example: String? {
    switch self {
    case .date: "dates look like 1935-06-11 or 2010-07-20 18:20"
    case .uuid: "UUIDs look like E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    case .boolean: "true or false; in a statement YES or NO, 1 or 0"
    case .integer, .integer16, .integer32, .double, .float, .decimal, .string, .uri, .binary,
      .json:
      nil
    }
  }
}

private func quoted(_ name: String) -> String { "\"\(name)\"" }

private func known(_ names: [String]) -> String { "known are \(names.joined(separator: ", "))" }
