import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension CheckFacts: DiagnosticFacts {
  package var sentence: String {
    switch self {
    case .unknownEntity(let entity, _): "there is no entity \"\(entity)\""
    case .unknownKey(let key, "", _, _): "\"\(key)\" is no value: there is no object here to ask"
    case .unknownKey(let key, let entity, _, _): "\(entity) has no key \"\(key)\""
    case .keyOfAttribute(let key, _, let type): "a value of type \(type.rawValue) has no \"\(key)\""
    case .collectionNeedsModifier(let path, let operation):
      "\"\(path)\" is a collection, and \(operation) compares one value"
    case .modifierNeedsCollection(let path): "\"\(path)\" is one value, not a collection"
    case .literalMismatch(nil, let type, let found):
      "\(found) is no value of type \(type.rawValue)"
    case .literalMismatch(let key?, let type, let found):
      "\"\(key)\" is of type \(type.rawValue), and \(found) can never be one"
    case .unreadable(let mismatch): mismatch.sentence
    case .operatorNeedsText(let operation, let type):
      "\(operation) is asked of text, and this is of type \(type.rawValue)"
    case .unboundVariable(let name, _): "$\(name) has no value"
    case .variableAsPredicate(let name): "$\(name) is a value, not a predicate"
    case .ambiguousWord(let word, let entity):
      "\"\(word)\" is a word of the language and a key of \(entity)"
    case .badCount(let clause): "\(clause) takes a number from 0 up"
    case .sortNeedsValue(let path): "\"\(path)\" is a collection, and a sort goes by one value"
    case .sectionNeedsValue(let path): "\"\(path)\" is a collection, and a heading is one value"
    case .groupNeedsValue(let path): "\"\(path)\" is a collection, and groups go by one value"
    case .aggregateAsKey(let text): "\(text) is of a group, and cannot make the groups"
    case .repeatedColumn(let name): "two columns are called \"\(name)\""
    case .notSelected(let key): "\"\(key)\" is not selected, and a distinct row has only what is"
    case .notGrouped(let key, _): "\"\(key)\" is neither an aggregate nor a grouping key"
    case .aggregateNeedsValue(let name, let path, _):
      "\(name) in a fetch is over its objects, and \"\(path)\" has many values for each"
    case .aggregateNeedsNumbers(let name, let type):
      "\(name) wants numbers, and this is of type \(type)"
    case .havingWithoutGroups: "having asks groups, and there are none"
    case .noLastFetch: "\"_\" is the objects of the last fetch, and there are none"
    case .noObjects(let text): "\(text) is not made of objects"
    case .emptySource(let text): "\(text) is empty, and of which entity is not known"
    case .notOne(let text, let count):
      "one value is wanted, and \(shown(text)) gives \(count == 0 ? "none" : String(count))"
    case .arithmetic(let path, let type, let found, _):
      "\"\(path)\" is of type \(type.rawValue), and \(found) is arithmetic with numbers"
    case .noObject(let path, let entity, let found, _):
      "\"\(path)\" is an object of \(entity), and \(found) can never be one"
    case .notANumber(let variable, let text): "$\(variable) is \"\(text)\", which is no number"
    case .textAgainstNumber(let path, let text):
      "\(path) is a number, and \"\(text)\" can never be one"
    case .aggregateOfOne(let name, let argument, _):
      "\(name) is asked of a list, and \"\(argument)\" is one value of each object"
    }
  }

  package var help: String? {
    switch self {
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? CheckFacts.list("its entities are", known) ?? "define one: entity Note { title: string }"
    case .unknownKey(let key, "", _, _): "a string stands in quotes: \"\(key)\""
    case .unknownKey(_, _, let near, let subentities):
      subentities.first.map { "\($0) has it: ask for \($0)" } ?? CheckFacts.offer(near)
    case .keyOfAttribute: nil
    case .collectionNeedsModifier(let path, let operation):
      "ask for ANY \(path) \(operation) … or ALL \(path) \(operation) …"
    case .modifierNeedsCollection: "leave out ANY, ALL or NONE"
    case .literalMismatch(_, .string, let found) where found.first?.isNumber == true:
      "write it in quotes: \"\(found)\"; numbers kept as text compare by CAST(key, \"NSNumber\")"
    case .literalMismatch(_, let type, _): "write \(type.literalExample)"
    case .unreadable(let mismatch): mismatch.help
    case .operatorNeedsText: "ask with == < > or BETWEEN"
    case .unboundVariable(let name, let known):
      didYouMean(nearNames(to: name, among: known).map { "$" + $0 })
        ?? "give it one: let $\(name) = … or --arg \(name) VALUE"
    case .variableAsPredicate(let name):
      "compare it with something: $\(name) == …, or name a part: let $\(name) = predicate …"
    case .ambiguousWord(let word, _): "write #\(word) for the key"
    case .badCount(let clause): "\(clause) 10"
    case .sortNeedsValue(let path): "sort by \(path).@count, or another value of it"
    case .sectionNeedsValue(let path), .groupNeedsValue(let path):
      "for instance \(path).@count, or another value of it"
    case .aggregateAsKey: "group by what the objects have, and ask for it with having"
    case .repeatedColumn: "give one of them another name with as"
    case .notSelected: "select it too, or sort by what is selected"
    case .notGrouped(let key, let keys):
      keys.isEmpty
        ? "add group by \(key), or ask for min(\(key))"
        : "group by \(keys.joined(separator: ", ")), \(key), or ask for min(\(key))"
    case .aggregateNeedsValue(let name, _, let each?):
      "\(each) is the value of each object, \(name == "count" ? "sum" : name)(\(each)) that of all"
    case .aggregateNeedsValue: "ask for one value of each object"
    case .aggregateNeedsNumbers: "count, min and max take any value"
    case .havingWithoutGroups: "make them with group by KEY; objects are asked with where"
    case .noLastFetch: "fetch objects first; groups and distinct rows are none"
    case .noObjects: "an object is Item/3, a collection (fetch Item where …)"
    case .emptySource: "name the entity: fetch Item"
    case .notOne(_, let count):
      count == 0
        ? "compare with NULL for no object" : "make it one with where or limit 1, or ask IN"
    case .arithmetic(_, _, _, let date?): "a date stands in quotes: \"\(date)\""
    case .arithmetic(_, let type, _, nil): "write \(type.literalExample)"
    case .noObject(_, let entity, _, nil): "write \(entity)/1"
    case .noObject(_, let entity, let found, let key?):
      "write \(entity)/1, or ask for one of its values: \(key) == \(found)"
    case .notANumber: "give it a number: 3, 2.5"
    case .textAgainstNumber(_, let text):
      NumberText.number(text) == nil ? "write a number: 3" : "write it without quotes: \(text)"
    case .aggregateOfOne(let name, let argument, let entity):
      "of all objects: (fetch \(entity) select \(name)(\(argument)))"
    }
  }

  private static func list(_ words: String, _ names: [String]) -> String? {
    names.isEmpty ? nil : "\(words) \(names.joined(separator: ", "))"
  }

  private static func offer(_ near: [String]) -> String? {
    near.count > 3 ? list("its keys are", near) : didYouMean(near)
  }
}

extension AttributeType {
  /// How a literal of the type is written.
  fileprivate var literalExample: String {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal: "a number: \(literalText)"
    case .string: "text in quotes: \(literalText)"
    case .boolean: "YES or NO"
    case .date: "a date in quotes: \(literalText)"
    case .uuid: "a UUID in quotes: \(literalText)"
    case .uri: "a URI in quotes: \(literalText)"
    case .binary: "base64 in quotes: \(literalText)"
    case .json: literalText
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
