import KuraModel
import TestSupport

extension ExpressionMaker {
  /// Returns a literal of a type, and sometimes of another type.
  func literal(fitting type: AttributeType?, _ numbers: inout SeededNumbers) -> String {
    let type = numbers.oneIn(15) ? nil : type
    switch type {
    case .integer?, .integer16?, .integer32?:
      return numbers.pick(["0", "1", "2", "-3", "32767", "32768", "2147483647", "7", "NULL"])
    case .double?, .float?:
      return numbers.pick(["0.0", "-0.0", "1.5", "1e30", "1e-30", "0.1", "3"])
    case .decimal?: return numbers.pick(["0.10", "12345678901234567890.5", "-1", "\"1.50\""])
    case .boolean?: return numbers.pick(["YES", "NO", "true", "1"])
    case .date?: return Self.text(numbers.pick(Self.dates))
    case .uuid?: return Self.text(numbers.pick(["6F9619FF-8B86-D011-B42D-00C04FC964FF", "x"]))
    case .uri?: return Self.text(numbers.pick(["https://example.org/a?b=c#d", "mailto:a@b", ":"]))
    case .binary?: return Self.text(numbers.pick(["AAECAw==", "", "@@@"]))
    case .string?: return Self.text(numbers.pick(Self.texts))
    case .json?: return numbers.pick(["{1, 2}", "3", "\"a\"", "NULL"])
    case nil: return numbers.pick(Self.anything)
    }
  }

  private static let dates = [
    "2020-01-01", "1935/6/11", "2010-07-20 18:20", "0001-01-01", "9999-12-31", "2024-02-30",
    "2011-01-13T09:30:00+09:00", "x",
  ]
  private static let anything = [
    "0", "-1", "9223372036854775807", "9223372036854775808", "1e308", "1e999", "1.5", "\"a\"",
    "\"\"", "YES",
    "NULL", "{}", "{1, \"a\", nil}", "SELF", "$v", "$nowhere", "now()", "0x1F", "'x'", "%@", "$s.a",
  ]
}
