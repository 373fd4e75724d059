import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraModel
import KuraPredicates
import KuraScript

/// Small changes around the place where a text could not be read, of which one may be what was meant.
///
/// Nothing here knows a grammar: whether a guess is good is found by reading what it leaves.
struct RepairGuesses {
  let text: String
  let bytes: [UInt8]
  let tokens: [Token]
  /// The place of the token at which it went wrong; behind the last where the text ended.
  let place: Int
  private let isSyntax: Bool
  /// What went wrong where it was evaluated.
  let failure: EvaluationFacts?
  /// Whether it stands for a value that nothing in the text is.
  private let isPlaceholder: Bool
  let model: Model
  /// The entity that was fetched last.
  let lastEntity: String?

  init(_ text: String, _ diagnostic: Diagnostic, _ context: CheckContext) {
    self.text = text
    model = context.model
    lastEntity = context.lastEntity
    bytes = Array(text.utf8)
    tokens = Self.tokens(bytes)
    let start = diagnostic.span?.start ?? 0
    place = tokens.firstIndex { $0.span.end > start } ?? tokens.count
    switch diagnostic.facts as? PredicateSyntaxFacts {
    case .parameter?, .placeholder?: isPlaceholder = true
    default: isPlaceholder = false
    }
    failure = ((diagnostic.facts as? RowFailure)?.facts ?? diagnostic.facts) as? EvaluationFacts
    isSyntax = diagnostic.facts is PredicateSyntaxFacts || diagnostic.facts is StatementFacts
  }

  private static func tokens(_ bytes: [UInt8]) -> [Token] {
    var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: .statement)
    var tokens: [Token] = []
    while case let token = lexer.next(), token.end == nil, tokens.count < 400 {
      tokens.append(token)
    }
    return tokens
  }

  /// Those of which two may be right at once: they take away nothing but a comma.
  var modest: [FixIt] {
    guard isSyntax, !isPlaceholder, place > 0 else { return plainCharacters }
    let end = tokens[place - 1].span.end
    let commas = [0, -1, -2].compactMap(token).filter { $0.is(.comma) }.map { FixIt($0.span, "") }
    let equals = token(0).map(isLiteral) == true ? [FixIt(SourceSpan(end, end), " ==")] : []
    return plainCharacters + strings + foreignWords + [FixIt(SourceSpan(end, end), ",")] + swaps
      + commas + equals
  }

  /// The guesses, the better ones first; the next are tried only where none of them is good.
  var tiers: [[FixIt]] {
    if isPlaceholder { return [wildcards] }
    guard isSyntax else {
      return [
        plainCharacters,
        japaneseConditions + comments + optionsBehind + plainTexts + columnsApart + sources,
      ]
    }
    return [
      negations + japaneseConditions + japaneseLimit + wildcards + plainCharacters + strings
        + comments
        + columnsFirst + countOfRows + closingQuotes
        + filledTexts + lists + severalEntities + options + optionsApart + particles + ranges
        + numbered + exceptions + anything + secondCondition + optionsInWords + subjects
        + exclusions + sources,
      foreignWords + leadingLimit + beginnings + entities, fragments,
      insertions + swaps + replacements,
      roundBrackets + brackets + nestedFetch, quotes, removals,
    ]
  }
}

extension RepairGuesses {
  func token(_ offset: Int) -> Token? {
    tokens.indices.contains(place + offset) ? tokens[place + offset] : nil
  }

  func text(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  /// `fetch` for `ｆｅｔｃｈ`, `YES` for `ＹＥＳ`: all words and numbers at once.
  private var plainCharacters: [FixIt] {
    let edits = tokens.compactMap { token -> TextEdit? in
      if token.kind == .string { return nil }
      let written = text(token.span)
      guard let plain = written.plainLetters else { return nil }
      return TextEdit(token.span, plain)
    }
    return edits.isEmpty ? [] : [FixIt(edits: edits)]
  }

  /// `limit` for `top`
  private var foreignWords: [FixIt] {
    [-1, 0].compactMap(token).filter { $0.kind == .word }.flatMap { token in
      let word = text(token.span)
      return (ForeignVocabulary.words(for: word) + Self.nearWords(word)).map {
        FixIt(token.span, $0)
      }
    }
  }

  /// Words that stand before a condition or behind a key, and of which one may be misspelt.
  private static func nearWords(_ word: String) -> [String] {
    let others = ["NOT", "ANY", "ALL", "NONE", "SOME", "descending", "ascending", "desc", "asc"]
    guard word.utf8.count > 2, !others.contains(where: { $0.lowercased() == word.lowercased() })
    else { return [] }
    let first = word.lowercased().first
    return nearNames(to: word, among: others).filter { $0.lowercased().first == first }
  }

  /// `let`, `print`, `fetch` before a statement that begins with none of them
  private var beginnings: [FixIt] {
    guard place == 0 else { return [] }
    let start = SourceSpan(tokens.first?.span.start ?? 0, tokens.first?.span.start ?? 0)
    let assigns = tokens.contains { $0.is(.equal) }
    let words = ["run ", "fetch "] + (beginsWithValue ? ["print "] : [])
    return (assigns ? ["let ", "let $"] : words).map { FixIt(start, $0) }
  }

  /// `2 + 3`, `length("x")`, `$home.items`: what stands there is computed.
  private var beginsWithValue: Bool {
    guard let first = tokens.first, tokens.count > 1 else { return false }
    switch first.kind {
    case .number, .string, .variable: return true
    case .word: return tokens[1].is(.leftParenthesis) && tokens[1].isAdjacent
    default: return first.is(.leftParenthesis)
    }
  }
}

extension RepairGuesses {
  /// A word or sign between two others.
  private var insertions: [FixIt] {
    guard let token = token(0), let before = self.token(-1) else { return [] }
    let end = SourceSpan(before.span.end, before.span.end)
    let start = SourceSpan(token.span.start, token.span.start)
    let hasWhere = tokens.contains { text($0.span).lowercased() == "where" }
    let words = (hasWhere ? [] : ["where "]) + ["as ", "AND ", "select "]
    let isOperator = token.kind == .collectionOperator
    if ["group", "section"].contains(text(before.span).lowercased()) {
      return [FixIt(start, "by ")]
    }
    return [FixIt(end, ",")] + words.map { FixIt(start, $0) }
      + (isOperator ? [FixIt(end, ".")] : [FixIt(end, " ==")])
  }

