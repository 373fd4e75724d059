#if !canImport(_FoundationICU)
  import Foundation

  /// A formatter of Foundation's, where ICU cannot be had itself: numbers have a double's digits.
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

    /// The number that the digits write.
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
