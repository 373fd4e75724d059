// Doubles below 2^51 as whole numbers, by additions alone, which a core does for several at once.
extension Lane<Double> {
  func rounded(_ rule: FloatingPointRoundingRule) -> Lane<Int64> {
    switch rule {
    case .down: map { $0.wholeBelow.smallInteger }
    case .up: map { $0.wholeAbove.smallInteger }
    case .towardZero: map { $0.wholeTowardZero.smallInteger }
    default: map { $0.nearestWhole.smallInteger }
    }
  }
}

extension Double {
  /// Beside this number doubles have no fraction: what is added to it is rounded.
  private static var large: Double { 0x1.8p52 }

  @inline(__always)
  private var nearOne: Double { (self + Self.large) - Self.large }

  @inline(__always)
  fileprivate var wholeBelow: Double {
    let near = nearOne
    return near > self ? near - 1 : near
  }

  @inline(__always)
  fileprivate var wholeAbove: Double {
    let near = nearOne
    return near < self ? near + 1 : near
  }

  @inline(__always)
  fileprivate var wholeTowardZero: Double { self < 0 ? wholeAbove : wholeBelow }

  /// Halves go away from zero: what is below a half by the least step is added, so that no other number
  /// reaches the next.
  @inline(__always)
  fileprivate var nearestWhole: Double {
    let raised = magnitude + 0.5.nextDown
    let near = (raised + Self.large) - Self.large
    let whole = near > raised ? near - 1 : near
    return self < 0 ? -whole : whole
  }

  /// The integer that a whole number is.
  @inline(__always)
  fileprivate var smallInteger: Int64 {
    Int64(bitPattern: (self + Self.large).bitPattern)
      &- Int64(bitPattern: Self.large.bitPattern)
  }
}
