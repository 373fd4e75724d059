import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

// What single parts may be.
extension RepairPart {
  func `is`(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }
  func `is`(_ keyword: Keyword) -> Bool { self.keyword == keyword }

  var isWord: Bool { kind == .word }
  var isLiteral: Bool { kind == .string || kind == .number }
  var isInvalid: Bool { if case .invalid = kind { true } else { false } }
  var isTruth: Bool { [.yes, .no, .true, .false].contains(keyword) }
  var isClause: Bool { isWord && FetchWords.all.contains(word) }
  var isOperator: Bool { ComparisonOperator.words.contains(text.uppercased()) }
  var compares: Bool { kind != .string && RepairWords.has("order", text) || isWord && isOperator }

  /// Whether it may be a part of a text without quotes.
  var mayBeText: Bool { isWord ? keyword == nil && !isClause : kind == .number || isInvalid }

  var mayBeOfDay: Bool {
    kind == .number || isInvalid || (isWord ? mayBeText : "/-.,#".contains(text))
  }

  /// Whether it may be a part of an operator, as in `=/=`.
  var isSign: Bool { !text.isEmpty && text.allSatisfy { "=<>!/~^-≠".contains($0) } }

  /// Whether it may begin or end a value or a condition.
  var isOperand: Bool {
    switch kind {
    case .word, .hashWord, .variable, .string, .number, .specifier: true
    case .symbol(let symbol): [.rightParenthesis, .rightBrace, .leftParenthesis].contains(symbol)
    default: false
    }
  }

  /// Whether a value follows it.
  var asksForValue: Bool {
    switch kind {
    case .symbol(let symbol):
      [.equal, .doubleEqual, .bangEqual, .less, .lessEqual, .greater, .greaterEqual, .leftBrace]
        .contains(symbol)
    case .word: [.contains, .beginsWith, .endsWith, .like, .matches, .in].contains(keyword)
    default: false
    }
  }

  /// Whether it is a text that is no pattern.
  var isBadPattern: Bool {
    kind == .string && (try? RegularExpression(text.unquoted, [])) == nil
  }

  /// Whether nothing near to it is a pattern either.
  var isNoPattern: Bool { isBadPattern && text.unquoted.patternsNearby.isEmpty }
}

extension RepairText {
  /// Whether a word is the name of a call: `date(`
  func isCall(_ place: Int) -> Bool {
    place + 1 < parts.count && parts[place + 1].is(.leftParenthesis) && parts[place + 1].isAdjacent
  }

  func isCollection(_ word: String) -> Bool {
    guard let entity,
      case .relationship(let relationship)? = model.property(named: word, of: entity)
    else { return false }
    return relationship.isToMany
  }

  func type(of word: String) -> AttributeType? {
    guard let entity, case .attribute(let attribute)? = model.property(named: word, of: entity)
    else { return nil }
    return attribute.type
  }

  /// The last opening bracket that is not closed.
  var openBracket: Int? {
    var open: [Int] = []
    for (place, part) in parts.enumerated() {
      guard case .symbol(let symbol) = part.kind else { continue }
      if symbol.closing != nil { open.append(place) }
      if symbol.closes { _ = open.popLast() }
    }
    return open.last
  }

