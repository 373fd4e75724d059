/// Reads a date in free notation, in addition to the forms of documents.
///
///     2009年1月1日 9時30分   平成21年1月1日(木)   H21.1.1   20090101   午後3時   今日 18:00   3日後
///     20240131T101500Z   Tue, 02 Jan 2024 10:15:00 +0900   Wed Aug 27 13:08:45 +0000 2008
///
/// The text alone determines the meaning; words and times of day also depend on the current day.
/// The locale has no influence. A text with two possible meanings is an error.
struct FreeFormDate {
  var scanner: DateScanner
  /// The current day; nil if the text was written on an unknown day.
  let today: CivilDate?

  /// Reads the date and time of a text, and its distance from UTC in seconds if it has one. Throws the problem, or
  /// `notADate` if the text does not resemble a date.
  static func read(
    _ text: String, today: CivilDate?
  ) throws(DateProblem) -> (civil: CivilTime, offset: Int64?) {
    var reader = FreeFormDate(scanner: DateScanner(text), today: today)
    return try reader.read()
  }

  private mutating func read() throws(DateProblem) -> (civil: CivilTime, offset: Int64?) {
    scanner.skipBlanks()
    let first = weekday()
    if let moment = try endingWithYear() {
      try end(of: moment.civil.date, [first])
      return moment
    }
    let day = try day()
    let second = weekday()
    let clock = try clock(isBehindDay: day != nil)
    guard day != nil || (clock != nil && first == nil) else { throw .notADate }
    let offset = clock == nil || day == nil ? nil : try zone()
    let date: CivilDate
    if let day { date = day } else { date = try now("a time of day") }
    try end(of: date, [first, second])
    return (CivilTime(date, microsecondOfDay: clock ?? 0), offset)
  }

  /// Throws if more text follows, or if a weekday does not match the date.
  private mutating func end(of date: CivilDate, _ weekdays: [Int?]) throws(DateProblem) {
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw .trailing(at: scanner.position) }
    for written in weekdays {
      if let written, written != date.weekday { throw .weekday(written, of: date) }
    }
  }

  /// Returns the current day, which a word such as `today` needs; throws if it is not known.
  func now(_ word: String) throws(DateProblem) -> CivilDate {
    guard let today else { throw .relative(word) }
    return today
  }
}

extension FreeFormDate {
  /// Reads `(火)`, `火曜日` or `Tue,` as 1 for Sunday to 7; nil if there is no weekday.
  private mutating func weekday() -> Int? {
    let start = scanner.position
    scanner.skipBlanks()
    let isInBrackets = scanner.skip("(")
    if isInBrackets { scanner.skipBlanks() }
    let day = scanner.skip(oneOf: isInBrackets ? Self.shortWeekdays : Self.longWeekdays)
    if isInBrackets { scanner.skipBlanks() }
    guard let day, !isInBrackets || scanner.skip(")") else {
      scanner.goBack(to: start)
      return nil
    }
    _ = scanner.skip(separator: ".,")
    scanner.skipBlanks()
    return day
  }

  private static let kanji = zip("日月火水木金土", 1...).map { (String($0), $1) }
  private static let longWeekdays =
    kanji.map { ($0 + "曜日", $1) } + kanji.map { ($0 + "曜", $1) }
    + zip(DateProblem.weekdays.map { $0.lowercased() }, 1...).map { ($0, $1) }
    + zip(DateProblem.weekdays.map { String($0.lowercased().prefix(3)) }, 1...).map { ($0, $1) }
  private static let shortWeekdays = longWeekdays + kanji
}

extension Timestamp {
  /// Reads a moment in free notation, which includes all forms of documents.
  ///
  ///     try Timestamp(written: "平成21年1月1日 9:00", in: tokyo)
  ///     try Timestamp(written: "昨日", in: tokyo, now: .now)
  ///
  /// Without `now`, words such as 昨日 and times without a day are errors. Throws the problem.
  package init(
    written text: String, in zone: ZoneRules, now: Timestamp? = nil
  ) throws(DateProblem) {
    do {
      self = try Timestamp(text, in: zone)
    } catch {
      guard error.mayBeWrittenOtherwise else { throw error }
      let (civil, offset) = try zone.written(text, error, now)
      guard let moment = zone.moment(civil, offset: offset) else { throw .outOfRange }
      self = moment
    }
  }

