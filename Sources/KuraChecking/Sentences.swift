package import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension CheckFacts: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .unknownEntity(let entity, _): localized("there is no entity \"\(entity)\"")
    case .unknownKey(let key, "", _, _):
      localized("\"\(key)\" is no value: there is no object here to ask")
    case .unknownKey(let key, let entity, _, _): localized("\(entity) has no key \"\(key)\"")
    case .bareWord(let word, "", _):
      localized("\"\(word)\" is no value: there is no object here to ask")
    case .bareWord(let word, let entity, _): localized("\(entity) has no key \"\(word)\"")
    case .keyOfAttribute(let key, _, let type):
      localized("a value of type \(type.word) has no \"\(key)\"")
    case .collectionNeedsModifier(let path, let operation):
      localized("\"\(path)\" is a collection, and \(operation) compares one value")
    case .modifierNeedsCollection(let path): localized("\"\(path)\" is one value, not a collection")
    case .literalMismatch(nil, let type, let found):
      localized("\(found) is no value of type \(type.word)")
    case .literalMismatch(let key?, let type, let found):
      localized("\"\(key)\" is of type \(type.word), and \(found) can never be one")
    case .unreadable(let mismatch): mismatch.sentence
    case .operatorNeedsText(let operation, let type):
      localized("\(operation) is asked of text, and this is of type \(type.word)")
    case .unboundVariable(let name, _): localized("$\(name) has no value")
    case .variableAsPredicate(let name): localized("$\(name) is a value, not a predicate")
    case .ambiguousWord(let word, let entity):
      localized("\"\(word)\" is a word of the language and a key of \(entity)")
    case .badCount(let clause): localized("\(clause) takes a number from 0 up")
    case .indexOfUnordered(let path):
      localized("\"\(path)\" has no order, and so no first object and no last one")
    case .sortNeedsValue(let path):
      localized("\"\(path)\" is a collection, and a sort goes by one value")
    case .sortSign(let path): localized("\"\(path)\" is no number, and has no minus")
    case .sectionNeedsValue(let path):
      localized("\"\(path)\" is a collection, and a heading is one value")
    case .groupNeedsValue(let path):
      localized("\"\(path)\" is a collection, and groups go by one value")
    case .aggregateAsKey(let text): localized("\(text) is of a group, and cannot make the groups")
    case .repeatedColumn(let name): localized("two columns are called \"\(name)\"")
    case .notSelected(let key):
      localized("\"\(key)\" is not selected, and a distinct row has only what is")
    case .notGrouped(let key, _): localized("\"\(key)\" is neither an aggregate nor a grouping key")
    case .aggregateNeedsValue(let name, let path, _):
      localized("\(name) in a fetch is over its objects, and \"\(path)\" has many values for each")
    case .aggregateNeedsNumbers(let name, let type):
      localized("\(name) wants numbers, and this is of type \(type)")
    case .havingWithoutGroups: localized("having asks groups, and there are none")
    case .noLastFetch: localized("\"_\" is the objects of the last fetch, and there are none")
    case .noObjects(let text): localized("\(text) is not made of objects")
    case .emptySource(let text): localized("\(text) is empty, and of which entity is not known")
    case .notOne(let text, let count):
      localized(
        "one value is wanted, and \(shown(text)) gives \(count == 0 ? localized("none") : String(count))"
      )
    case .arithmetic(let path, let type, let found, _):
      localized("\"\(path)\" is of type \(type.word), and \(found) is arithmetic with numbers")
    case .dateArithmetic(let date, _):
      localized("arithmetic needs numbers, and \"\(date)\" is a date")
    case .noObject(let path, let entity, let found, _):
      localized("\"\(path)\" is an object of \(entity), and \(found) can never be one")
    case .notANumber(let variable, let text):
      localized("$\(variable) is \"\(text)\", which is no number")
    case .textAgainstNumber(let path, let text):
      localized("\(path) is a number, and \"\(text)\" can never be one")
    case .aggregateOfOne(let name, let argument, _):
      localized("\(name) is asked of a list, and \"\(argument)\" is one value of each object")
    }
  }

  package var help: String? {
    switch self {
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? CheckFacts.entities(known)
        ?? localized("define one: entity Note { title: string }")
    case .unknownKey(let key, "", _, _): localized("a string stands in quotes: \"\(key)\"")
    case .unknownKey(_, _, let near, let subentities):
      subentities.first.map { localized("\($0) has it: ask for \($0)") } ?? CheckFacts.offer(near)
    case .bareWord(_, _, let meant) where meant.hasPrefix("\""):
      localized("a text stands in quotes: \(meant)")
    case .bareWord(_, _, let meant): localized("write \(meant)")
    case .keyOfAttribute: nil
    case .collectionNeedsModifier(let path, let operation):
      localized("ask for ANY \(path) \(operation) … or ALL \(path) \(operation) …")
    case .modifierNeedsCollection: localized("leave out ANY, ALL or NONE")
    case .literalMismatch(_, .string, let found) where found.first?.isNumber == true:
      localized(
        "write it in quotes: \"\(found)\"; numbers kept as text compare by CAST(key, \"NSNumber\")")
    case .literalMismatch(_, .string, let found) where DateMeaning.dayWords.contains(found):
      localized("dates kept as text compare by CAST(key, \"NSDate\")")
    case .literalMismatch(_, let type, _): type.literalHelp
    case .unreadable(let mismatch): mismatch.help
    case .operatorNeedsText: localized("ask with == < > or BETWEEN")
    case .unboundVariable(let name, let known):
      didYouMean(nearNames(to: name, among: known).map { "$" + $0 })
        ?? localized("give it one: let $\(name) = … or --arg \(name) VALUE")
    case .variableAsPredicate(let name):
      localized(
        "compare it with something: $\(name) == …, or name a part: let $\(name) = predicate …")
    case .ambiguousWord(let word, _): localized("write #\(word) for the key")
    case .badCount(let clause): "\(clause) 10"
    case .indexOfUnordered(let path):
      localized("ask for ANY \(path); \(path)[FIRST] requires that the model orders it")
    case .sortNeedsValue(let path): localized("sort by \(path).@count, or another value of it")
    case .sortSign(let path): localized("write \(path) desc")
    case .sectionNeedsValue(let path), .groupNeedsValue(let path):
      localized("for instance \(path).@count, or another value of it")
    case .aggregateAsKey: localized("group by what the objects have, and ask for it with having")
    case .repeatedColumn: localized("give one of them another name with as")
    case .notSelected: localized("select it too, or sort by what is selected")
    case .notGrouped(let key, let keys):
      keys.isEmpty
        ? localized("add group by \(key), or ask for min(\(key))")
        : localized("group by \(keys.joined(separator: ", ")), \(key), or ask for min(\(key))")
    case .aggregateNeedsValue(let name, _, let each?):
      localized(
        "\(each) is the value of each object, \(name == "count" ? "sum" : name)(\(each)) that of all"
      )
    case .aggregateNeedsValue: localized("ask for one value of each object")
    case .aggregateNeedsNumbers: localized("count, min and max take any value")
    case .havingWithoutGroups:
      localized("make them with group by KEY; objects are asked with where")
    case .noLastFetch: localized("fetch objects first; groups and distinct rows are none")
    case .noObjects: localized("an object is Item/3, a collection (fetch Item where …)")
    case .emptySource: localized("name the entity: fetch Item")
    case .notOne(_, let count):
      count == 0
        ? localized("compare with NULL for no object")
        : localized("make it one with where or limit 1, or ask IN")
    case .arithmetic(_, _, _, let date?): localized("a date stands in quotes: \"\(date)\"")
    case .arithmetic(_, let type, _, nil): type.literalHelp
    case .dateArithmetic(_, let meant?): localized("write \(meant)")
    case .dateArithmetic(_, nil):
      localized("dateByAdding moves a date, daysBetween and timeBetween tell how far two are apart")
    case .noObject(_, let entity, _, nil): localized("write \(entity)/1")
    case .noObject(_, let entity, let found, let key?):
      localized("write \(entity)/1, or ask for one of its values: \(key) == \(found)")
    case .notANumber: localized("give it a number: 3, 2.5")
    case .textAgainstNumber(_, let text):
      NumberText.number(text) == nil
        ? localized("write a number: \(DateMeaning.number(named: text) ?? 3)")
        : localized("write it without quotes: \(text)")
    case .aggregateOfOne(let name, let argument, let entity):
      localized("of all objects: (fetch \(entity) select \(name)(\(argument)))")
    }
  }

  private static func entities(_ names: [String]) -> String? {
    names.isEmpty ? nil : localized("its entities are \(names.list)")
  }

  private static func offer(_ near: [String]) -> String? {
    near.count > 3 ? localized("its keys are \(near.list)") : didYouMean(near)
  }
}