  /// `Category/2` for `Category2`
  func object(in word: String) -> String? {
    guard let match = word.wholeMatch(of: #/(?<name>\w{0,60}?[^\W0-9])(?<number>[0-9]{1,18})/#),
      let name = entity(called: String(match.output.name)), model[word] == nil,
      !properties.has(word)
    else { return nil }
    return "\(name)/\(match.output.number)"
  }

  /// `NO` for `N0`: a word, a key or an entity in which digits stand for the letters that they look like.
  func name(lookingLike part: RepairPart) -> String? {
    guard part.isWord, part.text.contains(where: { "01".contains($0) }) else { return nil }
    let words = ["l", "I", "i"].map {
      part.text.replacing("0", with: part.text.first == "0" ? "O" : "O").replacing("1", with: $0)
    }
    return words.flatMap { [$0, $0.replacing("O", with: "o")] }.first { word in
      Keyword(word: word) != nil || isKey(word) || model[word] != nil
    }
  }

  /// Whether a part says nothing that is needed: never a value, and nothing that turns a question round.
  func isRemovable(_ place: Int) -> Bool {
    let part = parts[place]
    guard place > 0, !changesMeaning(place) else { return false }
    let next = place + 1 < parts.count ? parts[place + 1] : nil
    if part.isWord, next?.word == part.word { return true }
    switch part.kind {
    case .word: return (part.keyword == nil || part.is(.and) || part.is(.or)) && !part.isClause
    case .invalid: return !part.text.contains { $0.isLetter || $0.isNumber }
    case .symbol: return true
    default: return false
    }
  }

  /// Whether a part turns a question round, or stands between two values as a range or a sum does.
  private func changesMeaning(_ place: Int) -> Bool {
    let part = parts[place]
    if RepairWords.has("turning", part.word) || isLoneOperator(place) { return true }
    guard place + 1 < parts.count else { return false }
    let (before, next) = (parts[place - 1], parts[place + 1])
    let isOfNumber = ["-", "+"].contains(part.text) && next.kind == .number && next.isAdjacent
    return part.isSign && (before.isSign || next.isSign) || before.isLiteral && next.isLiteral
      || isOfNumber
  }

  /// Whether it is the operator of a condition that lacks a value, as in `title == AND done == NO`.
  private func isLoneOperator(_ place: Int) -> Bool {
    guard RepairWords.has("order", parts[place].text) else { return false }
    let before = parts[..<place].reversed().prefix {
      !($0.is(.and) || $0.is(.or) || $0.is(.not) || ["where", "having", "("].contains($0.word))
    }
    return before.count < place && !before.contains { RepairWords.has("order", $0.text) }
  }
}

extension String {
  /// `x` for `"x"`
  var unquoted: String { count > 1 ? String(dropFirst().dropLast()) : self }

  /// A number or a truth as it is, and else a text in quotes.
  var asLiteral: String {
    let isWord = ["yes", "no", "true", "false", "null", "nil"].contains(lowercased())
    return Double(self) != nil || isWord || hasPrefix("\"") ? self : writtenText
  }

  /// The text in the letters and digits of the language; nil if it has no others.
  var plainLetters: String? {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let plain = String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          let isWide = (0xFF01...0xFF5E).contains(scalar.value)
          return isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
        }))
    return plain == self ? nil : plain
  }

  /// `7` for `７` and `七`
  var plainDigits: String? {
    let numerals = "一二三四五六七八九十"
    guard count == 1, let first, let place = numerals.firstIndex(of: first) else {
      return plainLetters
    }
    return String(numerals.distance(from: numerals.startIndex, to: place) + 1)
  }

  /// A pattern that is near to one that is none: `.*` for `*`, `[0-9]{4}` for `[0-9]{4`.
  var patternsNearby: [String] {
    guard contains(where: { "[{\\".contains($0) }) else { return [] }
    let starts = hasPrefix("*") ? [self, "." + self] : [self]
    let patterns = starts.flatMap { start in ["", "}", "]", ")"].map { start + $0 } }
    return patterns.first { (try? RegularExpression($0, [])) != nil }.map { [$0] } ?? []
  }

  /// Words before a condition or behind a key that the word may be.
  var wordsNearby: [String] {
    let others = [
      "where", "NOT", "ANY", "ALL", "NONE", "SOME", "descending", "ascending", "desc", "asc",
    ]
    guard utf8.count > 2, !others.contains(where: { $0.lowercased() == self }) else { return [] }
    return nearNames(to: self, among: others).filter { $0.lowercased().first == first }
  }

  /// The operator that words mean: `CONTAINS` for `contain`, `<` for `less than`.
  var comparison: String? {
    let joined = filter { !$0.isWhitespace }.lowercased()
    let isOurs = ComparisonOperator.words.contains(joined.uppercased())
    return ForeignWord.comparison(for: joined) ?? (isOurs ? joined.uppercased() : nil)
  }

  /// The operator that Japanese words behind a value mean.
  var japaneseComparison: String? {
    let words = filter { !$0.isWhitespace }
    guard words.allSatisfy({ !$0.isASCII }) else { return nil }
    return [words, String(words.dropFirst()), words + "る"].lazy
      .compactMap(ForeignWord.comparison).first
  }
}
