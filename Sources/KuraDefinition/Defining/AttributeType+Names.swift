import KuraDiagnostics
import KuraModel

extension AttributeType {
  /// The types that a word of another language, or a misspelt one, may mean.
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
