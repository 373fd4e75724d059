extension WrittenDate {
  /// The time of day that stands here, in microseconds; nil where none begins.
  ///
  ///     9:00   18:20:05.5   9時   9時半   9時30分   午後3時   3:15 PM   正午
  mutating func clock(isBehindDay: Bool) throws(DateProblem) -> Int64? {
    skipToClock(isBehindDay)
    if scanner.skip("正午") { return 12 * Self.hour }
    let before = scanner.skip(oneOf: Self.japaneseHalves)
    scanner.skipBlanks()
    guard let hour = scanner.number(upTo: 2), let rest = try behindHour() else {
      if before != nil { throw .notADate }
      return nil
    }
    scanner.skipBlanks()
    let behind = before == nil ? scanner.skip(oneOf: Self.englishHalves) : nil
    guard rest.isClock || behind != nil else { throw .notADate }
    return Int64(try hourOfDay(hour.value, before ?? behind)) * Self.hour + rest.microseconds
  }

  private static let hour: Int64 = 3_600_000_000
  private static let minute: Int64 = 60_000_000

  /// `2011年1月13日、9時`, `January 13, 2011 at 9:30`
  private mutating func skipToClock(_ isBehindDay: Bool) {
    scanner.skipBlanks()
    guard isBehindDay else { return }
    _ = scanner.skip(separator: ",、") != nil || scanner.skip(word: "at")
    scanner.skipBlanks()
  }
}

extension WrittenDate {
  /// Which half of the day, and whether its 12 o'clock means its beginning, as with AM and PM.
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
    // 午後12時 is midnight by the law of 1872, and noon on most clocks.
    guard half.isEnglish else { throw .ambiguous(["\(start):00", "\(start + 12):00"]) }
    return start
  }

  /// Minutes and seconds behind an hour; nil where nothing shows that it is one.
  private mutating func behindHour() throws(DateProblem) -> (microseconds: Int64, isClock: Bool)? {
    if scanner.skip(":") { return (try minutesAndSeconds(), true) }
    scanner.skipBlanks()
    if scanner.skip("時") { return (try kanjiMinutes(), true) }
    let start = scanner.position
    let isEnglish = scanner.skip(oneOf: Self.englishHalves) != nil
    scanner.goBack(to: start)
    return isEnglish ? (0, false) : nil
  }

  /// `30`, `30:05`, `30:05.5`
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

  /// Digits beyond the sixth are dropped.
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

  /// `半`, `30分`, `30分5秒`, or nothing
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
}
