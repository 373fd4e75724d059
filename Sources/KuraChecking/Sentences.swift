package import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension CheckProblem: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .unknownEntity(let entity, _): localized("there is no entity \"\(entity)\"")
    case .unknownKey(let key, "", _, _):
      localized("\"\(key)\" is not a value, and there is no object here to read it from")
    case .unknownKey(let key, let entity, _, _): localized("\(entity) has no key \"\(key)\"")
    case .bareWord(let word, "", _):
      localized("\"\(word)\" is not a value, and there is no object here to read it from")
    case .bareWord(let word, let entity, _): localized("\(entity) has no key \"\(word)\"")
    case .keyOfAttribute(let key, _, let type):
      localized("a value of type \(type.word) has no key \"\(key)\"")
    case .collectionNeedsModifier(let path, let operation):
      localized("\"\(path)\" is a collection, but \(operation) compares single values")
    case .modifierNeedsCollection(let path), .pathNeedsCollection(let path, _):
      localized("\"\(path)\" is one value, not a collection")
    case .operatorNeedsCollection(let name, let path, isObject: true):
      localized("\(name) requires a collection, but \"\(path)\" is one object")
    case .operatorNeedsCollection(let name, let path, isObject: false):
      localized("\(name) requires a collection, but \"\(path)\" is one value")
    case .elementsNeedCollection(let path):
      localized("\"\(path)\" is one value, not a collection")
    case .operatorOfElements(let name, let list):
      localized("\(name) after \(list) applies to each element, and an element is one value")
    case .literalMismatch(nil, let type, let found):
      localized("\(found) is not a value of type \(type.word)")
    case .literalMismatch(let key?, let type, let found):
      localized("\"\(key)\" is of type \(type.word), but \(found) is not \(type.phrase)")
    case .unreadable(let mismatch): mismatch.sentence
    case .operatorNeedsText(let operation, let type):
      localized("\(operation) requires a string, but this is of type \(type.word)")
    case .unboundVariable(let name, _): localized("$\(name) has no value")
    case .variableAsPredicate(let name): localized("$\(name) is a value, not a predicate")
    case .ambiguousWord(let word, let entity):
      localized("\"\(word)\" is both a keyword and a key of \(entity)")
    case .badCount(let clause): localized("\(clause) requires a number (0 or more)")
    case .indexOfUnordered(let path):
      localized("\"\(path)\" is unordered, so its objects have no positions")
    case .indexOfOneValue: localized("this fetch has one value, not a list of values")
    case .sortNeedsValue(let path):
      localized("\"\(path)\" is a collection, but a sort key is a single value")
    case .sortSign(let path):
      localized("\"\(path)\" is not a number, so it cannot have a minus sign")
    case .sectionNeedsValue(let path):
      localized("\"\(path)\" is a collection, but a section key is a single value")
    case .groupNeedsValue(let path):
      localized("\"\(path)\" is a collection, but a grouping key is a single value")
    case .aggregateAsKey(let text):
      localized("\(text) is computed for each group, so it cannot be a grouping key")
    case .repeatedColumn(let name): localized("two columns are called \"\(name)\"")
    case .notSelected(let key):
      localized("\"\(key)\" is not selected, and distinct rows contain only selected values")
    case .notGrouped(let key, _): localized("\"\(key)\" is neither an aggregate nor a grouping key")
    case .aggregateNeedsValue(let name, let path, _):
      localized(
        "\(name) aggregates over the fetched objects, but \"\(path)\" has several values per object"
      )
    case .aggregateNeedsNumbers(let name, let type):
      localized("\(name) requires numbers, but this is of type \(type)")
    case .havingWithoutGroups: localized("having filters groups, but this fetch has none")
    case .noLastFetch:
      localized("\"_\" stands for the objects of the last fetch, but there are none")
    case .noObjects(let text, _):
      localized("\(text) is neither an object nor a collection of objects")
    case .emptySource(let text): localized("\(text) is empty, so its entity is unknown")
    case .notOne(let text, let count):
      localized(
        "one value is required, but \(shown(text)) gives \(count == 0 ? localized("none") : String(count))"
      )
    case .arithmetic(let path, let type, let found, _):
      localized("\"\(path)\" is of type \(type.word), but \(found) is arithmetic with numbers")
    case .dateArithmetic(let date, _):
      localized("arithmetic needs numbers, but \"\(date)\" is a date")
    case .textArithmetic(let text):
      localized("arithmetic needs numbers, but \(shown(text)) is a string")
    case .noObject(let path, let entity, let found, _, isMany: true):
      localized("\(path) holds objects of \(entity), but \(found) is not one")
    case .noObject(let path, let entity, let found, _, isMany: false):
      localized("\"\(path)\" is an object of \(entity), but \(found) is not")
    case .notANumber(let variable, let text):
      localized("$\(variable) is \"\(text)\", which is not a number")
    case .textAgainstNumber(let path, let text):
      localized("\(path) is a number, but \"\(text)\" is a string")
    case .aggregateOfOne(let name, let argument, _):
      localized("\(name) requires a list, but \"\(argument)\" has one value per object")
    case .windowOutsideSelect(let name):
      localized("\(name) needs the rows of a fetch: use it in select")
    case .windowAsKey(let text, _):
      localized("\(text) is computed from the sorted rows, so it cannot order or divide them")
    case .distinctWindows:
      localized("distinct does not combine with rank, runningSum and share")
    case .windowInWindow(let text):
      localized(
        "\(text) is computed from the other rows; it cannot be the argument of another such function"
      )
    }
  }

  package var help: String? {
    switch self {
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? entityList(known)
        ?? localized("define one: entity Note { title: string }")
    case .unknownKey(let key, "", _, _): localized("write strings in quotes: \"\(key)\"")
    case .unknownKey(_, _, let near, let subentities):
      subentities.first.map { localized("\($0) has this key: use \($0)") }
        ?? CheckProblem.offer(near)
    case .bareWord(_, _, let meant) where meant.hasPrefix("\""):
      localized("write strings in quotes: \(meant)")
    case .bareWord(_, _, let meant): localized("write \(meant)")
    case .keyOfAttribute: nil
    case .collectionNeedsModifier(let path, let operation):
      localized("write ANY \(path) \(operation) … or ALL \(path) \(operation) …")
    case .modifierNeedsCollection: localized("leave out ANY, ALL or NONE")
    case .pathNeedsCollection(_, let entity):
      localized(
        "rows of a path require a to-many relationship or JSON; write fetch \(entity.writtenName) select …"
      )
    case .operatorOfElements, .operatorNeedsCollection, .textArithmetic: nil
    case .elementsNeedCollection(let path): localized("write its keys after a dot: \(path).key")
    case .literalMismatch(_, .string, let found) where found.first?.isNumber == true:
      localized(
        "write it in quotes: \"\(found)\"; to compare numbers stored as strings, use CAST(key, \"NSNumber\")"
      )
    case .literalMismatch(_, .string, let found) where DateMeaning.dayWords.contains(found):
      localized("to compare dates stored as strings, use CAST(key, \"NSDate\")")
    case .literalMismatch(_, let type, _): type.literalHelp
    case .unreadable(let mismatch): mismatch.help
    case .operatorNeedsText: localized("use == < > or BETWEEN")
    case .unboundVariable(let name, let known):
      didYouMean(nearNames(to: name, among: known).map { "$" + $0 })
        ?? localized("give it a value: let $\(name) = … or --arg \(name) VALUE")
    case .variableAsPredicate(let name):
      localized(
        "compare it ($\(name) == …), or store a predicate in it (let $\(name) = predicate …)")
    case .ambiguousWord(let word, _): localized("write #\(word) for the key")
    case .badCount(let clause): "\(clause) 10"
    case .indexOfUnordered(let path):
      localized("write ANY \(path); \(path)[FIRST] requires an ordered relationship")
    case .sortNeedsValue(let path): localized("sort by a single value, such as \(path).@count")
    case .sortSign(let path): localized("write \(path) desc")
    case .sectionNeedsValue(let path), .groupNeedsValue(let path):
      localized("use a single value, such as \(path).@count")
    case .aggregateAsKey:
      localized("group by a key of the objects, and filter the groups with having")
    case .repeatedColumn: localized("give one of them another name with as")
    case .notSelected: localized("select it too, or sort by a selected value")
    case .notGrouped(let key, let keys):
      keys.isEmpty
        ? localized("add group by \(key), or use min(\(key))")
        : localized("group by \(keys.joined(separator: ", ")), \(key), or use min(\(key))")
    case .aggregateNeedsValue(_, _, let list?) where !list.contains("@"):
      localized("\(list) is the list of each object")
    case .aggregateNeedsValue(let name, _, let each?):
      localized(
        "\(each) is the value of each object, \(name == "count" ? "sum" : name)(\(each)) the value over all objects"
      )
    case .aggregateNeedsValue: localized("use a single value per object")
    case .aggregateNeedsNumbers: localized("count, min and max take any value")
    case .havingWithoutGroups(isOfObjects: true): localized("to filter objects, use where")
    case .havingWithoutGroups(isOfObjects: false):
      localized("add group by KEY; without a key, select an aggregate of all objects")
    case .noLastFetch: localized("fetch objects first; groups and distinct rows are not objects")
    case .noObjects(let path, isPath: true): localized("print \(path) shows the value")
    case .noObjects: localized("write an object as Item/3, a collection as (fetch Item where …)")
    case .emptySource: localized("name the entity: fetch Item")
    case .notOne(_, let count):
      count == 0
        ? localized("to test for no object, compare with NULL")
        : localized("reduce it to one with where or limit 1, or use IN")
    case .arithmetic(_, _, _, let date?): localized("write a date in quotes: \"\(date)\"")
    case .arithmetic(_, let type, _, nil): type.literalHelp
    case .dateArithmetic(_, let meant?): localized("write \(meant)")
    case .dateArithmetic(_, nil):
      localized(
        "dateByAdding moves a date; daysBetween and timeBetween give the time between two dates")
    case .noObject(_, let entity, _, nil, _): localized("write \(entity)/1")
    case .noObject(_, let entity, let found, let key?, _):
      localized("write \(entity)/1, or compare one of its values: \(key) == \(found)")
    case .notANumber: localized("give it a number, such as 3 or 2.5")
    case .textAgainstNumber(_, let text):
      NumberText.number(text) == nil
        ? localized("write a number: \(DateMeaning.number(named: text) ?? 3)")
        : localized("write it without quotes: \(text)")
    case .aggregateOfOne(let name, let argument, let entity):
      localized("for all objects, write (fetch \(entity) select \(name)(\(argument)))")
    case .windowOutsideSelect("rank"):
      localized("the first of each value of a key: limit 3 per KEY")
    case .windowOutsideSelect, .windowInWindow, .indexOfOneValue: nil
    case .windowAsKey(let name, let entity?):
      localized("the column hides the key \"\(name)\" of \(entity): give it another name with as")
    case .windowAsKey(_, nil): localized("sort by what it is computed from")
    case .distinctWindows: localized("use group by instead of distinct")
    }
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
