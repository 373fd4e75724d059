import Foundation
import KuraValues

extension TreePrinter {
  mutating func write(_ constant: Constant) {
    if spellsBooleans, case .boolean(let yes) = constant.value {
      write(yes ? "YES" : "NO")
    } else {
      write(Self.text(of: constant))
    }
  }

  mutating func write(quoted string: String) { write(Self.quoted(string)) }

  static func text(of constant: Constant) -> String {
    switch constant.value {
    case .double(let number): text(number, digits: constant.digits)
    case .decimal(let number): constant.digits ?? text(number)
    default: text(constant.value)
    }
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let yes): yes ? "1" : "0"
    case .integer(let number): String(number)
    case .double(let number): text(number, digits: nil)
    case .decimal(let number): text(number)
    case .string(let string): quoted(string)
    case .uri(let address): cast(quoted(address), .uri)
    case .date(let moment): cast(seconds(exactly: moment) ?? quoted(moment), .date)
    case .uuid(let uuid): cast(quoted(uuid.uuidString), .uuid)
    case .binary(let bytes): cast(quoted(Data(bytes).base64EncodedString()), .binary)
    case .list(let values): list(values)
    case .set(let values): cast(list(values.elements), .set)
    case .dictionary(let dictionary): text(dictionary)
    case .object(let object):
      object.id?.description ?? object.content.map(text) ?? unwrittenObject
    }
  }

  /// An object of a program has no text: reading this back asks for it.
  private static let unwrittenObject = "$object"

  private static func cast(_ text: String, _ type: CastType) -> String {
    "CAST(\(text), \"\(type.rawValue)\")"
  }

  private static func list(_ values: [Value]) -> String {
    "{" + values.map(text).joined(separator: ", ") + "}"
  }

  /// Keys and values as lists of two: a dictionary has no literal in the language.
  private static func text(_ dictionary: ValueDictionary) -> String {
    let pairs = zip(dictionary.keys, dictionary.values).map { Value.list([.string($0), $1]) }
    return cast(list(pairs), .dictionary)
  }

  /// The shortest text with the same value, unless the digits that were typed say more.
  private static func text(_ number: Double, digits: String?) -> String {
    let short = number.description
    // These have no literal: as words they would be keys.
    if !number.isFinite { return cast(quoted(nonFinite(number)), .number) }
    guard let digits, digits.utf8.count > 15, let exact = Decimal(string: digits) else {
      return short
    }
    return Decimal(string: short) == exact ? short : digits
  }

  private static func nonFinite(_ number: Double) -> String {
    Double.unwritten.first { $0.value == number }?.key ?? "NaN"
  }

  private static func text(_ number: Decimal) -> String {
    if number.isNaN { return cast(quoted(nonFinite(.nan)), .decimal) }
    let digits = NSDecimalNumber(decimal: number).stringValue
    let read = NumberLiteral.constant(
      digits.hasPrefix("-") ? String(digits.dropFirst()) : digits, isNegative: number < 0)
    // With more digits than a double has, what is read would be another number.
    guard let read, read.value == .decimal(number) else { return cast(quoted(digits), .decimal) }
    // As it is printed when it has been read, or the text would not be canonical.
    if case .double(let double) = read.value { return text(double, digits: read.digits) }
    return digits
  }

  /// In double quotes; what would break the line is escaped.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\0"..<" ", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}":
        text += "\\u" + String(scalar.value + 0x10000, radix: 16).suffix(4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// The seconds of a moment, if a double has them all; far from 2001 it has not.
  private static func seconds(exactly moment: Timestamp) -> String? {
    guard moment.steps == 0 else { return moment.secondsSinceReferenceDate.description }
    let text = seconds(moment)
    guard moment.isInRange, let number = Double(text) else { return text }
    let isWhole = Timestamp(secondsSinceReferenceDate: number) == moment
    return isWhole && String(format: "%.6f", number) == text ? text : nil
  }

  private static func quoted(_ moment: Timestamp) -> String {
    quoted(moment.text(.rfc3339, in: .utc))
  }

  /// Seconds since 2001-01-01T00:00:00Z with six decimals.
  static func seconds(_ moment: Timestamp) -> String {
    let (microseconds, overflow) =
      moment.microseconds.subtractingReportingOverflow(978_307_200_000_000)
    guard !overflow else { return "0.000000" }
    let sign = microseconds < 0 ? "-" : ""
    let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let decimals = String(rest + 1_000_000).dropFirst()
    return "\(sign)\(whole).\(decimals)"
  }

  /// The seconds in `CAST(694224000.0, "NSDate")` with six decimals, if they say all.
  static func seconds(_ value: ExpressionTree, _ type: ExpressionTree) -> String? {
    guard case .constant(let constant) = value.kind, case .double(let number) = constant.value,
      case .constant(let name) = type.kind, name.value == .string("NSDate"),
      number.magnitude < 1e15
    else { return nil }
    let text = String(format: "%.6f", number)
    return Double(text) == number ? text : nil
  }
}
