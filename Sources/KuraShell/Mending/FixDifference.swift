import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

/// What a fix takes from a statement and what it puts there.
struct FixDifference {
  private let typed: [FixUnit]
  private let after: [FixUnit]
  private let entities: Set<String>
  private let mended: String
  private var lost: [FixUnit]
  private var gained: [FixUnit]
  private let kind: ChangeKind?
  private let names: Set<String>

  /// The kind is nil of a statement that changes nothing.
  init(_ text: String, _ mended: String, _ model: Model, changes kind: ChangeKind?) {
    self.kind = kind
    names = model.namesInLowercase
    typed = FixUnit.all(of: text, names)
    after = FixUnit.all(of: mended, names)
    entities = Set(model.entities.map { $0.name.lowercased() })
    self.mended = mended.lowercased().filter { !$0.isWhitespace }
    lost = typed.without(after)
    gained = after.without(typed)
  }

  /// Whether everything that carries meaning survives.
  var isEquivalent: Bool {
    guard kind == nil || changesSameEntity && !losesWeekday else { return false }
    var rest = self
    rest.matchRuns()
    rest.matchPairs()
    return rest.lost.allSatisfy { rest.mayBeLost($0, for: gained) }
      && rest.gained.allSatisfy(rest.mayBeGained)
  }

  /// `New York` and `"New York"`, `due date` and `dueDate`, `1,000` and `1000`, `Jan 1, 1970` and
  /// `"1970-01-01"`, `Item3` and `Item/3`: what was one part is several, or the other way.
  private mutating func matchRuns() {
    for unit in gained where unit.isWhole {
      guard let run = lost.firstRun(where: { unit.isMade(of: $0) }) else { continue }
      lost.removeSubrange(run)
      gained.removeFirst(unit)
    }
    for unit in lost where unit.isWhole && !unit.isSign {
      guard let run = gained.firstRun(where: { unit.isMade(of: $0) }) else { continue }
      gained.removeSubrange(run)
      lost.removeFirst(unit)
    }
  }

  private mutating func matchPairs() {
    lost.removeAll { unit in
      guard let i = gained.firstIndex(where: unit.isEquivalent) else { return false }
      // `NOT` may stand for several words that say no.
      if !gained[i].isSharable { gained.remove(at: i) }
      return true
    }
  }

  private func mayBeLost(_ unit: FixUnit, for gained: [FixUnit]) -> Bool {
    switch unit {
    case .mark(let mark): return kind == nil || mark != "."
    case .word(let word) where FixWords.empty.contains(word): return true
    case .word(let word) where kind != nil:
      let isLimited = word == "all" && typed.contains(.word("where"))
      return isLimited || word.isFiller || kind == .insert && word == "set"
    case .sign("=") where kind == .insert: return true
    case _ where kind != nil: return false
    case .word(let word):
      if isKept(word) || word.isFiller || FixWords.language.contains(word) { return true }
      let isNeeded = names.contains(word) || FixWords.turning.contains(word)
      return !isNeeded && gained.contains { !$0.isMark }
    case .call(let name): return names.contains(name) || gained.contains(where: \.says)
    case .text(let text) where text.contains("%"):
      return text.replacing(#/%[@A-Za-z]/#, with: "").allSatisfy { !$0.isLetter }
    case .text(let text):
      return isKept(text) || gained.contains { $0.isCall || $0.isNumber || $0.isTruth }
    case .number: return typed.contains(where: \.isEra) && gained.contains(where: \.isNumber)
    case .sign(let sign):
      guard let order = FixWords.order(of: sign) else { return true }
      // `> "2000年"` and `>= "2001-01-01"`: the first day of what follows
      return gained.contains { FixWords.order(of: $0.written) == order }
        && gained.contains(where: \.isText)
    }
  }

  /// `"2021年7月20日(水)"` is a Tuesday: which of the two is wrong, only who typed it knows.
  private var losesWeekday: Bool {
    lost.contains { unit in
      guard case .text(let text) = unit else { return false }
      do throws(DateProblem) { _ = try Timestamp(written: text, in: .utc, now: .now) } catch {
        if case .weekday = error { return true }
      }
      return false
    }
  }

  /// `insert Item "x"` inserts no Category.
  private var changesSameEntity: Bool {
    guard typed.count > 1, after.count > 1, case .word(let entity) = typed[1],
      case .word(let other) = after[1], entities.contains(entity)
    else { return true }
    return entity == other
  }

  private func isKept(_ text: String) -> Bool {
    mended.contains(text.lowercased().filter { !$0.isWhitespace })
  }

  /// Words that a fix may add to a change: they hold what was typed together.
  private func mayBeGained(_ unit: FixUnit) -> Bool {
    guard let kind else { return true }
    if kind == .insert { return unit != .word("as") }
    return switch unit {
    case .mark: true
    case .sign(let sign): ["=", "==", "/", "+="].contains(sign)
    case .word(let word):
      FixWords.structure.contains(word) || names.contains(word) || typed.contains(.word(word))
    case .number, .text, .call: typed.contains(unit)
    }
  }
}

/// A part of a statement, with what its spelling does not change.
enum FixUnit: Hashable {
  case word(String)
  /// `length(`
  case call(String)
  case number(String)
  case text(String)
  case sign(String)
  /// Brackets, commas and other marks between the parts; names before a point that nothing has.
  case mark(String)

