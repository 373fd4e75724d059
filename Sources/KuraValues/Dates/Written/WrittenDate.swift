/// Reads a date as people write it, where a document's forms are not all.
///
///     2009年1月1日 9時30分   平成21年1月1日(木)   H21.1.1   20090101   午後3時   今日 18:00
///
/// What it means is decided by the text alone, and for words and times of day by the day on which they
/// are read: never by a locale. What may mean two days is refused.
struct WrittenDate {
  var scanner: DateScanner
  /// Today; nil where a text is read that was written on another day.
  let today: CivilDate?

  /// Calendar and clock. Throws what is wrong; `notADate` for what is written like none.
  static func read(
    _ text: String, today: CivilDate?
  ) throws(DateProblem) -> CivilTime {
    var reader = WrittenDate(scanner: DateScanner(text), today: today)
    return try reader.read()
  }

  private mutating func read() throws(DateProblem) -> CivilTime {
    scanner.skipBlanks()
    let first = weekday()
    let day = try day()
    let second = weekday()
    let clock = try clock(isBehindDay: day != nil)
    guard day != nil || (clock != nil && first == nil) else { throw .notADate }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw .trailing(at: scanner.position) }
    let date: CivilDate
    if let day { date = day } else { date = try now("a time of day") }
    for written in [first, second] {
      if let written, written != date.weekday { throw .weekday(written, of: date) }
    }
    return CivilTime(date, microsecondOfDay: clock ?? 0)
  }

  /// Today, which the word wants to know.
  func now(_ word: String) throws(DateProblem) -> CivilDate {
    guard let today else { throw .relative(word) }
    return today
  }
}

extension WrittenDate {
  /// `(火)`, `火曜日`, `Tue,`: 1 for Sunday to 7; nil where none stands.
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
  /// The moment that a text says as people write it; every form of a document is one of them.
  ///
  ///     try Timestamp(written: "平成21年1月1日 9:00", in: tokyo)
  ///     try Timestamp(written: "昨日", in: tokyo, now: .now)
  ///
  /// Without a `now` words such as 昨日 and bare times of day are refused. Throws what is wrong.
  package init(
    written text: String, in zone: ZoneRules, now: Timestamp? = nil
  ) throws(DateProblem) {
    do {
      self = try Timestamp(text, in: zone)
    } catch {
      guard error.mayBeWrittenOtherwise else { throw error }
      guard let moment = zone.moment(try zone.written(text, error, now)) else { throw .outOfRange }
      self = moment
    }
  }
}

extension Timestamp {
  /// The day that a word alone means, `today`, `明日`; nil for any other.
  package init?(word: String, in zone: ZoneRules, now: Timestamp) {
    guard WrittenDate.words.contains(where: { $0.0 == word }),
      let moment = try? Timestamp(written: word, in: zone, now: now)
    else { return nil }
    self = moment
  }
}

extension ZoneRules {
  /// Calendar and clock of a text that is no date in a document, for this reason.
  fileprivate func written(
    _ text: String, _ problem: DateProblem, _ now: Timestamp?
  ) throws(DateProblem) -> CivilTime {
    do {
      return try WrittenDate.read(text, today: now.map { civil($0).date })
    } catch { throw error == .notADate ? problem : error }
  }

  /// Whether a text is a time of day that the zone's clocks never show, as where summer time begins.
  ///
  /// A day alone means its first moment, whenever that is.
  package func skips(written text: String, now: Timestamp? = nil) -> Bool {
    if (try? Timestamp(text, in: self)) != nil { return skips(text) }
    guard let civil = try? written(text, .notADate, now), civil.microsecondOfDay > 0,
      let moment = moment(civil)
    else { return false }
    return self.civil(moment) != civil
  }
}

extension DateProblem {
  /// Whether a document's reader met what it does not know, and nothing that is wrong in what it does.
  fileprivate var mayBeWrittenOtherwise: Bool {
    switch self {
    case .notADate, .trailing: true
    default: false
    }
  }
}