  /// Reads a single word for a day, such as `today` or `明日`; nil for any other text.
  package init?(word: String, in zone: ZoneRules, now: Timestamp) {
    guard FreeFormDate.words.contains(where: { $0.0 == word }),
      let moment = try? Timestamp(written: word, in: zone, now: now)
    else { return nil }
    self = moment
  }
}

extension ZoneRules {
  /// Reads a text that is not a date in a document, for the given reason.
  fileprivate func written(
    _ text: String, _ problem: DateProblem, _ now: Timestamp?
  ) throws(DateProblem) -> (civil: CivilTime, offset: Int64?) {
    do {
      return try FreeFormDate.read(text, today: now.map { civil($0).date })
    } catch { throw error == .notADate ? problem : error }
  }

  /// Returns whether a text is a local time that does not exist in the zone, as at the start of
  /// daylight saving time.
  ///
  /// A day without a time always exists: it means its first moment.
  package func skips(written text: String, now: Timestamp? = nil) -> Bool {
    if (try? Timestamp(text, in: self)) != nil { return skips(text) }
    guard let (civil, offset) = try? written(text, .notADate, now), offset == nil,
      civil.microsecondOfDay > 0, let moment = moment(civil)
    else { return false }
    return self.civil(moment) != civil
  }
}

extension DateProblem {
  /// Whether the document reader found an unknown notation, instead of an error in a known one.
  fileprivate var mayBeWrittenOtherwise: Bool {
    switch self {
    case .notADate, .trailing: true
    default: false
    }
  }
}

extension FreeFormDate {
  /// Reads a time of day in microseconds; nil if there is none.
  ///
  ///     9:00   18:20:05.5   9時   9時半   9時30分   午後3時   3:15 PM   正午
  mutating func clock(isBehindDay: Bool) throws(DateProblem) -> Int64? {
    if isBehindDay, let time = try compactClock() { return time }
    skipToClock(isBehindDay)
    if scanner.skip("正午") { return 12 * Self.hour }
    let before = scanner.skip(oneOf: Self.japaneseHalves)
    scanner.skipBlanks()
    guard let hour = scanner.number(upTo: 2), let rest = try behindHour() else {
      if before != nil { throw .notADate }
      return nil
    }
    scanner.skipBlanks()
    let after = before == nil ? scanner.skip(oneOf: Self.englishHalves) : nil
    guard rest.isClock || after != nil else { throw .notADate }
    return Int64(try hourOfDay(hour.value, before ?? after)) * Self.hour + rest.microseconds
  }

  /// Reads `T101500` or `T1015` of ISO 8601 after a day, with a fraction; nil for other forms.
  private mutating func compactClock() throws(DateProblem) -> Int64? {
    let start = scanner.position
    guard scanner.skip("t"), let digits = scanner.number(upTo: 6), digits.digits % 2 == 0 else {
      scanner.goBack(to: start)
      return nil
    }
    guard digits.digits > 2 else {
      // `T10:15`
      scanner.goBack(to: start + 1)
      return nil
    }
    let (time, seconds) =
      digits.digits == 6 ? (digits.value / 100, digits.value % 100) : (digits.value, 0)
    guard time / 100 < 24 else { throw .hour(time / 100) }
    guard time % 100 < 60 else { throw .minute(time % 100) }
    guard seconds < 60 else { throw .second(seconds) }
    let fraction = digits.digits == 6 ? try fraction() : 0
    return Int64(time / 100) * Self.hour + Int64(time % 100) * Self.minute + Int64(seconds)
      * 1_000_000 + fraction
  }