  /// Two neighbours in the other order.
  private var swaps: [FixIt] {
    [(-1, 0), (0, 1)].compactMap { first, second in
      guard let one = token(first), let two = token(second), one.kind == .word, two.kind == .word
      else { return nil }
      return FixIt(edits: [
        TextEdit(one.span, text(two.span)), TextEdit(two.span, text(one.span)),
      ])
    }
  }

  /// The bracket that closes one which nothing closes, at each place where it may stand.
  private var brackets: [FixIt] {
    var open: [(symbol: Symbol, place: Int)] = []
    for (i, token) in tokens.enumerated() {
      guard case .symbol(let symbol) = token.kind else { continue }
      if let closing = symbol.closing { open.append((closing, i)) }
      if symbol.closes { _ = open.popLast() }
    }
    guard let last = open.last else { return [] }
    return tokens[last.place...].dropFirst().suffix(60).reversed().map {
      FixIt(SourceSpan($0.span.end, $0.span.end), last.symbol.rawValue)
    }
  }

  /// `(fetch Category where name == "x")`, where a clause stands behind an entity as a value.
  private var nestedFetch: [FixIt] {
    guard let source = token(-1), let clause = token(0), source.kind == .word,
      FetchWords.all.contains(text(clause.span).lowercased())
    else { return [] }
    let start = TextEdit(SourceSpan(source.span.start, source.span.start), "(fetch ")
    return tokens[place...].dropFirst().suffix(40).reversed().map {
      FixIt(edits: [start, TextEdit(SourceSpan($0.span.end, $0.span.end), ")")])
    }
  }

  /// Words that are a text, behind an operator.
  private var quotes: [FixIt] {
    let runs = [(0, 0), (-1, 0), (-1, 1), (0, 1), (-2, 0)]
    return touching
      + runs.compactMap { first, last in
        guard let one = token(first), let two = token(last),
          (first...last).allSatisfy({ token($0).map(mayBeText) ?? false }),
          token(first - 1).map(wantsValue) ?? false
        else { return nil }
        let span = SourceSpan(one.span.start, two.span.end)
        return FixIt(span, text(span).writtenText)
      }
  }

  /// `*誕生日`: all that stands together where a value is wanted.
  private var touching: [FixIt] {
    guard let first = token(0), token(-1).map(wantsValue) ?? false else { return [] }
    let rest = tokens[(place + 1)...].prefix { $0.isAdjacent }
    guard let last = rest.last, !rest.contains(where: { $0.kind == .string }) else { return [] }
    let span = first.span.joined(last.span)
    return [FixIt(span, text(span).writtenText)]
  }

  private func mayBeText(_ token: Token) -> Bool {
    switch token.kind {
    case .word: token.keyword == nil && !FetchWords.all.contains(text(token.span).lowercased())
    case .number, .invalid: true
    default: false
    }
  }

  /// Whether a value stands behind it.
  func wantsValue(_ token: Token) -> Bool {
    switch token.kind {
    case .symbol(let symbol):
      [.equal, .doubleEqual, .bangEqual, .less, .lessEqual, .greater, .greaterEqual, .leftBrace]
        .contains(symbol)
    case .word:
      [.contains, .beginsWith, .endsWith, .like, .matches, .in].contains(token.keyword)
    default: false
    }
  }
}

extension String {
  /// The text in the letters and digits of the language; nil where it has no others.
  fileprivate var plainLetters: String? {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let plain = unicodeScalars.map { scalar -> String in
      guard (0xFF01...0xFF5E).contains(scalar.value) else { return String(scalar) }
      return Unicode.Scalar(scalar.value - 0xFEE0).map { String($0) } ?? String(scalar)
    }
    .joined()
    return plain == self ? nil : plain
  }
}
