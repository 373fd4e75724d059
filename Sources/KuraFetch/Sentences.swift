import KuraDiagnostics
import KuraModel
import KuraValues

extension BindFacts: DiagnosticFacts {
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
    case .ambiguousWord(let word, let entity):
      "\"\(word)\" is a word of the language and a key of \(entity)"
    case .badCount(let clause): "\(clause) takes a number from 0 up"
    case .sortNeedsValue(let path): "\"\(path)\" is a collection, and a sort goes by one value"
    }
  }

  package var help: String? {
    switch self {
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? BindFacts.list("its entities are", known) ?? "define one: entity Note { title: string }"
    case .unknownKey(let key, "", _, _): "a string stands in quotes: \"\(key)\""
    case .unknownKey(_, _, let near, let subentities):
      subentities.first.map { "\($0) has it: ask for \($0)" } ?? BindFacts.offer(near)
    case .keyOfAttribute: nil
    case .collectionNeedsModifier(let path, let operation):
      "ask for ANY \(path) \(operation) … or ALL \(path) \(operation) …"
    case .modifierNeedsCollection: "leave out ANY, ALL or NONE"
    case .literalMismatch(_, let type, _): "write \(type.literalExample)"
    case .unreadable(let mismatch): mismatch.help
    case .operatorNeedsText: "ask with == < > or BETWEEN"
    case .unboundVariable(let name, let known):
      didYouMean(nearNames(to: name, among: known).map { "$" + $0 })
        ?? "give it one: let $\(name) = … or --arg \(name) VALUE"
    case .ambiguousWord(let word, _): "write #\(word) for the key"
    case .badCount(let clause): "\(clause) 10"
    case .sortNeedsValue(let path): "sort by \(path).@count, or another value of it"
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
    case .integer, .integer16, .integer32: "a number: 3"
    case .double, .float, .decimal: "a number: 2.5"
    case .string: "text in quotes: \"3\""
    case .boolean: "YES or NO"
    case .date: "a date in quotes: \"1935-06-11\""
    case .uuid: "a UUID in quotes: \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
    case .uri: "a URI in quotes: \"https://example.com\""
    case .binary: "base64 in quotes: \"S3VyYQ==\""
    case .json: "any value"
    }
  }
}

extension MeaningFacts: DiagnosticFacts {
  var sentence: String {
    switch self {
    case .arithmetic(let path, let type, let found, _):
      "\"\(path)\" is of type \(type.rawValue), and \(found) is arithmetic with numbers"
    case .noObject(let path, let entity, let found, _):
      "\"\(path)\" is an object of \(entity), and \(found) can never be one"
    case .notANumber(let variable, let text): "$\(variable) is \"\(text)\", which is no number"
    case .textAgainstNumber(let path, let text):
      "\(path) is a number, and \"\(text)\" can never be one"
    case .aggregateOfOne(let name, let argument, _):
      "\(name) is asked of a list, and \"\(argument)\" is one value of each object"
    case .missingObject(let id): "there is no \(id)"
    }
  }

  var help: String? {
    switch self {
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
    case .missingObject: nil
    }
  }
}