extension AttributeType {
  /// Explains how to write a literal of the type.
  fileprivate var literalHelp: String {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal:
      localized("write a number: \(literalText)")
    case .string: localized("write text in quotes: \(literalText)")
    case .boolean: localized("write YES or NO")
    case .date: localized("write a date in quotes: \(literalText)")
    case .uuid: localized("write a UUID in quotes: \(literalText)")
    case .uri: localized("write a URI in quotes: \(literalText)")
    case .binary: localized("write base64 in quotes: \(literalText)")
    case .json: localized("write any value")
    }
  }

  /// A literal of the type.
  var literalText: String {
    switch self {
    case .integer, .integer16, .integer32: "3"
    case .double, .float, .decimal: "2.5"
    case .string: "\"3\""
    case .boolean: "YES"
    case .date: "\"1935-06-11\""
    case .uuid: "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
    case .uri: "\"https://example.com\""
    case .binary: "\"S3VyYQ==\""
    case .json: "any value"
    }
  }
}

extension AttributeType {
  /// The name of the type for people: its name in a model, or a word of their language.
  var word: String {
    switch self {
    case .string: localized("string")
    case .integer: localized("integer")
    case .integer16: localized("integer16")
    case .integer32: localized("integer32")
    case .double: localized("double")
    case .float: localized("float")
    case .decimal: localized("decimal")
    case .boolean: localized("boolean")
    case .date: localized("date")
    case .uuid, .uri, .binary, .json: rawValue
    }
  }
}
