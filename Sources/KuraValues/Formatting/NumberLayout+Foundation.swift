#if !canImport(_FoundationICU)
  import Foundation

  /// A Foundation formatter, for platforms without direct access to ICU. Numbers have the precision
  /// of a double.
  final class NumberEngine {
    private let formatter = NumberFormatter()

    init(_ layout: NumberLayout) throws(FormatProblem) {
      formatter.locale = Locale(identifier: layout.locale)
      formatter.numberStyle = layout.style.foundation
      if let pattern = layout.pattern {
        let parts = pattern.split(separator: ";", maxSplits: 1).map(String.init)
        formatter.positiveFormat = parts[0]
        if parts.count > 1 { formatter.negativeFormat = parts[1] }
      }
      if case .currency(let code?)? = layout.style { formatter.currencyCode = code }
      formatter.roundingMode = .halfUp
      if layout.style == .decimal { formatter.maximumFractionDigits = 340 }
    }

    func text(_ digits: String) -> String {
      formatter.string(from: NSDecimalNumber(string: digits)) ?? digits
    }
  }

  extension NumberStyle? {
    fileprivate var foundation: NumberFormatter.Style {
      switch self {
      case nil, .decimal: .decimal
      case .percent: .percent
      case .currency: .currency
      case .scientific: .scientific
      case .spellout: .spellOut
      }
    }
  }
#endif

#if canImport(_FoundationICU)
  import _FoundationICU

  /// An ICU formatter for numbers of any length; Foundation's own converts them to doubles.
  ///
  /// The C functions have the prefix of the ICU copy in Foundation.
  final class NumberEngine {
    private let handle: UnsafeMutablePointer<UNumberFormat?>

    init(_ layout: NumberLayout) throws(FormatProblem) {
      let units = Array((layout.pattern ?? "").utf16)
      var place = UParseError()
      var status = U_ZERO_ERROR
      guard
        let handle = swift_unum_open(
          layout.style.kind, units, Int32(clamping: units.count), layout.locale, &place, &status),
        status.rawValue <= U_ZERO_ERROR.rawValue
      else { throw .malformed }
      self.handle = handle
      if case .currency(let code?)? = layout.style { setCurrency(code) }
      // Halves round away from zero, as in round().
      swift_unum_setAttribute(handle, UNUM_ROUNDING_MODE, Int32(UNUM_ROUND_HALFUP.rawValue))
      if layout.style == .decimal { keepDigits() }
    }

    deinit { swift_unum_close(handle) }

    /// Removes the default limit of three fraction digits, so that all digits of a value are
    /// written.
    private func keepDigits() {
      swift_unum_setAttribute(handle, UNUM_SIGNIFICANT_DIGITS_USED, 1)
      swift_unum_setAttribute(handle, UNUM_MIN_SIGNIFICANT_DIGITS, 1)
      swift_unum_setAttribute(handle, UNUM_MAX_SIGNIFICANT_DIGITS, 400)
    }

    private func setCurrency(_ code: String) {
      let units = Array(code.utf16)
      var status = U_ZERO_ERROR
      swift_unum_setTextAttribute(
        handle, UNUM_CURRENCY_CODE, units, Int32(clamping: units.count), &status)
    }

    func text(_ digits: String) -> String {
      let digits = Array(digits.utf8CString)
      var units = [UInt16](repeating: 0, count: digits.count * 2 + 64)
      var length = write(digits, &units)
      if length > units.count {
        units = [UInt16](repeating: 0, count: length)
        length = write(digits, &units)
      }
      return String(decoding: units.prefix(max(0, length)), as: UTF16.self)
    }

    private func write(_ digits: [CChar], _ units: inout [UInt16]) -> Int {
      var status = U_ZERO_ERROR
      return Int(
        swift_unum_formatDecimal(
          handle, digits, Int32(clamping: digits.count - 1), &units, Int32(clamping: units.count),
          nil, &status))
    }
  }

  extension NumberStyle? {
    fileprivate var kind: UNumberFormatStyle {
      switch self {
      case nil: UNUM_PATTERN_DECIMAL
      case .decimal: UNUM_DECIMAL
      case .percent: UNUM_PERCENT
      case .currency: UNUM_CURRENCY
      case .scientific: UNUM_SCIENTIFIC
      case .spellout: UNUM_SPELLOUT
      }
    }
  }
#endif

/// A number format of the locale: `decimal`, `currency JPY`.
package enum NumberStyle: Sendable, Hashable {
  /// `1,234.5`
  case decimal
  /// `12 %`
  case percent
  /// `¥1,234`, in the currency of the locale or of a code
  case currency(String?)
  /// `1.2345E3`
  case scientific
  /// `千二百三十四`
  case spellout

  /// Parses a style such as `decimal` or `Currency JPY`; nil for any other text.
  package init?(_ text: String) throws(FormatProblem) {
    let words = text.split(separator: " ").map { $0.lowercased() }
    switch words.first {
    case "currency" where words.count <= 2:
      let code = words.count == 2 ? words[1].uppercased() : nil
      if let code, !Self.isCurrency(code) { throw .unknownCurrency(code) }
      self = .currency(code)
    case "decimal" where words.count == 1: self = .decimal
    case "percent" where words.count == 1: self = .percent
    case "scientific" where words.count == 1: self = .scientific
    case "spellout" where words.count == 1: self = .spellout
    default: return nil
    }
  }

  static let words = "decimal percent currency scientific spellout"

  private static func isCurrency(_ code: String) -> Bool {
    code.utf8.count == 3 && code.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
  }
}

/// The symbols of a number pattern, as defined by Unicode Technical Standard 35.
enum NumberPattern {
  /// Throws if a pattern would show nothing of a number.
  static func check(_ pattern: String) throws(FormatProblem) {
    guard pattern.utf8.count <= FormatProblem.longest else { throw .tooLong }
    var isQuoted = false
    var hasDigit = false
    for character in pattern {
      if character == "'" { isQuoted.toggle() }
      if !isQuoted, "#@0123456789".contains(character) { hasDigit = true }
    }
    if isQuoted { throw .openQuote }
    if !hasDigit { throw .noField(.number) }
  }
}
