import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

// What is written beside an operator and belongs into it, or is no value of its own.
extension RepairGuesses {
  /// `CONTAINS[c] "cat"` for `CONTAINS "cat" [c]`
  var optionsBehind: [FixIt] {
    guard let letters = token(0), let bracket = token(-1), bracket.is(.leftBracket),
      let value = token(-2), value.kind == .string, let end = token(1), end.is(.rightBracket),
      let sign = token(-3), takesOptions(sign), text(letters.span).isOptions
    else { return [] }
    return [
      FixIt(edits: [
        TextEdit(sign.behind, "[\(text(letters.span).lowercased())]"),
        TextEdit(SourceSpan(value.span.end, end.span.end), ""),
      ])
    ]
  }

  /// `CONTAINS[cd] "cat"` for `CONTAINS[c] and CONTAINS[d] "cat"`
  var optionsApart: [FixIt] {
    guard place >= 4, place + 4 < tokens.count, tokens[place - 3].is(.leftBracket),
      tokens[place - 1].is(.rightBracket), takesOptions(tokens[place - 4]),
      text(tokens[place + 1].span).lowercased() == text(tokens[place - 4].span).lowercased(),
      tokens[place + 2].is(.leftBracket), tokens[place + 4].is(.rightBracket)
    else { return [] }
    let letters = [place - 2, place + 3].map { text(tokens[$0].span).lowercased() }
    guard letters.allSatisfy(\.isOptions) else { return [] }
    let span = SourceSpan(tokens[place - 3].span.start, tokens[place + 4].span.end)
    return [FixIt(span, "[\(letters.joined())]")]
  }

  private func takesOptions(_ token: Token) -> Bool {
    ComparisonOperator.words.contains(text(token.span).uppercased()) || token.is(.equal)
      || token.is(.doubleEqual) || token.is(.bangEqual)
  }

  /// `LIKE "?2"` for `LIKE ?2`, `LIKE "A?"` for `LIKE A?`, and `LIKE "*"` for `LIKE *`
  var wildcards: [FixIt] {
    if let pattern = token(0), let sign = token(-1), text(sign.span).lowercased() == "matches",
      pattern.kind != .string, pattern.kind != .invalid(.unclosedQuote)
    {
      let end = tokens[place...].prefix { !$0.is(.and) && !$0.is(.or) }.last ?? pattern
      let span = pattern.span.joined(end.span)
      return [FixIt(span, text(span).writtenText)]
    }
    guard let sign = [0, -1].compactMap(token).first(where: { "?*".contains(text($0.span)) }),
      let place = tokens.firstIndex(where: { $0.span == sign.span })
    else { return [] }
    let start = tokens[...place].lastIndex { !$0.isAdjacent } ?? place
    guard start > 0 else { return [] }
    let first = tokens[start]
    let end = bytes[first.span.start...].firstIndex { $0 <= 0x20 } ?? bytes.count
    let span = SourceSpan(first.span.start, end)
    let pattern = "\"\(text(span))\""
    if likes(start) { return [FixIt(span, pattern)] }
    let isKey = askedEntity.map {
      model.property(named: text(tokens[start - 1].span), of: $0) != nil
    }
    return isKey == true ? [FixIt(span, "LIKE \(pattern)")] : []
  }

  /// `CONTAINS[c] "cat"` for `CONTAINS "cat" ignoring case`
  var optionsInWords: [FixIt] {
    guard let first = token(0), let value = token(-1), value.kind == .string, let sign = token(-2),
      takesOptions(sign)
    else { return [] }
    let words = tokens[place...].prefix(3).map { text($0.span).lowercased() }
    for count in [2, 3, 1] where words.count >= count {
      let phrase = words.prefix(count).joined(separator: " ")
      guard let letters = Self.optionPhrases[phrase] else { continue }
      let end = tokens[place + count - 1].span.end
      return [
        FixIt(edits: [
          TextEdit(sign.behind, letters),
          TextEdit(SourceSpan(value.span.end, max(end, first.span.end)), ""),
        ])
      ]
    }
    return []
  }

  private static let optionPhrases: [String: String] = [
    "ignore case": "[c]", "ignoring case": "[c]", "ignorecase": "[c]", "case insensitive": "[c]",
    "caseinsensitive": "[c]", "case - insensitive": "[c]", "nocase": "[c]", "collate nocase": "[c]",
    "ignore accents": "[d]", "ignoring accents": "[d]", "ignore diacritics": "[d]",
    "大文字小文字を無視": "[c]", "大文字小文字を区別しない": "[c]", "大小文字を無視": "[c]", "大文字小文字無視": "[c]",
  ]