  private static let hour: Int64 = 3_600_000_000
  private static let minute: Int64 = 60_000_000

  /// Skips the separator in `2011年1月13日、9時` or `January 13, 2011 at 9:30`.
  private mutating func skipToClock(_ isBehindDay: Bool) {
    scanner.skipBlanks()
    guard isBehindDay else { return }
    _ = scanner.skip(separator: ",、") != nil || scanner.skip(word: "at")
    scanner.skipBlanks()
  }

  /// The half of the day, and whether 12 o'clock is its beginning, as with AM and PM.
  private struct Half {
    var isSecond: Bool
    var isEnglish: Bool
  }

  private static let japaneseHalves = [
    ("午前", Half(isSecond: false, isEnglish: false)),
    ("午後", Half(isSecond: true, isEnglish: false)),
  ]
  private static let englishHalves = ["am", "a.m.", "pm", "p.m."].map {
    ($0, Half(isSecond: $0.hasPrefix("p"), isEnglish: true))
  }

  private func hourOfDay(_ hour: Int, _ half: Half?) throws(DateProblem) -> Int {
    guard let half else {
      guard hour < 24 else { throw .hour(hour) }
      return hour
    }
    guard hour <= 12 else { throw .hour(hour) }
    let start = half.isSecond ? 12 : 0
    if hour < 12 { return start + hour }
    // 午後12時 is midnight according to the law of 1872, and noon on most clocks.
    guard half.isEnglish else { throw .ambiguous(["\(start):00", "\(start + 12):00"]) }
    return start
  }

  /// Reads minutes and seconds after an hour; nil if nothing indicates an hour.
  private mutating func behindHour() throws(DateProblem) -> (microseconds: Int64, isClock: Bool)? {
    if scanner.skip(":") { return (try minutesAndSeconds(), true) }
    scanner.skipBlanks()
    if scanner.skip("時") { return (try kanjiMinutes(), true) }
    let start = scanner.position
    let isEnglish = scanner.skip(oneOf: Self.englishHalves) != nil
    scanner.goBack(to: start)
    return isEnglish ? (0, false) : nil
  }

  /// Reads `30`, `30:05` or `30:05.5`.
  private mutating func minutesAndSeconds() throws(DateProblem) -> Int64 {
    let result = Int64(try twoDigits(DateProblem.minute)) * Self.minute
    guard scanner.skip(":") else { return result }
    return result + Int64(try twoDigits(DateProblem.second)) * 1_000_000 + (try fraction())
  }

  private mutating func twoDigits(
    _ problem: (Int) -> DateProblem
  ) throws(DateProblem) -> Int {
    guard let number = scanner.number(upTo: 2), number.digits == 2 else {
      throw .trailing(at: scanner.position)
    }
    guard number.value < 60 else { throw problem(number.value) }
    return number.value
  }

  /// Reads a fraction. Digits after the sixth are dropped.
  private mutating func fraction() throws(DateProblem) -> Int64 {
    guard scanner.skip(".") else { return 0 }
    var result: Int64 = 0
    var unit: Int64 = 100_000
    let start = scanner.position
    while let digit = scanner.digit() {
      result += Int64(digit) * unit
      unit /= 10
    }
    guard scanner.position > start else { throw .trailing(at: start) }
    return result
  }

  /// Reads `半`, `30分`, `30分5秒`, or nothing.
  private mutating func kanjiMinutes() throws(DateProblem) -> Int64 {
    if scanner.skip("半") { return 30 * Self.minute }
    guard let minutes = try unit("分", DateProblem.minute) else { return 0 }
    let seconds = try unit("秒", DateProblem.second) ?? 0
    return Int64(minutes) * Self.minute + Int64(seconds) * 1_000_000
  }

  private mutating func unit(
    _ word: String, _ problem: (Int) -> DateProblem
  ) throws(DateProblem) -> Int? {
    let start = scanner.position
    scanner.skipBlanks()
    guard let number = scanner.number(upTo: 2) else {
      scanner.goBack(to: start)
      return nil
    }
    scanner.skipBlanks()
    guard scanner.skip(word) else { throw .trailing(at: scanner.position) }
    guard number.value < 60 else { throw problem(number.value) }
    return number.value
  }

