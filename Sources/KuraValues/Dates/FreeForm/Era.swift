/// An era of the Japanese calendar since the introduction of one era per emperor.
package struct Era: Sendable, Hashable {
  /// `平成`
  package let name: String
  /// `h`, `平`, `㍻`
  let shortNames: [String]
  /// Its first day. The era ends before the first day of the next one.
  let start: CivilDate

  /// All eras, newest first.
  static let all = [
    Era(name: "令和", shortNames: ["令", "㋿", "r"], start: CivilDate(year: 2019, month: 5, day: 1)),
    Era(name: "平成", shortNames: ["平", "㍻", "h"], start: CivilDate(year: 1989, month: 1, day: 8)),
    Era(name: "昭和", shortNames: ["昭", "㍼", "s"], start: CivilDate(year: 1926, month: 12, day: 25)),
    Era(name: "大正", shortNames: ["大", "㍽", "t"], start: CivilDate(year: 1912, month: 7, day: 30)),
    Era(name: "明治", shortNames: ["明", "㍾", "m"], start: CivilDate(year: 1868, month: 1, day: 25)),
  ]

  /// Returns the era of a day; nil before the first one.
  static func of(_ day: CivilDate) -> Era? {
    all.first { $0.start.daysSince1970 <= day.daysSince1970 }
  }

  /// Returns the Gregorian year for a year of the era.
  func year(_ year: Int) -> Int { start.year + year - 1 }
}

extension CivilDate {
  /// The day in its era, such as `令和10年1月1日`, or `1867-01-01` before all eras.
  package var eraText: String {
    guard let era = Era.of(self) else { return Timestamp.text(of: self) }
    let count = year - era.start.year + 1
    return "\(era.name)\(count == 1 ? "元" : String(count))年\(month)月\(day)日"
  }
}
