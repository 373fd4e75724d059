import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A part of a statement, in a form in which equivalent spellings are equal.
enum FixUnit: Hashable {
  case word(String)
  /// `length(`
  case call(String)
  case number(String)
  case text(String)
  case sign(String)
  /// Brackets, commas, and other parts without a meaning.
  case mark(String)

  /// Returns the parts of a statement in their order.
  static func all(of text: String, _ names: KnownNames) -> [FixUnit] {
    let plain = text.readable
    let bytes = Array(plain.utf8)
    var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: .statement)
    var tokens: [Token] = []
    // Every token has at least one byte.
    for _ in 0...bytes.count {
      let token = lexer.next()
      if token.end == .text { break }
      // In `%K` the letter is not a word.
      let isOfSpecifier = tokens.last?.is(.percent) == true && token.isAdjacent
      if token.end == nil, !isOfSpecifier { tokens.append(token) }
    }
    func written(_ token: Token) -> String {
      String(decoding: bytes[token.span.start..<token.span.end], as: UTF8.self)
    }
    let entity = tokens.count > 1 ? written(tokens[1]).lowercased() : ""
    let qualifiers = Set(
      tokens.indices.dropLast().filter { i in
        tokens[i].kind == .word && tokens[i + 1].is(.dot) && (i == 0 || !tokens[i - 1].is(.dot))
          && i + 2 < tokens.count && tokens[i + 2].kind == .word
      }
      .map { written(tokens[$0]).lowercased() }.filter { names.isQualifier($0, of: entity) })
    return tokens.indices.flatMap { i -> [FixUnit] in
      let next = i + 1 < tokens.count && tokens[i + 1].isAdjacent ? tokens[i + 1] : nil
      let word = written(tokens[i])
      if qualifiers.contains(word.lowercased()) { return [.mark(word)] }
      return units(tokens[i], word, before: next, names)
    }
    .joiningSigns
  }

  private static func units(
    _ token: Token, _ written: String, before next: Token?, _ names: KnownNames
  ) -> [FixUnit] {
    let word = written.lowercased()
    switch token.kind {
    case .word where next?.is(.leftParenthesis) == true && token.keyword == nil:
      return [.call(word)]
    // `N'text'`
    case .word where next?.kind == .string && written.utf8.count <= 2: return [.mark(written)]
    case .collectionOperator: return [.word(String(word.drop { $0 == "@" }))]
    case .word, .variable, .specifier:
      return names.contains(word) ? [.word(word)] : word.scripts.map(FixUnit.init)
    case .hashWord: return [.word(word.filter { !"#\"".contains($0) })]
    case .number: return [.number(word)]
    case .string: return [.text(written.unquoted.filter { $0 != "\\" })]
    // `= +5`: the sign of a number
    case .symbol(.plus) where !token.isAdjacent && (next?.kind == .number || next?.kind == .word):
      return [.mark(written)]
    case .symbol(let symbol):
      return [signs.contains(symbol.rawValue) ? .sign(symbol.rawValue) : .mark(written)]
    // `${x}` is not the text "x".
    case .invalid(.missingName) where written == "$": return [.text(written)]
    case .invalid(.unclosedQuote): return [.text(String(written.dropFirst()))]
    case .invalid:
      return word.contains { $0.isLetter || $0.isNumber }
        ? word.scripts.map(FixUnit.init) : [.mark(word)]
    case .end: return []
    }
  }

  /// A word, or a number of digits alone.
  private init(_ part: String) {
    self = Double(part) == nil ? .word(part) : .number(part)
  }

  private static let signs: Set = [
    "=", "==", "===", "!=", "!==", "<>", "<", "<=", "=<", ">", ">=", "=>", "<<", ">>", "&&", "&",
    "||", "|", "!", "~", "^", "**", "*", "+", "-", "/",
  ]

  /// Whether it can correspond to several parts.
  var isWhole: Bool {
    switch self {
    case .text, .word, .number, .sign: true
    case .call, .mark: false
    }
  }

  var isSharable: Bool { self == .word("not") || self == .word("null") }

  var written: String {
    switch self {
    case .word(let word), .number(let word), .text(let word), .sign(let word), .mark(let word): word
    case .call(let name): name + "("
    }
  }

  /// Whether it can be a day, a year or a month.
  var mayBeDate: Bool {
    switch self {
    case .text(let text): text.beginsAsDay
    case .number: true
    case .word, .sign, .mark, .call: false
    }
  }

  /// Returns whether the parts, joined without spaces, are equal to this one.
  func isMade(of run: ArraySlice<FixUnit>) -> Bool {
    if case .number(let number) = self { return Self.isGrouped(run, number) }
    guard !run.contains(where: \.isCall), !run.map(\.written).joined().contains("${") else {
      return false
    }
    // `is "Ana Silva"` is not a text.
    let isPhrase = run.contains(where: \.isText) && run.contains(where: \.isOfLanguage)
    return !isPhrase && run.map(\.written).joined().withoutBlanks == written.withoutBlanks
  }

  /// Whether it has a meaning, and does not only connect other parts.
  var says: Bool {
    switch self {
    case .word(let word), .call(let word): !FixWords.structure.contains(word)
    default: false
    }
  }

  var isOfLanguage: Bool {
    if case .word(let word) = self { FixWords.language.contains(word) } else { false }
  }

  var isCall: Bool { if case .call = self { true } else { false } }
  var isMark: Bool { if case .mark = self { true } else { false } }
  var isSign: Bool { if case .sign = self { true } else { false } }
  var isText: Bool { if case .text = self { true } else { false } }
  var isNumber: Bool { if case .number = self { true } else { false } }
  var isTruth: Bool {
    self == .word("yes") || self == .word("no") || self == .word("true") || self == .word("false")
  }

  /// Returns whether parts are groups of three digits between commas: `1,000,000`
  private static func isGrouped(_ run: ArraySlice<FixUnit>, _ number: String) -> Bool {
    let parts = run.map(\.written)
    if parts.count == 3, parts[1] == ",", parts[2].count != 3 {
      return "\(parts[0]).\(parts[2])" == number
    }
    guard parts.joined().filter({ $0 != "," && $0 != "_" }) == number else { return false }
    return parts.enumerated().allSatisfy { i, part in
      i % 2 == 1
        ? part == "," : i == 0 ? (1...3).contains(part.count) : part.prefix { $0 != "." }.count == 3
    }
  }
}

