/// The most likely meanings of a text that is not a date.
package enum DateMeaning {
  /// Returns the dates in document form, the most likely first: `2009-01-01`, `2010-07-21 09:00`.
  package static func texts(
    of text: String, in zone: ZoneRules, now: Timestamp
  ) -> [String] {
    let spellings = [text, FreeFormNumber.plain(text), inOrder(text)].compactMap(\.self)
    for spelling in spellings {
      if let moment = moment(spelling, zone, now) { return [moment] }
      if let moment = midnight(spelling, zone, now) { return [moment] }
    }
    do { _ = try Timestamp(written: text, in: zone, now: now) } catch {
      return readings(error, of: text, in: zone, now)
    }
    return []
  }

  /// Returns the number of a month or weekday: 2 for `February`, and for `Monday`, as `weekday`
  /// counts.
  package static func number(named text: String) -> Int? {
    if case .monthOfYear(let month)? = FreeFormPeriod(text) { return month }
    let days = DateProblem.weekdays.map { $0.lowercased() }
    let kanji = ["日", "月", "火", "水", "木", "金", "土"].map { $0 + "曜日" }
    let word = text.lowercased()
    return (days.firstIndex(of: word) ?? kanji.firstIndex(of: word)).map { $0 + 1 }
  }

  private static func moment(_ text: String, _ zone: ZoneRules, _ now: Timestamp) -> String? {
    guard let moment = try? Timestamp(written: text, in: zone, now: now) else { return nil }
    return moment.text(moment.isMidnight(in: zone) ? .day : .plain, in: zone)
  }

  /// Returns `2010-07-20 24:00` as 0:00 of the next day.
  private static func midnight(_ text: String, _ zone: ZoneRules, _ now: Timestamp) -> String? {
    for (hour, none) in [("24:00", "00:00"), ("24時", "0時")] {
      guard text.contains(hour),
        let start = try? Timestamp(
          written: text.replacing(hour, with: none), in: zone, now: now)
      else { continue }
      let day = CivilDate(daysSince1970: zone.civil(start).date.daysSince1970 + 1)
      return Timestamp.text(of: day)
    }
    return nil
  }

  /// Returns `1 jan 2009` for `01-JAN-2009` or `2009-Jan-01`.
  private static func inOrder(_ text: String) -> String? {
    let parts = text.split { "-/. ,".contains($0) }.map(withoutOrdinal)
      .filter { $0 != "of" && $0 != "the" }
    guard parts.count == 3, let month = parts.first(where: { $0.first?.isLetter == true }),
      let year = parts.first(where: { $0.count == 4 && Int($0) != nil }),
      let day = parts.first(where: { $0.count <= 2 && Int($0) != nil })
    else { return nil }
    return "\(day) \(month) \(year)"
  }

  /// Returns `8` for the `8th` of January.
  private static func withoutOrdinal(_ part: Substring) -> String {
    let isOrdinal = ["st", "nd", "rd", "th"].contains { part.hasSuffix($0) }
    guard isOrdinal, part.first?.isNumber == true else { return String(part) }
    return String(part.dropLast(2))
  }

  private static func readings(
    _ problem: DateProblem, of text: String, in zone: ZoneRules, _ now: Timestamp
  ) -> [String] {
    switch problem {
    case .ambiguous(let readings): readings.filter { !$0.contains(":") }
    case .outsideEra(_, let date): [Timestamp.text(of: date)]
    // A day without a time would lose the time of day.
    case .missingYear(let month, let day) where !text.contains(#/[:時]/#):
      [CivilDate(year: zone.civil(now).date.year, month: month, day: day)].compactMap {
        (try? $0.checked()).map(Timestamp.text(of:))
      }
    default: []
    }
  }
}

/// Common words and signs for YES, NO and NULL.
package enum FreeFormBoolean {
  /// Returns whether a text means yes or no; nil for other texts.
  ///
  ///     FreeFormBoolean.value("はい")   // true
  ///     FreeFormBoolean.value("×")      // false
  package static func value(_ text: String) -> Bool? {
    let word = FreeFormNumber.plain(text).lowercased()
    if yes.contains(text) || yes.contains(word) { return true }
    return no.contains(text) || no.contains(word) ? false : nil
  }

  /// Returns whether a text is another language's word for null.
  package static func isNull(_ text: String) -> Bool { nothing.contains(text.lowercased()) }

  private static let yes: Set<String> = [
    "yes", "true", "y", "t", "on", "1", "ok", "checked", "はい", "真", "有", "有り", "あり", "オン", "○", "◯",
    "〇",
    "済", "済み", "完了", "✓", "✔", "☑", "✅", "oui", "ja", "sí", "si",
  ]
  private static let no: Set<String> = [
    "no", "false", "n", "f", "off", "0", "unchecked", "いいえ", "偽", "無", "無し", "なし", "オフ", "×", "✕",
    "✗", "✘",
    "☐", "❌", "未", "未完了", "否", "non", "nein",
  ]
  private static let nothing: Set<String> = [
    "undefined", "none", "nothing", "nil", "null", "nan", "n/a", "empty", "blank", "missing",
    "unknown",
    "unset", "なし", "無し", "空", "空白", "未設定", "不明", "ヌル",
  ]
}
