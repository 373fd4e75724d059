import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraScript

// What stands beside the place: a word or sign that is missing, two in the wrong order, brackets, quotes.
extension RepairGuesses {
  /// A word or sign between two others.
  var insertions: [FixIt] {
    guard let token = token(0), let before = self.token(-1) else { return [] }
    let end = SourceSpan(before.span.end, before.span.end)
    let start = SourceSpan(token.span.start, token.span.start)
    let hasWhere = tokens.contains { text($0.span).lowercased() == "where" }
    let columns = isLiteral(token) || token.keyword != nil ? [] : ["select "]
    let words = (hasWhere ? [] : ["where "]) + ["as "] + (isInList ? [] : ["AND "]) + columns
    let isOperator = token.kind == .collectionOperator
    if ["group", "section"].contains(text(before.span).lowercased()) {
      return [FixIt(start, "by ")]
    }
    return [FixIt(end, ",")] + words.map { FixIt(start, $0) }
      + (isOperator ? [FixIt(end, ".")] : isInList ? [] : [FixIt(end, " ==")])
  }

  /// Whether the place is in a list of columns or keys, where nobody means a condition.
  private var isInList: Bool {
    clause.map(Self.listWords.contains) ?? false
  }

  private static let listWords: Set = [
    "select", "distinct", "sort", "order", "group", "section", "by",
  ]

  /// Two neighbours in the other order.
  var swaps: [FixIt] {
    [(-1, 0), (0, 1)].compactMap { first, second in
      guard let one = token(first), let two = token(second), one.kind == .word, two.kind == .word,
        ![one, two].contains(where: { $0.is(.and) || $0.is(.or) })
      else { return nil }
      return FixIt(edits: [
        TextEdit(one.span, text(two.span)), TextEdit(two.span, text(one.span)),
      ])
    }
  }

  /// The bracket that closes one which nothing closes, at each place where it may stand.
  var brackets: [FixIt] {
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
  var nestedFetch: [FixIt] {
    guard let source = token(-1), let clause = token(0), source.kind == .word,
      FetchWords.all.contains(text(clause.span).lowercased())
    else { return [] }
    let start = TextEdit(SourceSpan(source.span.start, source.span.start), "(fetch ")
    return tokens[place...].dropFirst().suffix(40).reversed().map {
      FixIt(edits: [start, TextEdit(SourceSpan($0.span.end, $0.span.end), ")")])
    }
  }

  /// Words that are a text, behind an operator.
  var quotes: [FixIt] {
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