  /// `title CONTAINS "x"` for `CONTAINS "x"`, and for `fetch Book "x"`, where an object has a text to ask.
  var subjects: [FixIt] {
    guard let sign = token(0), let name = askedEntity else { return [] }
    let texts = model.allAttributes(of: name).filter { $0.type == .string }
    if sign.kind == .string, place == 2, tokens.count == 3 {
      let start = SourceSpan(sign.span.start, sign.span.start)
      // Of a change the object of that name is meant, and no other that has the text in its name.
      let isChange = FixGate(text, context).isChange(at: start.start)
      let sign = isChange ? "==" : "CONTAINS"
      let isNew = ["insert", "add"].contains(text(tokens[0].span).lowercased())
      return texts.map {
        FixIt(start, isNew ? "\($0.name.writtenName) = " : "where \($0.name.writtenName) \(sign) ")
      }
    }
    let word = text(sign.span).uppercased()
    let isList = ["BETWEEN", "IN"].contains(word) && token(1)?.is(.leftBrace) == true
    guard ComparisonOperator.words.contains(word), isList || token(1)?.kind == .string
    else { return [] }
    let clause = place == 2 ? "where " : ""
    let numbers = model.allAttributes(of: name).filter(\.type.isNumeric)
    return (isList ? numbers : texts).map {
      FixIt(SourceSpan(sign.span.start, sign.span.start), clause + $0.name.writtenName + " ")
    }
  }

  /// `(a == 1 OR b == 2)` for the same in other brackets.
  var roundBrackets: [FixIt] {
    let open = tokens[...min(place, tokens.count - 1)].lastIndex {
      $0.is(.leftBracket) || $0.is(.leftBrace)
    }
    guard let open, case .symbol(let symbol) = tokens[open].kind, let closing = symbol.closing,
      let close = tokens[open...].firstIndex(where: { $0.is(closing) })
    else { return [] }
    return [FixIt(edits: [TextEdit(tokens[open].span, "("), TextEdit(tokens[close].span, ")")])]
  }

  /// `LIKE "*sea*"` for `MATCHES "*sea*"`, and `CONTAINS "(a"` for `MATCHES "(a"`, of a pattern that
  /// is none.
  var plainTexts: [FixIt] {
    guard case .badPattern? = failure,
      let pattern = tokens[place...].firstIndex(where: { $0.kind == .string }),
      let sign = tokens[..<pattern].last(where: { $0.kind == .word }),
      text(sign.span).lowercased() == "matches"
    else { return [] }
    let written = text(tokens[pattern].span)
    let mended = Self.patterns(near: String(written.dropFirst().dropLast())).first {
      (try? RegularExpression($0, [])) != nil
    }
    if let mended { return [FixIt(tokens[pattern].span, mended.writtenText)] }
    let hasWildcards = written.contains { "*?%".contains($0) }
    return [FixIt(sign.span, hasWildcards ? "LIKE" : "CONTAINS")]
  }

  /// `.*, [0-9]{4}` for `*, [0-9]{4` and `.*, [0-9{4}`: what a pattern may lack that is surely one.
  private static func patterns(near pattern: String) -> [String] {
    guard pattern.contains(where: { "[{\\".contains($0) }) else { return [] }
    let starts = pattern.hasPrefix("*") ? [pattern, "." + pattern] : [pattern]
    return starts.flatMap { start in ["", "}", "]", ")"].map { start + $0 } }
  }

  /// `LIKE "2"` for `LIKE 2`: an operator of texts wants a text.
  var numbersAsTexts: [FixIt] {
    zip(tokens, tokens.dropFirst()).prefix(100).compactMap { sign, number in
      guard number.kind == .number, Self.textOperators.contains(text(sign.span).uppercased())
      else { return nil }
      return FixIt(number.span, "\"\(text(number.span))\"")
    }
  }

  private static let textOperators: Set = ["LIKE", "CONTAINS", "BEGINSWITH", "ENDSWITH", "MATCHES"]