  /// Reads a day; nil if there is none.
  mutating func day() throws(DateProblem) -> CivilDate? {
    let start = scanner.position
    if let days = scanner.skip(oneOf: Self.words) {
      let today = try now(scanner.text(from: start))
      return CivilDate(daysSince1970: today.daysSince1970 + days)
    }
    if let date = try eraDay() { return date }
    if let date = try englishDay() { return date }
    scanner.goBack(to: start)
    if let date = try countedDay() { return date }
    if scanner.skip("西暦") { scanner.skipBlanks() }
    guard let first = scanner.number(upTo: 8) else { return nil }
    if first.digits == 8 { return try compact(first.value) }
    if first.digits == 4 {
      let (month, day) = try monthAndDay()
      return try CivilDate(year: first.value, month: month, day: day).checked()
    }
    guard first.digits <= 2, let date = try beginningWithDay(first.value) else {
      scanner.goBack(to: start)
      return nil
    }
    return date
  }

  /// Words for days, with their distance from today.
  static let words = [
    ("today", 0), ("yesterday", -1), ("tomorrow", 1), ("今日", 0), ("本日", 0), ("昨日", -1),
    ("明日", 1), ("一昨日", -2), ("明後日", 2), ("きょう", 0), ("きのう", -1), ("あした", 1), ("あす", 1),
    ("おととい", -2), ("あさって", 2),
  ]

  /// Returns the day of `20090101`.
  private func compact(_ number: Int) throws(DateProblem) -> CivilDate {
    try CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100).checked()
  }

  /// Reads `年1月1日`, `/1/1`, `.1.1` or `-1-1` after a year.
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

  /// Reads the `日` of a day that requires it. A final period, as in `2009. 1. 1.`, is skipped.
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
extension FreeFormDate {
  /// Reads `平成21年1月1日` or `H21.1.1`.
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
extension FreeFormDate {
  /// Reads `1/2/2011`, `13.1.2011`, `7月20日` or `13 January 2011`; nil if the number does not begin
  /// a day.
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

  /// Reads a day and a month whose order the text does not determine.
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
    guard let date = readings.first else {
      // Throws what is wrong if the larger number is the day.
      return try CivilDate(year: last.value, month: min(first, second), day: max(first, second))
        .checked()
    }
    if readings.count == 2, first != second { throw .ambiguous(readings.map(Timestamp.text)) }
    return date
  }

  /// Reads `January 13, 2011`.
  private mutating func englishDay() throws(DateProblem) -> CivilDate? {
    guard let month = scanner.skip(oneOf: Self.months) else { return nil }
    _ = scanner.skip(".")
    scanner.skipBlanks()
    guard let day = scanner.number(upTo: 2) else { throw .notADate }
    ordinal()
    _ = scanner.skip(",")
    return try CivilDate(year: try year(), month: month, day: day.value).checked()
  }

  /// Skips the suffix of `1st`.
  private mutating func ordinal() {
    _ = scanner.skip(oneOf: [("st", 0), ("nd", 0), ("rd", 0), ("th", 0)])
    scanner.skipBlanks()
  }

  mutating func year() throws(DateProblem) -> Int {
    scanner.skipBlanks()
    guard let year = scanner.number() else { throw .notADate }
    guard year.digits == 4 else { throw .shortYear }
    return year.value
  }

  static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october",
    "november", "december",
  ]
  static let months: [(String, Int)] =
    zip(monthNames, 1...).map { ($0, $1) }
    + zip(monthNames, 1...).map { (String($0.prefix(3)), $1) }
    + [("sept", 9)]
}

extension DateMeaning {
  /// The words for a day, such as `yesterday` and `昨日`.
  package static var dayWords: [String] { FreeFormDate.words.map(\.0) }
}
