/// The characters of a date in free notation. Full-width characters and letter case make no
/// difference.
struct DateScanner {
  private let scalars: [Unicode.Scalar]
  private(set) var position = 0

  init(_ text: String) { scalars = Self.withoutKanjiNumbers(text.unicodeScalars.map(\.plain)) }

  var isAtEnd: Bool { position == scalars.count }

  /// Returns the text read since a position.
  func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  mutating func goBack(to place: Int) { position = place }

  mutating func skipOne() { position += 1 }

  mutating func skipBlanks() {
    while !isAtEnd, scalars[position] == " " { position += 1 }
  }

  /// Reads these characters, if they are next.
  mutating func skip(_ text: String) -> Bool {
    var end = position
    for wanted in text.unicodeScalars {
      guard end < scalars.count, scalars[end] == wanted else { return false }
      end += 1
    }
    position = end
    return true
  }

  /// Reads a word, if it is next and complete.
  mutating func skip(word: String) -> Bool {
    let start = position
    guard skip(word) else { return false }
    if !isAtEnd, scalars[position].isSmallLetter, word.unicodeScalars.last?.isSmallLetter == true {
      position = start
      return false
    }
    return true
  }

  /// Reads the first of these words that is next, and returns its meaning.
  mutating func skip<Meaning>(oneOf words: [(String, Meaning)]) -> Meaning? {
    for (word, meaning) in words where skip(word: word) { return meaning }
    return nil
  }

  /// Reads one of these characters, if it is next.
  mutating func skip(separator: String) -> Unicode.Scalar? {
    guard !isAtEnd, separator.unicodeScalars.contains(scalars[position]) else { return nil }
    defer { position += 1 }
    return scalars[position]
  }

  /// Reads a number, and returns its value and number of digits; nil if there is no digit or there
  /// are too many.
  mutating func number(upTo most: Int = 4) -> (value: Int, digits: Int)? {
    let start = position
    var value = 0
    while !isAtEnd, let digit = scalars[position].digit, position - start <= most {
      value = value * 10 + digit
      position += 1
    }
    let digits = position - start
    guard digits > 0, digits <= most else {
      position = start
      return nil
    }
    return (value, digits)
  }
}

extension DateScanner {
  /// Reads one digit.
  mutating func digit() -> Int? {
    guard !isAtEnd, let digit = scalars[position].digit else { return nil }
    position += 1
    return digit
  }
}

extension Unicode.Scalar {
  fileprivate var digit: Int? {
    value >= 0x30 && value <= 0x39 ? Int(value - 0x30) : nil
  }

  fileprivate var isSmallLetter: Bool { value >= 0x61 && value <= 0x7A }

  /// `a` for `Ａ` and `A`, and a space for any blank.
  fileprivate var plain: Unicode.Scalar {
    let half = (0xFF01...0xFF5E).contains(value) ? value - 0xFEE0 : value
    switch half {
    case 0x09, 0xA0, 0x202F, 0x3000: return " "
    case 0x41...0x5A: return Unicode.Scalar(UInt8(half) + 0x20)
    default: return Unicode.Scalar(half) ?? self
    }
  }
}

// Numbers in kanji
extension DateScanner {
  /// Replaces the numbers before a unit of dates by digits: `2024年1月31日` for `二〇二四年一月三十一日`.
  private static func withoutKanjiNumbers(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard scalars.contains(where: { kanjiDigits[$0] != nil || kanjiUnits[$0] != nil }) else {
      return scalars
    }
    var result: [Unicode.Scalar] = []
    var run: [Unicode.Scalar] = []
    for scalar in scalars {
      if kanjiDigits[scalar] != nil || kanjiUnits[scalar] != nil {
        run.append(scalar)
        continue
      }
      result += units.contains(scalar) ? Array(number(run).unicodeScalars) : run
      result.append(scalar)
      run = []
    }
    return result + run
  }

  /// Returns the digits of `二〇二四`, `二十四` or `千九百八十四`.
  private static func number(_ run: [Unicode.Scalar]) -> String {
    guard run.contains(where: { kanjiUnits[$0] != nil }) else {
      return run.map { String(kanjiDigits[$0] ?? 0) }.joined()
    }
    var (sum, digit) = (0, 0)
    for scalar in run.prefix(8) {
      if let unit = kanjiUnits[scalar] {
        sum += max(digit, 1) * unit
        digit = 0
      } else {
        digit = kanjiDigits[scalar] ?? 0
      }
    }
    return String(sum + digit)
  }

  private static let kanjiDigits: [Unicode.Scalar: Int] = [
    "〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
  ]
  private static let kanjiUnits: [Unicode.Scalar: Int] = ["十": 10, "百": 100, "千": 1000]
  private static let units: Set<Unicode.Scalar> = [
    "年", "月", "日", "時", "分", "秒", "週", "か", "カ", "ヶ", "ヵ", "ケ", "箇",
  ]
}

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