  /// `NOT (a OR b)` for `neither a nor b`, `a != b` for `a isn't b`, `NOT a < b` for `a !< b`
  var negations: [FixIt] {
    if let range = text.firstRange(of: "isn't") ?? text.firstRange(of: "isn’t") {
      let start = text[..<range.lowerBound].utf8.count
      return [FixIt(SourceSpan(start, start + text[range].utf8.count), "!=")]
    }
    return neitherNor + refused + unequal
  }

  /// `!= "x"` for `! "x"`, `== !"x"`, `=/= "x"`, `/= "x"` and `~= "x"`
  private var unequal: [FixIt] {
    let places = tokens.indices.dropFirst().dropLast()
    let starts = places.filter { isPartOfSign(tokens[$0]) && !isPartOfSign(tokens[$0 - 1]) }
    return starts.prefix(4).compactMap { start in
      let end = tokens[start...].prefix(4).lastIndex(where: isPartOfSign) ?? start
      let span = tokens[start].span.joined(tokens[end].span)
      let sign = text(span).filter { !$0.isWhitespace }
      guard Self.unequalSigns.contains(sign), end + 1 < tokens.count else { return nil }
      return FixIt(span, tokens[end + 1].isAdjacent ? "!= " : "!=")
    }
  }

  private func isPartOfSign(_ token: Token) -> Bool {
    let written = text(token.span)
    return !written.isEmpty && written.allSatisfy { "=!/~^≠".contains($0) }
  }

  private static let unequalSigns: Set = [
    "!", "==!", "=!", "=/=", "/=", "=!=", "~=", "^=", "!==", "=≠", "=/", "==/",
  ]

  private var neitherNor: [FixIt] {
    let words = tokens.map { text($0.span).lowercased() }
    guard let neither = words.firstIndex(of: "neither"), let nor = words.firstIndex(of: "nor"),
      neither < nor
    else { return [] }
    let end = tokens[nor...].firstIndex { FetchWords.all.contains(text($0.span).lowercased()) }
    return [
      FixIt(edits: [
        TextEdit(tokens[neither].span, "NOT ("), TextEdit(tokens[nor].span, "OR"),
        TextEdit(tokens[(end ?? tokens.count) - 1].behind, ")"),
      ])
    ]
  }

  private var refused: [FixIt] {
    guard let bang = tokens.indices.first(where: { tokens[$0].is(.bang) }), bang > 0,
      bang + 1 < tokens.count, tokens[bang + 1].isAdjacent,
      [.less, .lessEqual, .greater, .greaterEqual].contains(where: { tokens[bang + 1].is($0) }),
      tokens[bang - 1].kind == .word
    else { return [] }
    let start = SourceSpan(tokens[bang - 1].span.start, tokens[bang - 1].span.start)
    return [FixIt(edits: [TextEdit(start, "NOT "), TextEdit(tokens[bang].span, "")])]
  }

  /// `title, pages` for `title and pages`, where columns were meant and no truth.
  var columnsApart: [FixIt] {
    guard case .noTruth? = failure,
      let word = tokens[place...].first(where: { $0.is(.and) || $0.is(.or) }),
      let before = tokens.last(where: { $0.span.end <= word.span.start })
    else { return [] }
    return [FixIt(SourceSpan(before.span.end, word.span.end), ",")]
  }

  /// `!= NULL` for `== *`: whatever value it has.
  var anything: [FixIt] {
    guard let star = token(0), text(star.span) == "*", let sign = token(-1) else { return [] }
    let isEqual = sign.is(.equal) || sign.is(.doubleEqual)
    guard isEqual || sign.is(.bangEqual) else { return [] }
    return [FixIt(sign.span.joined(star.span), isEqual ? "!= NULL" : "== NULL")]
  }

  /// Whether LIKE or MATCHES stands right before a token, with its options or without.
  private func likes(_ place: Int) -> Bool {
    let isBehindOptions = tokens[place - 1].is(.rightBracket) && place > 3
    let word = text(tokens[isBehindOptions ? place - 4 : place - 1].span).lowercased()
    return word == "like" || word == "matches"
  }
}

extension Token {
  fileprivate var behind: SourceSpan { SourceSpan(span.end, span.end) }
}

extension String {
  /// Whether it is the letters of options, as `cd` is.
  fileprivate var isOptions: Bool {
    !isEmpty && utf8.count <= 4 && lowercased().allSatisfy { "cdnlw".contains($0) }
  }
}
