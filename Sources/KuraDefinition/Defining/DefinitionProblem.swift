package import KuraDiagnostics
import KuraModel
import KuraSentences

/// A problem with a definition, or with a property in it.
package enum DefinitionProblem: DiagnosticFacts {
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
    case .entityExists(let name, _): localized("there is already an entity \(name)")
    case .unknownType(let name, _): localized("there is no type \"\(name)\"")
    case .listOfValues(let name):
      localized(
        "[\(name)] is not a type: brackets declare a to-many relationship to an entity")
    case .typeOrEntity(let name, _):
      localized(
        "\(name) is not a type: this declares a relationship to \(name), an undefined entity")
    case .clauseOfRelationships(let word, let key):
      localized("\(word) applies to relationships, but \"\(key)\" is an attribute")
    case .clauseOfAttributes(let word, let key):
      localized("\(word) applies to attributes, but \"\(key)\" is a relationship")
    case .notALiteral: localized("expected a literal, such as = \"x\" or = 3")
    case .badCount: localized("expected a whole number, 0 or more")
    }
  }

  package var help: String? {
    switch self {
    case .entityExists(_, isUnsaved: true):
      localized("choose another name, or discard all changes since the last save: rollback")
    case .entityExists(let name, isUnsaved: false):
      localized("choose another name, or change it: alter entity \(name) …")
    case .unknownType(_, let near): didYouMean(near)
    case .listOfValues: localized("use the type json for a list of values")
    case .typeOrEntity(_, let near):
      didYouMean(near).map { localized("\($0) rollback undoes the definition") }
    case .notALiteral(let function?):
      localized("for a value computed for each object, write \(function)")
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
