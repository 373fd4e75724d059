import KuraGraph
import KuraValues

/// A set of Unicode scalars, as ascending ranges that do not touch.
struct ScalarSet: Hashable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>]
  /// Whether no line feed may follow a scalar of this set.
  private(set) var isBeforeNoLineFeed = false

  static let last: UInt32 = 0x10FFFF

  init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = Self.joined(ranges) }

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
    return ScalarSet(result)
  }

  func contains(_ scalar: UInt32) -> Bool {
    let next = ranges.indices.partitioningIndex { ranges[$0].upperBound >= scalar }
    return next < ranges.endIndex && ranges[next].lowerBound <= scalar
  }

  func without(_ scalar: Unicode.Scalar) -> ScalarSet {
    with(inverted.union(ScalarSet(scalar)).inverted)
  }

  func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

  /// Returns the scalars that are in both sets.
  func intersection(_ other: ScalarSet) -> ScalarSet {
    with(inverted.union(other.inverted).inverted)
  }

  private func with(_ changed: ScalarSet) -> ScalarSet {
    var set = changed
    set.isBeforeNoLineFeed = isBeforeNoLineFeed
    return set
  }

  /// The only scalar of the set; nil if there are more.
  var only: Unicode.Scalar? {
    guard !isBeforeNoLineFeed, ranges.count == 1, ranges[0].count == 1 else {
      return nil
    }
    return Unicode.Scalar(ranges[0].lowerBound)
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
    case "D": digits?.inverted
    case "W": word?.inverted
    case "S": space?.inverted
    default: nil
    }
  }
}

// Sets by property, as ICU's regular expressions define them; nil on platforms without ICU's functions
extension ScalarSet {
  /// `\w`
  static let word = ScalarSet(property: "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]")

  /// `\d`
  static let digits = ScalarSet(property: "[\\p{Nd}]")

  /// `\s`
  static let space = ScalarSet(property: "[\\p{WhiteSpace}]")

  /// Marks and format characters, next to which the scalar before them decides about `\b`.
  static let combining = ScalarSet(property: "[\\p{Grapheme_Extend}\\p{Cf}]")

  /// The scalars that have case variants.
  static let cased = ScalarSet(
    property: "[\\p{Changes_When_Casefolded}\\p{Changes_When_Casemapped}]")

  /// Creates a set in ICU's notation; nil if it is invalid.
  init?(property: String) {
    guard let ranges = scalarRanges(of: property) else { return nil }
    self.init(ranges)
  }
}
