// The part of a time of day that names its time zone, and forms with the year at the end.
extension FreeFormDate {
  /// Reads a time zone after a time, as its UTC offset in seconds; nil if there is none.
  ///
  ///     +0900   -08:00   Z   UTC   GMT+0900   EST   +0900 (JST)
  mutating func zone() throws(DateProblem) -> Int64? {
    let start = scanner.position
    scanner.skipBlanks()
    let named = scanner.skip(oneOf: Self.zones)
    let signed = (named ?? 0) == 0 ? try signedOffset() : nil
    guard let offset = signed ?? named.map({ Int64($0) * 3600 }) else {
      scanner.goBack(to: start)
      return nil
    }
    skipComment()
    return offset
  }

  /// The time zones that RFC 2822 names, and Japan's, in hours from UTC.
  private static let zones = [
    ("utc", 0), ("gmt", 0), ("ut", 0), ("z", 0), ("jst", 9), ("est", -5), ("edt", -4), ("cst", -6),
    ("cdt", -5),
    ("mst", -7), ("mdt", -6), ("pst", -8), ("pdt", -7),
  ]

  /// Reads `+0900`, `+09:00` or `+9`.
  private mutating func signedOffset() throws(DateProblem) -> Int64? {
    guard let sign = scanner.skip(separator: "+-"), let first = scanner.number() else { return nil }
    var (hour, minute) = (first.value, 0)
    if first.digits > 2 {
      guard first.digits == 4 else { throw .offset }
      (hour, minute) = (first.value / 100, first.value % 100)
    } else if scanner.skip(":") {
      guard let second = scanner.number(upTo: 2), second.digits == 2 else { throw .offset }
      minute = second.value
    }
    guard hour < 24, minute < 60 else { throw .offset }
    return Int64(hour * 3600 + minute * 60) * (sign == "-" ? -1 : 1)
  }

  /// Skips `(JST)`, a comment of RFC 2822.
  private mutating func skipComment() {
    let start = scanner.position
    scanner.skipBlanks()
    guard scanner.skip("(") else { return scanner.goBack(to: start) }
    while !scanner.isAtEnd, !scanner.skip(")") { scanner.skipOne() }
  }

  /// Reads `Aug 27 13:08:45 +0000 2008`, and the same without a zone; nil for any other form.
  mutating func endingWithYear() throws(DateProblem) -> (civil: CivilTime, offset: Int64?)? {
    let start = scanner.position
    guard let month = scanner.skip(oneOf: Self.months) else { return nil }
    scanner.skipBlanks()
    guard let day = scanner.number(upTo: 2), scanner.skip(" "),
      let clock = try clock(isBehindDay: false)
    else {
      scanner.goBack(to: start)
      return nil
    }
    let offset = try zone()
    let date = try CivilDate(year: try year(), month: month, day: day.value).checked()
    return (CivilTime(date, microsecondOfDay: clock), offset)
  }
}

// Days that are counted from today.
extension FreeFormDate {
  /// Reads `3日後`, `2週間前` or `3 days ago`; nil if a number does not begin such a day.
  mutating func countedDay() throws(DateProblem) -> CivilDate? {
    let start = scanner.position
    guard let count = scanner.number() else { return nil }
    scanner.skipBlanks()
    guard let unit = scanner.skip(oneOf: Self.units) else {
      scanner.goBack(to: start)
      return nil
    }
    scanner.skipBlanks()
    guard let sign = scanner.skip(oneOf: Self.directions) else {
      scanner.goBack(to: start)
      return nil
    }
    let today = try now(scanner.text(from: start))
    let amount = count.value * unit.count * sign
    let day =
      unit.isMonth
      ? today.adding(months: amount) : CivilDate(daysSince1970: today.daysSince1970 + amount)
    return try day.checked()
  }

  private struct Unit {
    var count: Int
    var isMonth = false
  }

  private static let units: [(String, Unit)] =
    ["日", "day", "days"].map { ($0, Unit(count: 1)) }
    + ["週間", "週", "week", "weeks"].map { ($0, Unit(count: 7)) }
    + ["か月", "カ月", "ヶ月", "ヵ月", "ケ月", "箇月", "month", "months"].map {
      ($0, Unit(count: 1, isMonth: true))
    }
    + ["年", "year", "years"].map { ($0, Unit(count: 12, isMonth: true)) }

  private static let directions = [("前", -1), ("後", 1), ("ago", -1), ("from now", 1), ("later", 1)]
}
