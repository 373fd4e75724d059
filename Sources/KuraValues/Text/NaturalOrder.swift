package import Foundation

/// The order of a file browser: digits by their value, case and width aside.
///
///     NaturalOrder.compare("Note 9", "note 10", [], Locale(identifier: "en"))   // .before
///
/// It is that of Foundation's `localizedStandardCompare(_:)`, in a locale of one's own.
package enum NaturalOrder {
  /// Compares two strings; only the same scalars are `.same`.
  ///
  /// Under `[d]` marks come last, as case does; other options say nothing new.
  package static func compare(
    _ a: String, _ b: String, _ options: TextOptions, _ locale: Locale
  ) -> ValueOrder {
    var compare: String.CompareOptions = [
      .numeric, .caseInsensitive, .widthInsensitive, .forcedOrdering,
    ]
    if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
    let order = a.compare(b, options: compare, range: nil, locale: locale)
    let result = ValueOrder(rawValue: order.rawValue) ?? .same
    return result == .same ? Bytes.compare(a, b) : result
  }
}
