/// Numbers in notations other than plain digits: `一`, `二十三`, `二〇〇九`, `①`, `３`, `three`.
package enum FreeFormNumber {
  /// Returns the digits that a text means, without a unit after them; nil if it is not a number.
  ///
  ///     FreeFormNumber.digits("二〇〇九年")   // "2009"
  ///     FreeFormNumber.digits("平成21年")     // "2009"
  package static func digits(_ text: String) -> String? {
    let plain = plain(text)
    if let year = eraYear(plain) { return String(year) }
    if let place = words.firstIndex(of: plain.lowercased()) { return String(place) }
    return ungrouped(withoutUnit(plain))
  }

  /// Returns the text with its numbers as plain digits.
  package static func plain(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    var result = ""
    while let scalar = scalars.first {
      if scalar.kanjiDigit != nil || scalar.kanjiUnit != nil {
        let run = scalars.prefix { $0.kanjiDigit != nil || $0.kanjiUnit != nil }
        result += kanji(Array(run)).map(String.init) ?? String(run)
        scalars = scalars.dropFirst(run.count)
      } else {
        result += scalar.plainText
        scalars = scalars.dropFirst()
      }
    }
    return result
  }

  private static let words = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
  ]

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && digits.utf8.count <= 18
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
  }

  /// Returns a number without marks between groups of three digits, and with a point: `1000` for `1,000`, `3.5` for
  /// `3,5`; nil for another text.
  private static func ungrouped(_ text: String) -> String? {
    let marks: [(Character, Character)] = [(",", "."), ("_", "."), ("'", "."), (".", ",")]
    return marks.lazy.compactMap { mark, point -> String? in
      let parts = text.split(separator: point, omittingEmptySubsequences: false)
      let groups = parts[0].split(separator: mark, omittingEmptySubsequences: false)
      guard groups.count == 1 || groups.areOfThree else { return nil }
      let number = ([groups.joined()] + parts.dropFirst().map(String.init)).joined(separator: ".")
      return isNumber(number) ? number : nil
    }.first
  }

  /// Returns the Gregorian year: the `21` in `平成21年` counts from the first year of the era.
  private static func eraYear(_ text: String) -> Int? {
    guard text.hasSuffix("年") else { return nil }
    let text = text.dropLast().lowercased()
    for era in Era.all {
      for name in [era.name] + era.shortNames where text.hasPrefix(name) {
        let count = text.dropFirst(name.count)
        if let year = count == "元" ? 1 : Int(count) { return era.year(year) }
      }
    }
    return nil
  }

  /// Returns `3` for `3件`.
  private static func withoutUnit(_ text: String) -> String {
    let units = [
      "年", "月", "日", "時", "分", "秒", "個", "件", "つ", "人", "歳", "才", "円", "回", "番", "ヶ月", "か月",
    ]
    let unit = units.first { text.hasSuffix($0) && text.count > $0.count }
    return unit.map { String(text.dropLast($0.count)) } ?? text
  }

  /// Returns the number of `二〇〇九`, digit by digit, or of `二十三`, with units.
  private static func kanji(_ run: [Unicode.Scalar]) -> Int? {
    guard run.count <= 12 else { return nil }
    if run.allSatisfy({ $0.kanjiDigit != nil }) {
      return run.reduce(0) { $0 * 10 + ($1.kanjiDigit ?? 0) }
    }
    var (total, part, digit) = (0, 0, 0)
    for scalar in run {
      if let value = scalar.kanjiDigit {
        digit = value
      } else if let unit = scalar.kanjiUnit, unit == 10_000 {
        (total, part, digit) = (total + max(part + digit, 1) * unit, 0, 0)
      } else if let unit = scalar.kanjiUnit {
        (part, digit) = (part + max(digit, 1) * unit, 0)
      }
    }
    return total + part + digit
  }
}

extension [Substring] {
  /// Whether they are the groups of a large number: `12` and `345`, but not `0` and `125`.
  fileprivate var areOfThree: Bool {
    guard let first = first?.drop(while: { $0 == "-" }), first.first != "0" else { return false }
    return (1...3).contains(first.count) && dropFirst().allSatisfy { $0.count == 3 }
  }
}

extension Unicode.Scalar {
  fileprivate var kanjiDigit: Int? {
    switch self {
    case "〇", "零": 0
    default: Array("一二三四五六七八九".unicodeScalars).firstIndex(of: self).map { $0 + 1 }
    }
  }

  fileprivate var kanjiUnit: Int? {
    switch self {
    case "十": 10
    case "百": 100
    case "千": 1000
    case "万": 10_000
    default: nil
    }
  }

  /// `3` for `３`, `1` for `①` and `Ⅰ`; any other scalar is unchanged.
  fileprivate var plainText: String {
    switch value {
    case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0).map { String($0) } ?? String(self)
    case 0x2460...0x2473: String(value - 0x2460 + 1)
    case 0x2160...0x216B: String(value - 0x2160 + 1)
    case 0x3220...0x3229: String(value - 0x3220 + 1)
    case 0x3280...0x3289: String(value - 0x3280 + 1)
    default: String(self)
    }
  }
}
