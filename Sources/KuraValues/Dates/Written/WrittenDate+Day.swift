extension WrittenDate {
  /// The day that stands here; nil where none begins.
  mutating func day() throws(DateProblem) -> CivilDate? {
    let start = scanner.position
    if let days = scanner.skip(oneOf: Self.words) {
      let today = try now(scanner.text(from: start))
      return CivilDate(daysSince1970: today.daysSince1970 + days)
    }
    if let date = try eraDay() { return date }
    if let date = try englishDay() { return date }
    scanner.goBack(to: start)
    guard let first = scanner.number(upTo: 8) else { return nil }
    if first.digits == 8 { return try compact(first.value) }
    if first.digits == 4 { return try parts { (year: first.value, month: $0, day: $1) } }
    guard first.digits <= 2, let date = try beginningWithDay(first.value) else {
      scanner.goBack(to: start)
      return nil
    }
    return date
  }

  /// How many days from today.
  static let words = [
    ("today", 0), ("yesterday", -1), ("tomorrow", 1), ("今日", 0), ("本日", 0), ("昨日", -1),
    ("明日", 1), ("一昨日", -2), ("明後日", 2), ("きょう", 0), ("きのう", -1), ("あした", 1), ("あす", 1),
  ]

  /// `20090101`
  private func compact(_ number: Int) throws(DateProblem) -> CivilDate {
    try CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100).checked()
  }

  /// `年1月1日`, `/1/1`, `.1.1`, `-1-1` behind a year.
  private mutating func parts(
    _ date: (Int, Int) -> (year: Int, month: Int, day: Int)
  ) throws(DateProblem) -> CivilDate {
    let (month, day) = try monthAndDay()
    let numbers = date(month, day)
    return try CivilDate(year: numbers.year, month: numbers.month, day: numbers.day).checked()
  }

  private mutating func monthAndDay() throws(DateProblem) -> (Int, Int) {
    scanner.skipBlanks()
    guard let separator = scanner.skip(separator: "年/.-") else { throw .notADate }
    let month = try part()
    scanner.skipBlanks()
    if separator == "年" {
      guard scanner.skip("月") else { throw .missingDay }
    } else {
      guard scanner.skip(String(separator)) else { throw .missingDay }
    }
    let day = try part()
    try endDay(separator)
    return (month, day)
  }

  private mutating func part() throws(DateProblem) -> Int {
    scanner.skipBlanks()
    if scanner.isAtEnd { throw .missingDay }
    guard let number = scanner.number(upTo: 2) else { throw .notADate }
    return number.value
  }

  /// `日` where a day is written with it; a last point, as in `2009. 1. 1.`, is no more than that.
  private mutating func endDay(_ separator: Unicode.Scalar) throws(DateProblem) {
    let end = scanner.position
    scanner.skipBlanks()
    if separator == "年" {
      guard scanner.skip("日") else { throw .notADate }
    } else if separator != "." || !scanner.skip(".") {
      scanner.goBack(to: end)
    }
  }
}

// Eras
extension WrittenDate {
  /// `平成21年1月1日`, `H21.1.1`
  private mutating func eraDay() throws(DateProblem) -> CivilDate? {
    let start = scanner.position
    for era in Era.all {
      for name in [era.name] + era.shortNames {
        scanner.goBack(to: start)
        guard scanner.skip(name), let year = eraYear() else { continue }
        return try day(of: era, year, from: start)
      }
    }
    scanner.goBack(to: start)
    return nil
  }

  private mutating func eraYear() -> Int? {
    scanner.skipBlanks()
    return scanner.skip("元") ? 1 : scanner.number(upTo: 4)?.value
  }

  private mutating func day(
    of era: Era, _ year: Int, from start: Int
  ) throws(DateProblem) -> CivilDate {
    let (month, day) = try monthAndDay()
    let date = try CivilDate(year: era.year(year), month: month, day: day).checked()
    guard Era.of(date) == era else {
      throw .outsideEra(scanner.text(from: start).uppercased(), date)
    }
    return date
  }
}

// Dates that do not begin with the year
extension WrittenDate {
  /// `1/2/2011`, `13.1.2011`, `7月20日`, `13 January 2011`; nil where the number begins no day.
  private mutating func beginningWithDay(_ first: Int) throws(DateProblem) -> CivilDate? {
    scanner.skipBlanks()
    if scanner.skip("月") {
      throw .missingYear(month: first, day: (try? part()) ?? 1)
    }
    if let separator = scanner.skip(separator: "/.-") { return try unordered(first, separator) }
    ordinal()
    guard let month = scanner.skip(oneOf: Self.months) else { return nil }
    _ = scanner.skip(separator: ".,")
    return try CivilDate(year: try year(), month: month, day: first).checked()
  }

  /// A day and a month in an order that the text does not say.
  private mutating func unordered(
    _ first: Int, _ separator: Unicode.Scalar
  ) throws(DateProblem) -> CivilDate {
    let second = try part()
    scanner.skipBlanks()
    guard scanner.skip(String(separator)) else {
      throw .missingYear(month: first, day: second)
    }
    scanner.skipBlanks()
    guard let last = scanner.number() else { throw .notADate }
    guard last.digits == 4 else { throw .shortYear }
    let readings = [(first, second), (second, first)].compactMap {
      try? CivilDate(year: last.value, month: $0.0, day: $0.1).checked()
    }
    guard let date = readings.first else { throw .month(max(first, second)) }
    if readings.count == 2, first != second { throw .ambiguous(readings.map(Timestamp.text)) }
    return date
  }

  /// `January 13, 2011`
  private mutating func englishDay() throws(DateProblem) -> CivilDate? {
    guard let month = scanner.skip(oneOf: Self.months) else { return nil }
    _ = scanner.skip(".")
    scanner.skipBlanks()
    guard let day = scanner.number(upTo: 2) else { throw .notADate }
    ordinal()
    _ = scanner.skip(",")
    return try CivilDate(year: try year(), month: month, day: day.value).checked()
  }

  /// `1st`
  private mutating func ordinal() {
    _ = scanner.skip(oneOf: [("st", 0), ("nd", 0), ("rd", 0), ("th", 0)])
    scanner.skipBlanks()
  }

  private mutating func year() throws(DateProblem) -> Int {
    scanner.skipBlanks()
    guard let year = scanner.number() else { throw .notADate }
    guard year.digits == 4 else { throw .shortYear }
    return year.value
  }

  private static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october",
    "november", "december",
  ]
  private static let months: [(String, Int)] =
    zip(monthNames, 1...).map { ($0, $1) }
    + zip(monthNames, 1...).map { (String($0.prefix(3)), $1) }
    + [("sept", 9)]
}

extension DateMeaning {
  /// The words that stand for a day: `yesterday`, `昨日`.
  package static var dayWords: [String] { WrittenDate.words.map(\.0) }
}
