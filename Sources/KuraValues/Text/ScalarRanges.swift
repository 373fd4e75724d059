#if canImport(_FoundationICU)
  import _FoundationICU
#endif

/// Returns the ranges of a set of Unicode scalars in ICU's notation, ascending.
///
///     scalarRanges(of: "[\\p{Hiragana}]")?.first     // 0x3041...0x3096
///
/// Returns nil if the set is invalid or contains strings, and on platforms without the C functions of ICU.
package func scalarRanges(of set: String) -> [ClosedRange<UInt32>]? {
  #if canImport(_FoundationICU)
    let units = Array(set.utf16)
    var status = U_ZERO_ERROR
    guard let count = Int32(exactly: units.count),
      let handle = swift_uset_openPattern(units, count, &status)
    else { return nil }
    defer { swift_uset_close(handle) }
    guard status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
    var ranges: [ClosedRange<UInt32>] = []
    for item in 0..<swift_uset_getItemCount(handle) {
      var (first, last) = (UChar32(0), UChar32(0))
      let length = swift_uset_getItem(handle, item, &first, &last, nil, 0, &status)
      guard length == 0, first <= last else { return nil }
      ranges.append(UInt32(first)...UInt32(last))
    }
    return ranges
  #else
    return nil
  #endif
}
