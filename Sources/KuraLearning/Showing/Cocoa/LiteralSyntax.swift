import Foundation
import KuraPredicates
import KuraValues

/// The literals of Swift or Objective-C: `%1` is a number, a quoted text, or the elements of a list.
struct LiteralSyntax: Sendable {
  let string, number: Template
  /// The escape of a control character, with its number in hexadecimal; `%2` has four digits.
  let control: Template
  let yes, no: String
  /// Nil has no literal if the language has none for a value of any type.
  let null: String?
  let date, decimal, uuid, uri, data: Template
  let list: Template
}

extension LiteralSyntax {
  /// The values of a Swift program.
  static let swift = LiteralSyntax(
    string: "\"%1\"", number: "%1", control: "\\u{%1}", yes: "true", no: "false", null: nil,
    date: "Date(timeIntervalSince1970: %1)", decimal: "Decimal(string: %1)!",
    uuid: "UUID(uuidString: %1)!", uri: "URL(string: %1)!", data: "Data(base64Encoded: %1)!",
    list: "[%1] as [Value]")

  /// The arguments of a format in Swift, which are objects of Foundation.
  static let foundation = LiteralSyntax(
    string: "\"%1\"", number: "%1", control: "\\u{%1}", yes: "true", no: "false", null: "NSNull()",
    date: "Date(timeIntervalSince1970: %1) as NSDate", decimal: "NSDecimalNumber(string: %1)",
    uuid: "UUID(uuidString: %1)! as NSUUID", uri: "URL(string: %1)! as NSURL",
    data: "Data(base64Encoded: %1)! as NSData", list: "[%1] as NSArray")

  static let objectiveC = LiteralSyntax(
    string: "@\"%1\"", number: "@%1", control: "\\u%2", yes: "@YES", no: "@NO",
    null: "[NSNull null]", date: "[NSDate dateWithTimeIntervalSince1970:%1]",
    decimal: "[NSDecimalNumber decimalNumberWithString:%1]",
    uuid: "[[NSUUID alloc] initWithUUIDString:%1]", uri: "[NSURL URLWithString:%1]",
    data: "[[NSData alloc] initWithBase64EncodedString:%1 options:0]", list: "@[%1]")
}

extension LiteralSyntax {
  /// Returns `"誕生"`, `@"誕生"`.
  func text(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16)
        literal += control(hex, String(repeating: "0", count: 4 - hex.count) + hex)
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return string(literal)
  }

  /// Returns a literal; nil for a value without one.
  func text(_ value: Value) -> String? {
    switch value {
    case .string(let text): self.text(text)
    case .date(let date): self.date(NumberText.text(Double(date.microseconds) / 1_000_000))
    case .decimal(let number): decimal(text(NumberText.text(number)))
    case .uuid(let id): uuid(text(id.uuidString))
    case .uri(let address): uri(text(address))
    case .binary(let bytes): data(text(Data(bytes).base64EncodedString()))
    case .boolean(let flag): flag ? yes : no
    case .integer(let number): self.number("\(number)")
    case .double(let number): self.number("\(number)")
    case .list(let values): text(values)
    case .null: null
    case .set, .dictionary, .object: nil
    }
  }

  private func text(_ values: [Value]) -> String? {
    let elements = values.compactMap { text($0) }
    return elements.count == values.count ? list(elements.joined(separator: ", ")) : nil
  }
}