extension FixUnit {
  /// Returns whether another part means the same.
  func isEquivalent(to other: FixUnit) -> Bool {
    switch (self, other) {
    case (.call(let a), .call(let b)), (.sign(let a), .call(let b)): a.isEquivalentWord(to: b)
    case (.number("0"), .word("first")): true
    // `tags.@count == 0` for `no tags`
    case (.word(let word), .number("0")): RepairWords.has("without", word)
    // `FUNCTION(name, "uppercase")` for `name.uppercase()`
    case (.call(let a), .text(let b)): a == b.lowercased()
    case (.number(let a), .number(let b)): Double(a) != nil && Double(a) == Double(b)
    case (.number(let a), .text(let b)), (.text(let b), .number(let a)):
      a == b || FreeFormNumber.digits(b) == a
    case (.text(let a), .text(let b)):
      a == b || a.isPattern(of: b)
        || abs(a.count - b.count) <= 2 && !nearNames(to: a, among: [b]).isEmpty
    case (.text(let a), .word(let b)), (.word(let b), .text(let a)):
      a.lowercased().isEquivalentWord(to: b)
    case (.call(let a), .word(let b)): a.isEquivalentWord(to: b)
    case (.word, .mark), (.word, .word), (.sign, .word), (.word, .sign), (.sign, .sign),
      (.mark, .sign),
      (.mark, .word):
      written.isEquivalentWord(to: other.written)
    default: false
    }
  }
}

