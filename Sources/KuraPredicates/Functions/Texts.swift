import Foundation
import KuraValues

// `uppercase("foo")`, `length("誕生日")`
extension PredicateFunction {
  static let texts = [
    apple(
      .uppercase, "uppercase:", [.text], .string, "the text in uppercase",
      ("uppercase(\"straße\")", "STRASSE"),
      ofText { .string($0.uppercased()) }
    ).knownElsewhere(as: "ucase", "uppercased", "uppercaseString"),
    apple(
      .lowercase, "lowercase:", [.text], .string, "the text in lowercase",
      ("lowercase(\"ABC\")", "abc"),
      ofText { .string($0.lowercased()) }
    ).knownElsewhere(as: "lcase", "lowercased", "lowercaseString"),
    apple(
      .length, "length:", [.text], .number, "the number of UTF-16 units in a text; 𠮷 has 2",
      ("length(\"誕生日\")", "3"),
      unlessNil { (value, _) throws(EvaluationError) in
        if let elements = value.elements { return .integer(Int64(elements.count)) }
        return .integer(Int64(try value.text().utf16.count))
      }
    ).within(0 ... .infinity).knownElsewhere(as: "len", "strlen"),
    apple(
      .canonical, "canonical:", [.text], .string,
      "the text without case, diacritics and width, as [cd] compares it",
      ("canonical(\"Café\")", "cafe"), ofText { .string(TextFold.cd.key($0)) }),
  ]

