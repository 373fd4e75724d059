import KuraGraph

/// A set of Unicode scalars, as ascending ranges that do not touch.
struct ScalarSet: Hashable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>]
  /// The scalars for which ICU decides whether they belong to the set.
  private(set) var undecided: [ClosedRange<UInt32>] = []
  /// Whether no line feed may follow a scalar of this set.
  private(set) var isBeforeNoLineFeed = false

  static let last: UInt32 = 0x10FFFF

  init(_ ranges: [ClosedRange<UInt32>], undecided: [ClosedRange<UInt32>] = []) {
    self.ranges = Self.joined(ranges)
    self.undecided = Self.joined(undecided)
  }

  init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  private static func joined(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound &+ 1 {
        result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// `[^…]`
  var inverted: ScalarSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= ScalarSet.last { result.append(next...ScalarSet.last) }
    return ScalarSet(result, undecided: undecided)
  }

  func contains(_ scalar: UInt32) -> Bool { ranges.have(scalar) }

  /// Returns whether ICU decides about a scalar.
  func isUndecided(_ scalar: UInt32) -> Bool { undecided.have(scalar) }

  func without(_ scalar: Unicode.Scalar) -> ScalarSet {
    with(inverted.union(ScalarSet(scalar)).inverted)
  }

  func union(_ other: ScalarSet) -> ScalarSet {
    ScalarSet(ranges + other.ranges, undecided: undecided + other.undecided)
  }

  /// Returns the scalars that are in both sets.
  func intersection(_ other: ScalarSet) -> ScalarSet {
    with(inverted.union(other.inverted).inverted)
  }

  /// Returns the set without the scalars of another set, about which ICU decides.
  func leaving(_ open: ScalarSet) -> ScalarSet {
    var set = intersection(open.inverted)
    set.undecided = Self.joined(undecided + intersection(open).ranges)
    return set
  }

  private func with(_ changed: ScalarSet) -> ScalarSet {
    var set = changed
    set.isBeforeNoLineFeed = isBeforeNoLineFeed
    return set
  }

  /// The only scalar of the set; nil if there are more.
  var only: Unicode.Scalar? {
    guard undecided.isEmpty, !isBeforeNoLineFeed, ranges.count == 1, ranges[0].count == 1 else {
      return nil
    }
    return Unicode.Scalar(ranges[0].lowerBound)
  }
}

extension [ClosedRange<UInt32>] {
  /// Returns whether one of the ascending ranges contains a scalar.
  fileprivate func have(_ scalar: UInt32) -> Bool {
    let next = indices.partitioningIndex { self[$0].upperBound >= scalar }
    return next < endIndex && self[next].lowerBound <= scalar
  }
}

extension ScalarSet {
  /// All scalars, which a dot reads in `(?s)`.
  static let all = ScalarSet([0...last])

  /// The scalars that `.` always reads alone.
  static let notReturn = ScalarSet("\r").inverted

  /// The return that `.` reads alone; a return before a line feed is read with it.
  static let loneReturn: ScalarSet = {
    var set = ScalarSet("\r")
    set.isBeforeNoLineFeed = true
    return set
  }()

  /// Returns the set of `\d`, `\w`, `\s` or an opposite.
  static func named(_ letter: Unicode.Scalar) -> ScalarSet? {
    switch letter {
    case "d": digits
    case "w": word
    case "s": space
    case "D": digits.inverted
    case "W": word.inverted
    case "S": space.inverted
    default: nil
    }
  }
}

// Sets by property, as ICU's regular expressions define them
extension ScalarSet {
  /// `\w`
  static let word = ofProperty { scalar in
    switch scalar.properties.generalCategory {
    case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: true
    default:
      scalar.properties.isAlphabetic || scalar == "\u{200C}" || scalar == "\u{200D}"
    }
  }

  /// `\d`
  static let digits = ofProperty { $0.properties.generalCategory == .decimalNumber }

  /// `\s`
  static let space = ofProperty { $0.properties.isWhitespace }

  /// Marks and format characters, next to which the scalar before them decides about `\b`.
  static let combining = ofProperty {
    $0.properties.isGraphemeExtend || $0.properties.generalCategory == .format
  }

  /// The scalars of common texts: Latin, Greek, Cyrillic, Hebrew, symbols, Chinese, Japanese, Korean, emoji
  static let common: [ClosedRange<UInt32>] = [
    0...0x5FF, 0x2000...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
    0xFE00...0xFE0F, 0xFF00...0xFFEF, 0x1F000...0x1FAFF,
  ]

  /// Returns the scalars that have a property. Outside `common`, ICU decides.
  private static func ofProperty(_ has: (Unicode.Scalar) -> Bool) -> ScalarSet {
    var ranges: [ClosedRange<UInt32>] = []
    for range in common {
      // Ideographs and Hangul syllables have equal properties.
      let isUniform = [0x3400, 0x4E00, 0xAC00].contains(range.lowerBound)
      let step = isUniform ? range.count : 1
      for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
        guard let scalar = Unicode.Scalar(value), has(scalar) else { continue }
        ranges.append(value...value + UInt32(step - 1))
      }
    }
    return ScalarSet(ranges, undecided: ScalarSet(common).inverted.ranges)
  }
}