  static func all(of text: String, _ names: Set<String>) -> [FixUnit] {
    let plain = text.readable
    let bytes = Array(plain.utf8)
    var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: .statement)
    var tokens: [Token] = []
    while case let token = lexer.next(), tokens.count < 4_000, token.end != .text {
      // Of `%K` the letter is no word.
      if token.end == nil, !(tokens.last?.is(.percent) == true && token.isAdjacent) {
        tokens.append(token)
      }
    }
    func written(_ token: Token) -> String {
      String(decoding: bytes[token.span.start..<token.span.end], as: UTF8.self)
    }
    let qualifiers = Set(
      tokens.indices.dropLast().filter { i in
        tokens[i].kind == .word && tokens[i + 1].is(.dot) && (i == 0 || !tokens[i - 1].is(.dot))
      }
      .map { written(tokens[$0]).lowercased() }
    ).subtracting(names)
    return tokens.indices.flatMap { i -> [FixUnit] in
      let next = i + 1 < tokens.count && tokens[i + 1].isAdjacent ? tokens[i + 1] : nil
      let word = written(tokens[i])
      if qualifiers.contains(word.lowercased()) { return [.mark(word)] }
      return units(tokens[i], word, before: next, names)
    }
    .joiningSigns
  }

  private static func units(
    _ token: Token, _ written: String, before next: Token?, _ names: Set<String>
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
    case .string: return [.text(written.unquoted)]
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

  /// Whether it may be made of several parts.
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

  /// Whether the parts in a row are this one.
  func isMade(of run: ArraySlice<FixUnit>) -> Bool {
    if case .number(let number) = self { return Self.isGrouped(run, number) }
    if case .text(let text) = self {
      if text.isDay, !run.contains(where: \.isCall),
        text.isDay(of: run.map(\.written).joined(separator: " "))
      {
        return true
      }
    }
    guard !run.contains(where: \.isCall), !run.map(\.written).joined().contains("${") else {
      return false
    }
    // `is "Ana Silva"` is no text.
    let isPhrase = run.contains(where: \.isText) && run.contains(where: \.isOfLanguage)
    return !isPhrase && run.map(\.written).joined().withoutBlanks == written.withoutBlanks
  }

  /// Whether it says something itself, and does not only hold others together.
  var says: Bool {
    switch self {
    case .word(let word), .call(let word): !FixWords.structure.contains(word)
    default: false
    }
  }

  var isOfLanguage: Bool {
    if case .word(let word) = self { FixWords.language.contains(word) } else { false }
  }

  var isEra: Bool { ["明治", "大正", "昭和", "平成", "令和"].contains(written) }
  var isCall: Bool { if case .call = self { true } else { false } }
  var isWord: Bool { if case .word = self { true } else { false } }
  var isMark: Bool { if case .mark = self { true } else { false } }
  var isSign: Bool { if case .sign = self { true } else { false } }
  var isText: Bool { if case .text = self { true } else { false } }
  var isNumber: Bool { if case .number = self { true } else { false } }
  var isTruth: Bool {
    self == .word("yes") || self == .word("no") || self == .word("true") || self == .word("false")
  }

  /// `1,000,000`: groups of three digits between commas.
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
  /// Whether another means the same.
  func isEquivalent(to other: FixUnit) -> Bool {
    switch (self, other) {
    case (.call(let a), .call(let b)), (.sign(let a), .call(let b)): a.isEquivalentWord(to: b)
    case (.number("0"), .word("first")): true
    // `FUNCTION(name, "uppercase")` for `name.uppercase()`
    case (.call(let a), .text(let b)): a == b.lowercased()
    case (.number(let a), .number(let b)): Double(a) != nil && Double(a) == Double(b)
    case (.number(let a), .text(let b)), (.text(let b), .number(let a)): a == b
    case (.text(let a), .text(let b)):
      a == b || b.isDay(of: a) || !nearNames(to: a, among: [b]).isEmpty || a.isPattern(of: b)
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

  /// `titleに` for `title`: a particle stands right behind a name.
  private func isJapanese(for other: String) -> Bool {
    guard hasPrefix(other), count > other.count else { return false }
    let rest = String(dropFirst(other.count))
    return rest.allSatisfy(\.isHiraganaLetter) || ForeignWord.comparison(for: rest) != nil
  }

  /// The text without the prompt that was copied with it, `$0` of a closure and `$` of a price, and with `not`
  /// for `n't`.
  fileprivate var readable: String {
    replacing(#/^\s*kura[^\s>]{0,30}>/#, with: "").replacing(#/n['’]t\b/#, with: " not")
      .replacing(#/\$[0-9](?![0-9])/#, with: "")
      .replacing(#/\$([0-9])/#) { String($0.output.1) }
      .precomposedStringWithCompatibilityMapping
  }

  /// Whether it is of kana alone, as particles are, and says no `no`.
  fileprivate var isFiller: Bool { allSatisfy(\.isHiraganaLetter) && !contains("ない") }

  /// `title`, `と` and `date` of `titleとdate`: the parts in Latin letters and those in others.
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

  fileprivate var unquoted: String {
    let inner = dropFirst().dropLast()
    return inner.filter { $0 != "\\" }
  }

  fileprivate var isDay: Bool { firstMatch(of: #/^[0-9]{4}-[0-9]{2}-[0-9]{2}/#) != nil }

  /// Whether it is the day that words name, with all their numbers: `"2024-01-02"` of `1/2/2024`.
  fileprivate func isDay(of words: String) -> Bool {
    guard isDay else { return false }
    let (own, typed) = (numbers, words.numbers)
    if typed.isEmpty || words.contains(#/明治|大正|昭和|平成|令和/#) { return !words.contains(#/[:時]/#) }
    if words.contains("24:00") { return true }
    if typed.count == 1 {
      return [typed[0], typed[0] + 1].contains(own[0]) || typed == filter(\.isNumber).numbers
    }
    return typed.allSatisfy { own.contains($0) || own.contains($0 + 12) }
  }

  private var numbers: [Int] { split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) } }

  fileprivate var withoutBlanks: String {
    lowercased().filter { !$0.isWhitespace && !"/'\"".contains($0) }
  }

  /// `%sea%`, `.*sea.*` and `*sea*`
  fileprivate func isPattern(of other: String) -> Bool {
    func plain(_ text: String) -> String { text.filter { !"*%?_.^$\\".contains($0) } }
    return plain(self) == plain(other) && !plain(self).isEmpty
  }
}

extension Character {
  fileprivate var isHiraganaLetter: Bool {
    unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) }
  }
}

extension [FixUnit] {
  /// With `+=` for `+` and `=`.
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

  /// The first few parts in a row that fulfill a condition, the longest first.
  func firstRun(where holds: (ArraySlice<FixUnit>) -> Bool) -> Range<Int>? {
    for start in indices {
      for end in stride(from: Swift.min(count, start + 12), to: start, by: -1)
      where holds(self[start..<end]) { return start..<end }
    }
    return nil
  }
}

extension Model {
  /// The names of all entities and their keys.
  fileprivate var namesInLowercase: Set<String> {
    Set(
      entities.flatMap { entity in
        [entity.name] + allAttributes(of: entity.name).map(\.name)
          + allRelationships(of: entity.name).map(\.name)
      }.map { $0.lowercased() })
  }
}
