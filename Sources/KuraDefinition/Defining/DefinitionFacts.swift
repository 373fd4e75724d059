package import KuraDiagnostics
import KuraModel
import KuraSentences

/// A problem with a definition, or with a property in it.
package enum DefinitionFacts: DiagnosticFacts {
  /// `entity Item { }` if the entity exists
  case entityExists(String, isUnsaved: Bool)
  /// `title: strng`
  case unknownType(String, near: [String])
  /// `tags: [string]`
  case listOfValues(String)
  /// `title: String`, if no entity has that name
  case typeOrEntity(String, near: [String])
  /// `title: string inverse items`
  case clauseOfRelationships(String, key: String)
  /// `items: [Item] matches "x"`
  case clauseOfAttributes(String, key: String)
  /// `title: string = name`
  case notALiteral(near: String?)
  /// `items: [Item] min -1`
  case badCount

  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .entityExists(let name, _): localized("there is an entity \(name) already")
    case .unknownType(let name, _): localized("there is no type \"\(name)\"")
    case .listOfValues(let name):
      localized(
        "[\(name)] is no type: brackets stand for a relationship to many objects of an entity")
    case .typeOrEntity(let name, _):
      localized(
        "\(name) is no type: this is a relationship to an entity \(name), which is not defined yet")
    case .clauseOfRelationships(let word, let key):
      localized("\(word) is for relationships, and \"\(key)\" is an attribute")
    case .clauseOfAttributes(let word, let key):
      localized("\(word) is for attributes, and \"\(key)\" is a relationship")
    case .notALiteral: localized("expected a literal, as in = \"x\" or = 3")
    case .badCount: localized("expected a whole number from 0")
    }
  }

  package var help: String? {
    switch self {
    case .entityExists(_, isUnsaved: true):
      localized("choose another name, or take back everything since the last save: rollback")
    case .entityExists(let name, isUnsaved: false):
      localized("choose another name, or change it: alter entity \(name) …")
    case .unknownType(_, let near): didYouMean(near)
    case .listOfValues: localized("a list of values is of the type json")
    case .typeOrEntity(_, let near):
      didYouMean(near).map { localized("\($0) rollback takes the definition back") }
    case .notALiteral(let function?):
      localized("or a value that is computed for each object: \(function)")
    case .clauseOfRelationships, .clauseOfAttributes, .notALiteral(nil), .badCount: nil
    }
  }
}

extension AttributeType {
  /// Returns the types that a word of another language, or a misspelled one, may mean.
  static func names(near word: String) -> [String] {
    let small = word.lowercased()
    if let type = AttributeType(rawValue: small) ?? foreignNames[small] { return [type.rawValue] }
    return nearNames(to: small, among: allCases.map(\.rawValue))
  }

  private static let foreignNames: [String: AttributeType] = [
    "int": .integer, "int16": .integer16, "int32": .integer32, "int64": .integer, "long": .integer,
    "short": .integer16, "number": .double, "real": .double, "bool": .boolean, "text": .string,
    "str": .string, "varchar": .string, "datetime": .date, "timestamp": .date, "data": .binary,
    "blob": .binary, "url": .uri, "float32": .float, "float64": .double, "char": .string,
    "nsstring": .string, "nsdate": .date, "nsnumber": .double, "cgfloat": .double,
    "money": .decimal,
    "numeric": .decimal, "bit": .boolean, "object": .json, "any": .json, "array": .json,
    "guid": .uuid,
    "文字列": .string, "文字": .string, "テキスト": .string, "整数": .integer, "数": .integer, "数値": .double,
    "実数": .double, "小数": .double, "金額": .decimal, "真偽": .boolean, "真偽値": .boolean, "論理値": .boolean,
    "ブール": .boolean, "日付": .date, "日時": .date, "日": .date, "時刻": .date, "データ": .binary,
  ]
}