  /// Kura's own: `trim(s)`, `substring(s, 0, 2)`, `concat(a, b)`, `joined(list, ", ")`
  static let ownTexts = [
    own(
      .trim, "trim", [.text], .string, "the text without leading and trailing whitespace",
      ("trim(\"  a \")", "a"),
      ofText { .string($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    ).knownElsewhere(as: "strip", "trimmed"),
    own(
      .substring, "substring", [.text, .integer, .integer], .string,
      "part of a text: a start from 0, and a number of UTF-16 units",
      ("substring(\"誕生日\", 0, 2)", "誕生")
    ) { (arguments, _) throws(EvaluationError) in
      if arguments[0].isNull { return .null }
      let (start, count) = (try arguments[1].integer(), try arguments[2].integer())
      return .string(try arguments[0].text().part(from: start, count: count))
    }.knownElsewhere(as: "substr", "mid"),
    own(
      .characterCount, "characterCount", [.text], .number,
      "the number of characters in a text; 𠮷 has 1",
      ("characterCount(\"𠮷野家\")", "3"),
      unlessNil { (value, _) throws(EvaluationError) in .integer(Int64(try value.text().count)) }
    ).within(0 ... .infinity),
    own(
      .replace, "replace", [.text, .text, .text], .string,
      "the text with each occurrence of a text replaced",
      ("replace(\"2026/7/20\", \"/\", \"-\")", "2026-7-20")
    ) { (arguments, context) throws(EvaluationError) in
      if arguments.contains(where: \.isNull) { return .null }
      let parts = try parts(of: arguments[0], between: arguments[1])
      return .string(try joined(parts, try arguments[2].text(), context))
    }.knownElsewhere(as: "replacing", "stringByReplacingOccurrencesOfString"),
    own(
      .split, "split", [.text, .text], .strings, "the parts of a text between separators",
      ("split(\"a,b\", \",\")", "{a, b}")
    ) { (arguments, _) throws(EvaluationError) in
      if arguments.contains(where: \.isNull) { return .null }
      return .list(try parts(of: arguments[0], between: arguments[1]))
    }.knownElsewhere(as: "components", "componentsSeparatedByString"),
    own(
      .firstMatch, "firstMatch", .optional([.text, .text, .integer], from: 2), .string,
      "the first part of a text that matches a regular expression, or a group of it",
      ("firstMatch(\"昭和45年\", \"([0-9]+)年\", 1)", "45")
    ) { (arguments, _) throws(EvaluationError) in
      if arguments.contains(where: \.isNull) { return .null }
      let (text, pattern) = (try arguments[0].text(), try arguments[1].text())
      let group = Int(clamping: arguments.count > 2 ? try arguments[2].integer() : 0)
      let expression = try evaluating { () throws(ValueError) in
        try RegularExpression.cached(pattern, [])
      }
      guard expression.groups.contains(group) else {
        throw .notInRange(Double(group), expression.groups)
      }
      return try evaluating { () throws(ValueError) in
        try expression.firstMatch(in: text, group: group).map(Value.string) ?? .null
      }
    }.knownElsewhere(as: "regexp_extract", "regexp_substr", "regexp_match", "capture"),
    own(
      .concat, "concat", .several(.any), .string, "texts joined into one",
      ("concat(\"a\", \"b\")", "ab")
    ) { (arguments, context) throws(EvaluationError) in
      .string(try joined(arguments, "", context))
    }.depending(on: .zone).knownElsewhere(as: "concatenate"),
    own(
      .joined, "joined", [.collection, .text], .string,
      "the texts of a list or of a group, joined with a separator",
      ("joined({\"a\", \"b\"}, \", \")", "a, b")
    ) { (arguments, context) throws(EvaluationError) in
      if arguments[0].isNull { return .null }
      guard let elements = arguments[0].elements else {
        throw .wrongArgument(expected: "a list", arguments[0].kind)
      }
      return .string(try joined(elements, try arguments[1].text(), context))
    }.depending(on: .zone).ofGroups.knownElsewhere(as: "join"),
  ]

  /// Creates the body of a function of a string, which returns nil for nil.
  private static func ofText(_ body: @escaping @Sendable (String) -> Value) -> Body {
    unlessNil { (value, _) throws(EvaluationError) in body(try value.text()) }
  }

  /// Returns the parts of a text between separators.
  private static func parts(
    of text: Value, between separator: Value
  ) throws(EvaluationError) -> [Value] {
    let (text, separator) = (try text.text(), try separator.text())
    let parts = text.parts(between: separator) ?? text.components(separatedBy: separator)
    guard parts.count <= ValueLimit.elements else {
      throw .tooLarge(.elements(ValueLimit.elements))
    }
    return parts.map(Value.string)
  }

  /// Joins texts, and skips nil.
  private static func joined(
    _ values: [Value], _ separator: String, _ context: EvaluationContext
  ) throws(EvaluationError) -> String {
    var text = GrowingText()
    for (place, value) in values.lazy.filter({ !$0.isNull }).enumerated() {
      if place > 0 { try text.append(separator) }
      try value.describe(to: &text, in: context)
    }
    return text.text
  }
}

extension String {
  /// Returns the parts between separators, found byte by byte; nil if that is not possible.
  fileprivate func parts(between separator: String) -> [String]? {
    guard let separator = ByteSeparator(separator) else { return nil }
    var text = self
    return text.withUTF8 { bytes in
      var parts: [String] = []
      return separator.parts(of: bytes) { parts.append(String(decoding: bytes[$0], as: UTF8.self)) }
        ? parts : nil
    }
  }
}

extension Value {
  func text() throws(EvaluationError) -> String {
    guard let stringValue else { throw .wrongArgument(expected: "a string", kind) }
    return stringValue
  }

  func integer() throws(EvaluationError) -> Int64 {
    try evaluating { () throws(ValueError) in try wholeNumber() }
  }
}

extension String {
  /// Returns a number of UTF-16 units from an offset, without split characters at the ends.
  package func part(from start: Int64, count: Int64) -> String {
    let length = Int64(utf16.count)
    let first = min(max(start, 0), length)
    let last = min(first + min(max(count, 0), length), length)
    let from = utf16.index(utf16.startIndex, offsetBy: Int(first))
    let to = utf16.index(utf16.startIndex, offsetBy: Int(last))
    let (lower, upper) = (boundary(notBefore: from), boundary(notAfter: to))
    return lower < upper ? String(self[lower..<upper]) : ""
  }

  private func boundary(notAfter place: Index) -> Index {
    place == endIndex ? place : rangeOfComposedCharacterSequence(at: place).lowerBound
  }

  private func boundary(notBefore place: Index) -> Index {
    let below = boundary(notAfter: place)
    return below == place ? place : index(after: below)
  }
}
