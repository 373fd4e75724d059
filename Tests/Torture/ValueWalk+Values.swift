import Foundation
import KuraModel
import KuraValues
import TestSupport

extension ValueWalk {
  /// Returns a value as a statement writes it; not every one fits the type.
  mutating func literal(_ type: AttributeType) -> String {
    if numbers.oneIn(15) { return "NULL" }
    if numbers.oneIn(15) { return StatementText.string(numbers.text()) }
    switch type {
    case .integer, .integer16, .integer32, .double, .float, .decimal: return numbers.number()
    case .string: return StatementText.string(numbers.text())
    case .boolean: return numbers.pick(["YES", "NO", "TRUE", "1", "\"yes\""])
    case .date: return StatementText.string(numbers.date())
    case .uuid: return "\"\(uuid())\""
    case .uri: return StatementText.string(numbers.pick(Self.uris))
    case .binary: return "\"\(bytes())\""
    case .json:
      return numbers.pick([
        "{1, NULL, \"x\"}", "{}", "{{1}, {YES, {}}}", numbers.number(),
        StatementText.string(numbers.text()), "\(numbers.number())",
      ])
    }
  }

  /// Returns a value as JSON.
  mutating func json(_ type: AttributeType) -> String {
    if numbers.oneIn(15) { return "null" }
    if numbers.oneIn(15) { return anyJSON(2) }
    switch type {
    case .integer, .integer16, .integer32, .double, .float, .decimal: return numbers.number()
    case .string: return text()
    case .boolean: return numbers.pick(["true", "false"])
    case .date: return JSONText.string(numbers.date())
    case .uuid: return "\"\(uuid())\""
    case .uri: return JSONText.string(numbers.pick(Self.uris))
    case .binary: return "\"\(bytes())\""
    case .json: return anyJSON(3)
    }
  }

  private static let uris = [
    "https://例え.jp/誕生日?q=\"x\"", "a:b", "mailto:x@y", "x y", "", "urn:\u{7F}", "a\\b", "#", "é",
    "e\u{301}", "\u{FEFF}x",
  ]

  private mutating func uuid() -> String {
    let digits = (0..<32).map { _ in String(numbers.below(16), radix: 16) }.joined()
    let parts = [8, 4, 4, 4, 12].reduce(into: (rest: Substring(digits), parts: [Substring]())) {
      $0.parts.append($0.rest.prefix($1))
      $0.rest = $0.rest.dropFirst($1)
    }
    let text = parts.parts.joined(separator: "-")
    return numbers.flip() ? text.uppercased() : text
  }

  private mutating func bytes() -> String {
    let count = numbers.below(5)
    return Data((0..<count).map { _ in UInt8(numbers.below(256)) }).base64EncodedString()
  }

  /// Returns a text as JSON, sometimes with escapes of single surrogates.
  private mutating func text() -> String {
    guard numbers.oneIn(8) else { return JSONText.string(numbers.text()) }
    return numbers.pick([#""\ud800""#, #""\udc00x""#, #""\ud83d\ude00""#, #""\u0000""#, #""\/\b""#])
  }

  private mutating func anyJSON(_ depth: Int) -> String {
    switch numbers.below(depth > 0 ? 7 : 5) {
    case 0: return numbers.pick(["null", "true", "false", "{}", "[]", "\"null\""])
    case 1, 2: return numbers.number()
    case 3, 4: return text()
    case 5:
      let list = (0..<numbers.below(4)).map { _ in anyJSON(depth - 1) }
      return "[\(list.joined(separator: ", "))]"
    default:
      let members = (0..<numbers.below(4)).map { place in
        JSONText.string(numbers.text() + "\(place)") + " : " + anyJSON(depth - 1)
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  /// Returns an expression whose value may not fit the type.
  mutating func computed(_ type: AttributeType) -> String {
    switch type {
    case .integer, .integer16, .integer32, .double, .float, .decimal, .json:
      numbers.pick([
        "1 / 3", "1.0 / 3", "0.1 + 0.2", "1e308 * 10", "0.0 * -1", "1.0 / 0", "0.0 / 0.0",
        "n + 0.5",
        "sqrt(2)", "sqrt(-1)", "ln(0)", "9223372036854775807 + 1", "2 ** 0.5", "n * 1e38 * 10",
        "\(numbers.number()) * \(numbers.number())", "-(\(numbers.number()))", "n",
      ])
    case .string:
      numbers.pick(["concat(\"\\u0000\", \"x\")", "uppercase(\"ß\")", "\"\(numbers.below(9))\""])
    case .boolean: "n > 1"
    case .date:
      numbers.pick(["CAST(0, \"NSDate\")", "CAST(1e13, \"NSDate\")", "CAST(-6e10, \"NSDate\")"])
    case .uuid, .uri, .binary: "\"\(uuid())\""
    }
  }
}
