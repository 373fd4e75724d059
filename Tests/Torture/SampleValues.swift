import Foundation
import KuraModel
import KuraValues
import TestSupport

/// Zones with odd offsets, with large ones, and without one.
enum SampleZones {
  static let names = [
    "UTC", "Asia/Tokyo", "America/New_York", "Europe/Amsterdam", "Africa/Monrovia",
    "Pacific/Kiritimati", "Pacific/Pago_Pago", "Australia/Lord_Howe", "Asia/Kathmandu",
    "America/St_Johns", "Pacific/Apia", "Europe/London",
  ]
}

extension SeededNumbers {
  /// Returns a key that documents may have.
  mutating func key(of type: AttributeType) -> String {
    let odd = pick(["", "\"", "\\", " ", "'", "\u{1}", "誕", "e\u{301}", "$", "\u{7F}", ".", "`"])
    return type.rawValue + "K" + odd
  }

  /// Returns a text with difficult characters.
  mutating func text() -> String {
    let parts = [
      "a", "\u{0}", "\u{1}", "\t", "\n", "\r", "\u{B}", "\u{1B}[2J", "\u{1F}", "\u{7F}", "\u{80}",
      "\u{9B}", "\"", "'", "\\", "\\u0041", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFD}",
      "\u{FFFF}", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "e\u{301}", "é", "が", "か\u{3099}", "𠮷",
      "👨‍👩‍👧", "\u{202E}", "\u{200B}", "null", "NaN", " ", "ß", "İ", "-- x", "/*", ";", "{", "]",
    ]
    var text = ""
    for _ in 0..<below(6) { text += pick(parts) }
    return oneIn(30) ? String(repeating: text, count: 2000) : text
  }

  mutating func number() -> String {
    pick([
      "0", "-0", "-0.0", "1", "-1", "0.1", "0.10", "1e39", "-1e39", "3.4028235e38", "3.4028236e38",
      "3.5e38", "1e-45", "7e-46", "1e-50", "16777217", "9007199254740993", "9223372036854775807",
      "-9223372036854775808", "9223372036854775808", "32767", "-32768", "32768", "2147483647",
      "-2147483648", "2147483648", "5e-324", "1e-400", "1.7976931348623157e308", "1e309",
      "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678",
      "123456789012345678901234567890123456789", "1e-38", "1e37", "1e38", "1e127", "1e-128",
      "0.30000000000000004", "1.0", "1e3", "1E+2", "-1e-7", "100000000000000000000", "1e22", "1e16",
    ])
  }

  mutating func date() -> String {
    pick([
      "0001-01-01", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00",
      "0000-12-31T23:00:00-12:00",
      "0001-01-01T00:00:00-12:00", "9999-12-31", "9999-12-31T23:59:59.999999Z",
      "9999-12-31T23:59:59.999999-12:00", "9999-12-31T23:59:59.9999999Z", "10000-01-01",
      "9999-12-31T12:00:00+14:00", "1887-12-31T23:59:59Z", "1935-06-11", "1937-07-01T00:00:00Z",
      "1970-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z", "2011-12-30", "2024-02-29",
      "2023-03-12 02:30", "2023-11-05 01:30", "2023-11-05T06:30:00Z", "2016-12-31T23:59:60Z",
      "1582-10-10", "1900-02-28T24:00:00Z", "1972-01-07T00:44:30Z", "1972-01-07", "2023-10-01",
    ])
  }
}

/// Writes texts as JSON.
enum JSONText {
  static func string(_ text: String) -> String {
    let quoted = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\u{0}"..<"\u{20}": "\\u" + String(format: "%04x", scalar.value)
      default: String(scalar)
      }
    }
    return "\"" + quoted.joined() + "\""
  }
}
