package import Foundation

extension Value {
  /// Returns a number in a pattern or a named style, with the symbols of a locale; nil for other
  /// values.
  ///
  ///     try Value.double(1234.5).numberText(format: "#,##0.00", nil)   // 1,234.50
  package func numberText(
    format: String, _ locale: Locale?
  ) throws(FormatProblem) -> String? {
    guard let digits = formattedDigits else { return nil }
    let style = try NumberStyle(format)
    let layout = NumberLayout(
      pattern: style == nil ? format : nil, style: style, locale: locale?.identifier ?? "en_US")
    return try layout.text(digits)
  }

  /// Returns a number in a style; nil for other values.
  package func numberText(_ style: NumberStyle, _ locale: Locale) throws(FormatProblem) -> String? {
    guard let digits = formattedDigits else { return nil }
    return try NumberLayout(pattern: nil, style: style, locale: locale.identifier).text(digits)
  }

  /// All digits of a number.
  private var formattedDigits: String? {
    switch self {
    case .integer(let x): "\(x)"
    case .double(let x): x.isFinite ? x.description : nil
    case .decimal(let x): x.isNaN ? nil : NumberText.text(x)
    case .null, .boolean, .string, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
      nil
    }
  }
}

/// The settings of a number formatter.
struct NumberLayout: Hashable, Sendable {
  var pattern: String?
  var style: NumberStyle?
  var locale: String

  private static let pools = FormatterPools<NumberLayout, NumberEngine>()

  /// Returns the formatted number; throws if the pattern is invalid.
  func text(_ digits: String) throws(FormatProblem) -> String {
    try Self.pools.pool(self).with { () throws(FormatProblem) in
      if let pattern { try NumberPattern.check(pattern) }
      return try NumberEngine(self)
    } _: {
      $0.text(digits)
    }
  }
}
