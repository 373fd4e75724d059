/// A set of Unicode scalars, as ascending ranges that do not touch.
struct ScalarSet: Hashable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>]
  /// Whether it is known for ASCII alone: `\d` beyond it is ICU's to say.
  var isASCIIOnly = false
  /// Whether no line feed may follow what it reads.
  private(set) var isBeforeNoLineFeed = false

  static let last: UInt32 = 0x10FFFF

  init(_ ranges: [ClosedRange<UInt32>]) {
    self.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound &+ 1 {
        let top = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound...top
      } else {
        self.ranges.append(range)
      }
    }
  }

  init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  /// `[^…]`
  var inverted: ScalarSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= ScalarSet.last { result.append(next...ScalarSet.last) }
    var set = ScalarSet(result)
    set.isASCIIOnly = isASCIIOnly
    return set
  }

  func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0 ~= scalar } }

  /// The others of it.
  func without(_ scalar: Unicode.Scalar) -> ScalarSet {
    var set = inverted.union(ScalarSet(scalar)).inverted
    set.isBeforeNoLineFeed = isBeforeNoLineFeed
    return set
  }

  func union(_ other: ScalarSet) -> ScalarSet {
    var set = ScalarSet(ranges + other.ranges)
    set.isASCIIOnly = isASCIIOnly || other.isASCIIOnly
    return set
  }

  /// The one scalar, if it is one.
  var only: Unicode.Scalar? {
    guard !isASCIIOnly, !isBeforeNoLineFeed, ranges.count == 1, ranges[0].count == 1 else {
      return nil
    }
    return Unicode.Scalar(ranges[0].lowerBound)
  }
}

extension ScalarSet {
  /// What `.` takes alone, wherever it stands.
  static let notReturn = ScalarSet("\r").inverted

  /// The return that `.` takes alone: one before a line feed it takes with that.
  static let loneReturn: ScalarSet = {
    var set = ScalarSet("\r")
    set.isBeforeNoLineFeed = true
    return set
  }()

  /// `\d`, `\w`, `\s` and their opposites
  static func named(_ letter: Unicode.Scalar) -> ScalarSet? {
    switch letter {
    case "d": asciiOnly([0x30...0x39])
    case "w": asciiOnly([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    case "s": asciiOnly([0x9...0xA, 0xC...0xD, 0x20...0x20])
    case "D": named("d")?.inverted
    case "W": named("w")?.inverted
    case "S": named("s")?.inverted
    default: nil
    }
  }

  private static func asciiOnly(_ ranges: [ClosedRange<UInt32>]) -> ScalarSet {
    var set = ScalarSet(ranges)
    set.isASCIIOnly = true
    return set
  }
}
