import KuraDiagnostics
import KuraValues

/// The number of values in each of several ranges of equal width.
struct Histogram {
  /// The ranges from the first to the last, including empty ones.
  let bars: [(label: String, count: Int)]
}

extension Histogram {
  /// The maximum number of ranges.
  private static let most = 20

  /// Creates ranges of numbers, 1, 2 or 5 times a power of ten wide; nil if the numbers are too far
  /// apart or all equal.
  init?(numbers: [Double]) {
    guard let least = numbers.min(), let greatest = numbers.max(),
      abs(least) < 1e15, abs(greatest) < 1e15
    else { return nil }
    let areWhole = numbers.allSatisfy { $0 == $0.rounded() }
    guard areWhole || least < greatest else { return nil }
    let step = NumberStep(spanning: least...greatest, areWhole: areWhole, most: Self.most)
    bars = Self.counted(numbers.map(step.place)) { step.label($0) }
  }

  /// Creates ranges of dates: hours, days, months or years of the zone, or several of them.
  init?(dates: [Timestamp], in zone: ZoneRules) {
    let times = dates.map(zone.civil)
    guard let least = times.min(by: Self.isBefore), let greatest = times.max(by: Self.isBefore),
      let step = DateStep.all(areDays: times.allSatisfy { $0.microsecondOfDay == 0 }).first(where: {
        $0.place(of: greatest) - $0.place(of: least) < Self.most
      })
    else { return nil }
    bars = Self.counted(times.map(step.place)) { step.label($0) }
  }

  private static func isBefore(_ a: CivilTime, _ b: CivilTime) -> Bool {
    a.microseconds < b.microseconds
  }

  private static func counted(
    _ places: [Int], _ label: (Int) -> String
  ) -> [(label: String, count: Int)] {
    guard let first = places.min(), let last = places.max() else { return [] }
    var counts = Array(repeating: 0, count: last - first + 1)
    for place in places { counts[place - first] += 1 }
    return counts.enumerated().map { (label(first + $0), $1) }
  }
}

/// The width of ranges of numbers.
private struct NumberStep {
  private var mantissa = 1.0
  private var exponent = 0
  private let areWhole: Bool

  init(spanning range: ClosedRange<Double>, areWhole: Bool, most: Int) {
    self.areWhole = areWhole
    if !areWhole {
      let span = range.upperBound - range.lowerBound
      let largest = max(abs(range.lowerBound), abs(range.upperBound))
      // Ranges are counted from zero, and a double is exact only up to a limit.
      while exponent > -12, width * Double(most) > span, largest / width < 1e14 { exponent -= 1 }
    }
    while place(range.upperBound) - place(range.lowerBound) >= most { widen() }
  }

  private mutating func widen() {
    switch mantissa {
    case 1: mantissa = 2
    case 2: mantissa = 5
    default: (mantissa, exponent) = (1, exponent + 1)
    }
  }

  private var power: Double {
    (0..<abs(exponent)).reduce(1) { power, _ in power * 10 }
  }

  private var width: Double { exponent < 0 ? mantissa / power : mantissa * power }

  func place(_ number: Double) -> Int { Int((number / width).rounded(.down)) }

  /// Returns `10 – 19` for integers, including both ends; `0.5 – 1.0` without the second.
  func label(_ place: Int) -> String {
    if areWhole, width == 1 { return number(place) }
    guard areWhole else { return "\(number(place)) – \(number(place + 1))" }
    return "\(number(place)) – \(Int((Double(place + 1) * width).rounded()) - 1)"
  }

  /// Returns a bound as a decimal, without the noise of binary fractions.
  private func number(_ place: Int) -> String {
    guard exponent < 0 else { return String(Int((Double(place) * width).rounded())) }
    let digits = String(abs(place) * Int(mantissa))
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return (place < 0 ? "-" : "") + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
  }
}

/// The width of ranges of dates.
private enum DateStep {
  case months(Int)
  case microseconds(Int64)

  /// Returns the steps from the narrowest to the widest; without parts of a day if all dates are
  /// days.
  static func all(areDays: Bool) -> [DateStep] {
    let parts: [Int64] = areDays ? [] : [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200]
    let seconds = parts + [day, 7 * day]
    let months = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000]
    return seconds.map { .microseconds($0 * 1_000_000) } + months.map { .months($0) }
  }

  private static let day: Int64 = 86_400
  /// Weeks begin on Mondays: 1970-01-01 was a Thursday.
  private static let toMonday = 3 * day * 1_000_000

  private static func shift(_ width: Int64) -> Int64 {
    width == 7 * day * 1_000_000 ? toMonday : 0
  }
}

extension DateStep {
  func place(of time: CivilTime) -> Int {
    switch self {
    case .months(let count):
      Int(
        Int64(time.date.year * 12 + time.date.month - 1).flooringDivision(by: Int64(count)).quotient
      )
    case .microseconds(let count):
      Int((time.microseconds + Self.shift(count)).flooringDivision(by: count).quotient)
    }
  }

  /// Returns `2010`, `2010 – 2014`, `2010-07`, `2010-07-20`, `2010-07-20 18:00`.
  func label(_ place: Int) -> String {
    switch self {
    case .months(let count):
      let (first, last) = (place * count, place * count + count - 1)
      if count % 12 == 0 { return Self.range(Self.year(first), Self.year(last)) }
      return Self.range(Self.month(first), Self.month(last))
    case .microseconds(let count):
      let (first, days) = (Int64(place) * count - Self.shift(count), count / (Self.day * 1_000_000))
      guard days > 0 else { return Self.time(CivilTime(microseconds: first)) }
      let last = CivilTime(microseconds: first + count - 1)
      return Self.range(Self.date(CivilTime(microseconds: first)), Self.date(last))
    }
  }

  private static func range(_ a: String, _ b: String) -> String { a == b ? a : "\(a) – \(b)" }

  private static func year(_ month: Int) -> String { padded(month / 12, 4) }

  private static func month(_ month: Int) -> String {
    "\(year(month))-\(padded(month % 12 + 1, 2))"
  }

  private static func date(_ time: CivilTime) -> String {
    "\(month(time.date.year * 12 + time.date.month - 1))-\(padded(time.date.day, 2))"
  }

  private static func time(_ time: CivilTime) -> String {
    let seconds = time.second == 0 ? "" : ":" + padded(time.second, 2)
    return "\(date(time)) \(padded(time.hour, 2)):\(padded(time.minute, 2))\(seconds)"
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
