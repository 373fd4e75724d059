import Foundation
import KuraDiagnostics
package import KuraValues

// Kura's own: `format(date, "M月d日(E)")`
extension PredicateFunction {
  static let formats = [
    own(
      .format, "format", .optional([.any, .pattern, .locale], from: 2), .string,
      "a date or number as text, in a pattern or a style such as \"long\"",
      ("format(date(\"2021-07-20 18:20\"), \"M月d日(E) H:mm\")", "7月20日(火) 18:20")
    ) { (arguments, context) throws(EvaluationError) in
      if arguments[0].isNull { return .null }
      let format = try arguments[1].text()
      let chosen = context.writtenLocale.map { DatePattern.locale(chosen: $0, for: format) }
      let locale = arguments.count > 2 ? try arguments[2].locale() : chosen
      return .string(try arguments[0].text(format: format, locale, context))
    }.depending(on: [.zone, .locale])
  ]
}

extension FormatProblem {
  /// The names of locales or calendars that are similar to an unknown name.
  package var nearNames: String? {
    switch self {
    case .unknownLocale(let name):
      didYouMean(KuraDiagnostics.nearNames(to: name, among: LocaleName.known.sorted()))
    case .unknownCalendar(let name):
      didYouMean(KuraDiagnostics.nearNames(to: name, among: LocaleName.calendars.sorted()))
    default: nil
    }
  }
}

extension Value {
  /// Returns the locale that the text names.
  fileprivate func locale() throws(EvaluationError) -> Locale {
    let name = try text()
    do { return try LocaleName.locale(name) } catch { throw .badFormat(error) }
  }

  /// Formats a number, a date, or a text that is a date, with a pattern.
  fileprivate func text(
    format: String, _ locale: Locale?, _ context: EvaluationContext
  ) throws(EvaluationError) -> String {
    do {
      if let text = try numberText(format: format, locale) { return text }
    } catch { throw .badFormat(error) }
    guard kind == .date || kind == .string else {
      throw .wrongArgument(expected: "a date or a number", kind)
    }
    let moment = try date(in: context)
    do {
      return try moment.text(format: format, locale, in: context.zone)
    } catch { throw .badFormat(error) }
  }
}

// `CAST(x, "NSDate")`, `objectFrom:withIndex:(list, 1)`, `noindex(x)`
extension PredicateFunction {
  static let values = [
    now,
    cast,
    apple(
      .objectAtIndex, "objectFrom:withIndex:", [.collection, .any], .member,
      "an element of a list; also list[0]",
      ("objectFrom:withIndex:({7, 8}, 1)", "8")
    ) { (arguments, _) throws(EvaluationError) in try arguments[0].element(at: arguments[1]) },
    apple(
      .noindex, "noindex:", [.any], .argument,
      "the value itself; tells a store not to use an index",
      ("noindex(3)", "3")
    ) { arguments, _ in arguments[0] },
  ]

  private static let cast = apple(
    .cast, "castObject:toType:", [.any, .word(of: CastType.names)], .castTarget,
    "the value as another type; also CAST(x, \"NSNumber\")", ("CAST(\"42\", \"NSNumber\")", "42")
  ) { (arguments, context) throws(EvaluationError) in
    try CastType.cast(arguments[0], toType: try arguments[1].text(), context)
  }.depending(on: .zone)

  /// Kura's own: `coalesce(a, b)`
  static let ownValues = [
    own(
      .coalesce, "coalesce", .several(.any), .firstTyped, "the first value that is not nil",
      ("coalesce(nil, 3)", "3")
    ) { arguments, _ in arguments.first { !$0.isNull } ?? .null }
    .knownElsewhere(as: "ifnull", "nvl"),
    own(
      .uuid, "uuid", [], .uuid, "a new random UUID",
      ("uuid()", "4525460A-A64C-4002-8525-460AA64C3002")
    ) { _, context in .uuid(UUID(randomBits: (context.random(), context.random()))) }
    .depending(on: .chance).knownElsewhere(as: "newid", "gen_random_uuid", "uuidstring"),
    round,
  ]
}

extension UUID {
  /// Creates a UUID of version 4 (RFC 9562) from random bits.
  fileprivate init(randomBits bits: (UInt64, UInt64)) {
    let high = bits.0 & ~0xF000 | 0x4000
    let low = bits.1 & ~(0xC0 << 56) | 0x80 << 56
    func byte(_ word: UInt64, _ place: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(place)))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

extension Value {
  /// Returns the value as `description` prints it: a string as it is, YES as 1, a date in RFC 3339.
  func descriptionText(in context: EvaluationContext) throws(EvaluationError) -> String {
    var text = GrowingText()
    try describe(to: &text, in: context)
    return text.text
  }

  /// Appends the description to a text.
  func describe(
    to text: inout GrowingText, in context: EvaluationContext
  ) throws(EvaluationError) {
    switch self {
    case .list(let x): try Self.describe(x, to: &text, context)
    case .set(let x): try Self.describe(x.elements, to: &text, context)
    case .dictionary(let x): try Self.describe(x.values, to: &text, context)
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .object:
      try text.append(plainDescription(in: context))
    }
  }

  private static func describe(
    _ values: [Value], to text: inout GrowingText, _ context: EvaluationContext
  ) throws(EvaluationError) {
    try text.append("{")
    for (place, value) in values.enumerated() {
      try context.checkCancel()
      if place > 0 { try text.append(", ") }
      try value.describe(to: &text, in: context)
    }
    try text.append("}")
  }

  private func plainDescription(in context: EvaluationContext) -> String {
    switch self {
    case .null: "nil"
    case .boolean(let x): x ? "1" : "0"
    case .integer(let x): "\(x)"
    case .double(let x): NumberText.text(x)
    case .decimal(let x): NumberText.text(x)
    case .string(let x), .uri(let x): x
    case .date(let x): x.text(.rfc3339, in: context.zone)
    case .uuid(let x): x.uuidString
    case .binary(let x): Data(x).base64EncodedString()
    case .object(let x): x.id?.description ?? "object"
    case .list, .set, .dictionary: ""
    }
  }
}

/// A text under construction, with a maximum size.
struct GrowingText {
  private(set) var text = ""

  mutating func append(_ part: String) throws(EvaluationError) {
    guard text.utf8.count + part.utf8.count <= ValueLimit.bytes else {
      throw .tooLarge(.bytes(ValueLimit.bytes))
    }
    text += part
  }
}