extension String {
  fileprivate func isEquivalentWord(to other: String) -> Bool {
    if self == other || FixWords.alike.contains(where: { $0.contains(self) && $0.contains(other) })
    {
      return true
    }
    if ForeignVocabulary.words(for: self).contains(where: {
      $0.lowercased().split(separator: " ").contains { $0 == other }
    }) {
      return true
    }
    if let comparison = ForeignWord.comparison(for: self) {
      let parts = comparison.lowercased().split(separator: " ")
      if let last = parts.last, other.hasPrefix(last) || last == "null" && other == "nil" {
        return true
      }
    }
    if isJapanese(for: other) { return true }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" || $0 == "." }
      && !nearNames(to: self, among: [other]).isEmpty
  }

  /// Returns whether it is a name with a Japanese particle: `titleに` for `title`
  private func isJapanese(for other: String) -> Bool {
    guard hasPrefix(other), count > other.count else { return false }
    let rest = String(dropFirst(other.count))
    return rest.allSatisfy(\.isHiraganaLetter) || ForeignWord.comparison(for: rest) != nil
  }

  /// The text without a copied prompt, `$0` of a closure and `$` of a price, and with `not` for
  /// `n't` and `0.5` for `.5`.
  fileprivate var readable: String {
    replacing(#/^\s*kura[^\s>]{0,30}>/#, with: "").replacing(#/n['’]t\b/#, with: " not")
      .replacing(#/\$[0-9](?![0-9])/#, with: "")
      .replacing(#/\$([0-9])/#) { String($0.output.1) }
      .replacing(#/(^|[\s(,{=<>])\.([0-9])/#) { "\($0.output.1)0.\($0.output.2)" }
      .precomposedStringWithCompatibilityMapping
  }

  /// Whether it consists of hiragana, as particles do, and is not a negation.
  var isFiller: Bool { allSatisfy(\.isHiraganaLetter) && !contains("ない") }

  /// The parts in ASCII and those in other characters: `title`, `と` and `date` of `titleとdate`.
  fileprivate var scripts: [String] {
    var parts: [String] = []
    for character in self {
      if let last = parts.last?.last, last.isASCII == character.isASCII {
        parts[parts.count - 1].append(character)
      } else {
        parts.append(String(character))
      }
    }
    return parts
  }

  var beginsAsDay: Bool {
    let form = utf8.prefix(10).map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
    return form.elementsEqual("0000-00-00".utf8)
  }

  fileprivate var withoutBlanks: String {
    lowercased().filter { !$0.isWhitespace && !"/'\"".contains($0) }
  }

  /// Returns whether only signs of patterns differ: `%sea%`, `.*sea.*` and `*sea*`
  fileprivate func isPattern(of other: String) -> Bool {
    func plain(_ text: String) -> String { text.filter { !"*%?_.^$\\".contains($0) } }
    return plain(self) == plain(other) && !plain(self).isEmpty
  }
}

extension Character {
  var isHiraganaLetter: Bool {
    unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) }
  }
}

extension [FixUnit] {
  /// The parts, with `+=` for `+` and `=`.
  fileprivate var joiningSigns: [FixUnit] {
    var joined: [FixUnit] = []
    for unit in self {
      if unit == .sign("="), let last = joined.last, [.sign("+"), .sign("-")].contains(last) {
        joined[joined.count - 1] = .sign(last.written + "=")
      } else {
        joined.append(unit)
      }
    }
    return joined
  }

  func without(_ other: [FixUnit]) -> [FixUnit] {
    var counts = Dictionary(other.map { ($0, 1) }, uniquingKeysWith: +)
    return filter { unit in
      guard let count = counts[unit], count > 0 else { return true }
      counts[unit] = count - 1
      return false
    }
  }

  mutating func removeFirst(_ unit: FixUnit) {
    if let i = firstIndex(of: unit) { remove(at: i) }
  }

  /// Returns the first consecutive parts that fulfill a condition, the longest run first.
  func firstRun(where holds: (ArraySlice<FixUnit>) -> Bool) -> Range<Int>? {
    for start in indices {
      for end in stride(from: Swift.min(count, start + 12), to: start, by: -1)
      where holds(self[start..<end]) { return start..<end }
    }
    return nil
  }
}
