import KuraPredicates

/// Names and strings as statements write them.
package enum StatementText {
  /// A name, with `#` where it would be read as something else: a word of the predicate language,
  /// the lower-case name of a type, the `_` of the last fetch.
  ///
  ///     StatementText.name("メモ")         // メモ
  ///     StatementText.name("like")         // #like
  ///     StatementText.name("first name")   // #"first name"
  package static func name(_ name: String) -> String {
    if !name.isIdentifier || name == "_" { return "#" + string(name) }
    let isReserved = Keyword(word: name) != nil || AttributeType(rawValue: name) != nil
    return isReserved ? "#" + name : name
  }

  /// A string in double quotes, on one line.
  ///
  ///     StatementText.string("a\n\"b\"")   // "a\n\"b\"", with backslashes
  package static func string(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { $0 += escaped($1) } + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.value < 0x20 || breaksLine(scalar): "\\u" + hexadecimal(scalar)
    default: String(scalar)
    }
  }

  /// DEL, NEL and the Unicode separators of lines and paragraphs.
  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x7F || scalar.value == 0x85 || scalar.value == 0x2028
      || scalar.value == 0x2029
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
