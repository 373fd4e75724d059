import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

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
  let context: CheckContext

  var model: Model { context.model }

  init(_ text: String, _ diagnostic: Diagnostic, _ context: CheckContext) {
    self.text = text
    self.context = context
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
    return plainCharacters + strings + decimalCommas + foreignWords + [
      FixIt(SourceSpan(end, end), ",")
    ] + swaps
      + commas + equals
  }

  /// The guesses, the better ones first; the next are tried only where none of them is good.
  var tiers: [[FixIt]] {
    if isPlaceholder { return [wildcards] }
    guard isSyntax else {
      return [
        plainCharacters,
        wholeLines + spacedKeys + emptyCalls + numbered + keyLists + datesApart + severalBounds
          + objectValues,
        japaneseConditions + comments + optionsBehind + plainTexts + numbersAsTexts + columnsApart
          + sources + fillers + alternatives + gluedWords,
      ]
    }
    return [
      wholeLines + spacedKeys + emptyCalls + numbered + severalObjects + keyLists + datesApart
        + gluedObjects,
      shellVariables + selectors + callsWithoutBrackets + decimalCommas + presence + missingWords
        + negations
        + japaneseConditions + japaneseLimit + gluedConnectives + wildcards
        + plainCharacters + strings + comments + columnsFirst + countOfRows + countWithoutLimit
        + closingQuotes + filledTexts + lists + severalEntities + options + optionsApart + particles
        + ranges + exceptions + anything + secondCondition + whereAgain + optionsInWords + subjects
        + exclusions + sources + fillers + wordedNegations + wordsBeforeText + alternatives
        + gluedWords + objectValues + missingEquals + openingQuotes + keysWithValues,
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

  /// The word of the clause in which the place is: `where`.
  var clause: String? {
    tokens[..<min(place, tokens.count)].last {
      FetchWords.all.contains(text($0.span).lowercased())
    }
    .map { text($0.span).lowercased() }
  }

  func text(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  /// The day, as a document writes it, that words mean.
  func day(meantBy text: String) -> String? {
    DateMeaning.texts(of: text, in: context.evaluation.zone, now: context.evaluation.now).first
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
    let others = [
      "where", "NOT", "ANY", "ALL", "NONE", "SOME", "descending", "ascending", "desc", "asc",
    ]
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
