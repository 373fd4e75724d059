import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

// What other languages write with the same signs.
extension RepairGuesses {
  /// `"Dad's"` for `'Dad's'`: an apostrophe between letters.
  private var apostrophes: [FixIt] {
    let edits = text.matches(of: Self.apostrophe).prefix(4).map {
      TextEdit(span($0.range), String($0.output.text).writtenText)
    }
    return edits.isEmpty ? [] : [FixIt(edits: edits)]
  }

  nonisolated(unsafe) private static let apostrophe =
    /'(?<text>[^'"\\\n]{0,60}\w'\w[^'"\\\n]{0,60})'(?!\w)/

  /// `'Dad\'s'` for `'Dad''s'`, and the text alone for `N'text'`
  var strings: [FixIt] {
    let pairs = zip(tokens, tokens.dropFirst()).filter { $1.kind == .string && $1.isAdjacent }
    let quotes = pairs.filter { one, two in
      one.kind == .string && bytes[one.span.start] == bytes[two.span.start]
    }
    .map { one, two in
      TextEdit(
        SourceSpan(one.span.end - 1, two.span.start + 1),
        "\\" + text(SourceSpan(two.span.start, two.span.start + 1)))
    }
    let prefixes = pairs.filter { one, _ in
      one.kind == .word && one.span.end - one.span.start <= 2
    }
    .map { TextEdit($0.0.span, "") }
    return apostrophes + [quotes, prefixes].filter { !$0.isEmpty }.map { FixIt(edits: $0) }
  }

  /// `-- x` for `--x`, `//x` and `#x`
  var comments: [FixIt] {
    for (one, two) in zip(tokens, tokens.dropFirst()) where two.isAdjacent {
      let span = one.span.joined(two.span)
      if ["--", "//"].contains(text(span)) { return [FixIt(span, "-- ")] }
    }
    let sharp = tokens.first { text($0.span).hasPrefix("#") && $0.span.start > 0 }
    return sharp.map { [FixIt(SourceSpan($0.span.start, $0.span.start + 1), "-- ")] } ?? []
  }

  /// `print (fetch Item select distinct title).@count` for `count Item select distinct title`
  var countOfRows: [FixIt] {
    guard let first = tokens.first, let last = tokens.last,
      text(first.span).lowercased() == "count"
    else { return [] }
    return [
      FixIt(edits: [
        TextEdit(first.span, "print (fetch"),
        TextEdit(SourceSpan(last.span.end, last.span.end), ").@count"),
      ])
    ]
  }

  /// `fetch Item select title` for `fetch title from Item`
  var columnsFirst: [FixIt] {
    guard let first = tokens.first, let last = tokens.last,
      let from = tokens.firstIndex(where: { text($0.span).lowercased() == "from" }),
      from > 1, from + 1 < tokens.count, ["fetch", "count"].contains(text(first.span).lowercased())
    else { return [] }
    let columns = text(SourceSpan(tokens[1].span.start, tokens[from - 1].span.end))
    let counts = text(first.span).lowercased() == "count"
    let select = columns == "*" ? "" : " select \(columns)"
    return [
      FixIt(edits: [
        TextEdit(first.span, counts ? "print (fetch" : "fetch"),
        TextEdit(SourceSpan(tokens[1].span.start, tokens[from + 1].span.start), ""),
        TextEdit(SourceSpan(last.span.end, last.span.end), select + (counts ? ").@count" : "")),
      ])
    ]
  }

  /// `"Office"` for `"Office`: before the words that go on, or at the line's end.
  var closingQuotes: [FixIt] {
    guard let open = tokens.first(where: { $0.kind == .invalid(.unclosedQuote) }) else { return [] }
    let line = text(open.span).prefix { !$0.isNewline }
    let quote = String(line.prefix(1))
    if let other = otherQuote(line, open.span.start) { return [FixIt(other, quote)] }
    let words = [" sort ", " limit ", " select ", " and ", " or ", " where ", ")", ",", "}"]
    let places = words.compactMap { word in
      line.lowercased().firstRange(of: word).map { line.lowercased()[..<$0.lowerBound].utf8.count }
    }
    let end = String(line.reversed().drop(while: \.isWhitespace).reversed()).utf8.count
    return (places.sorted() + [end]).map {
      FixIt(SourceSpan(open.span.start + $0, open.span.start + $0), quote)
    }
  }

  /// `"Office"` for `Office"`
  var openingQuotes: [FixIt] {
    guard let quote = tokens.last, quote.kind == .invalid(.unclosedQuote),
      text(quote.span).count == 1, quote.isAdjacent, tokens.count > 1
    else { return [] }
    let words = tokens.dropLast().reversed().prefix { !wantsValue($0) }
    guard let first = words.last, words.count <= 4, words.count < tokens.count - 1 else {
      return []
    }
    return [FixIt(SourceSpan(first.span.start, first.span.start), text(quote.span))]
  }

  /// The one other quote of a line: `'掃除"`
  private func otherQuote(_ line: Substring, _ start: Int) -> SourceSpan? {
    let other: Character = line.first == "'" ? "\"" : "'"
    let places = line.indices.filter { line[$0] == other }
    guard places.count == 1, let place = places.first else { return nil }
    let offset = start + line[..<place].utf8.count
    return SourceSpan(offset, offset + 1)
  }

  /// `CONTAINS[cd] "x"` for `CONTAINS cd "x"`
  var options: [FixIt] {
    guard let letters = token(-1), let sign = token(-2), letters.kind == .word,
      ComparisonOperator.words.contains(text(sign.span).uppercased()),
      text(letters.span).lowercased().allSatisfy({ "cdnl".contains($0) })
    else { return [] }
    let span = SourceSpan(sign.span.end, letters.span.end)
    return [FixIt(span, "[\(text(letters.span).lowercased())]")]
  }

  /// `LIKE "*掃*"` for `LIKE "*%@*", "掃"`: in quotes a placeholder is its own characters.
  var filledTexts: [FixIt] {
    guard let comma = token(0), comma.is(.comma), let last = tokens.last else { return [] }
    let values = tokens[place...].enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let texts = tokens[..<place].filter { $0.kind == .string && specifier(in: $0) != nil }
    guard !values.isEmpty, values.count == texts.count, values.allSatisfy(isLiteral) else {
      return []
    }
    let edits = zip(texts, values).compactMap { token, value in
      specifier(in: token).map { TextEdit($0, text(value.span).withoutQuotes) }
    }
    return [FixIt(edits: edits + [TextEdit(SourceSpan(comma.span.start, last.span.end), "")])]
  }

  /// `FUNCTION(title, "capitalizedString")` for `capitalizedString(title)`
  var selectors: [FixIt] {
    guard let name = token(0), let open = token(1), open.is(.leftParenthesis), open.isAdjacent,
      FunctionSelectors.names.contains(text(name.span))
    else { return [] }
    var depth = 0
    let close = tokens[(place + 1)...].first { token in
      depth += token.is(.leftParenthesis) ? 1 : token.is(.rightParenthesis) ? -1 : 0
      return depth == 0
    }
    guard let close else { return [] }
    let start = SourceSpan(close.span.start, close.span.start)
    return [
      FixIt(edits: [
        TextEdit(name.span, "FUNCTION"), TextEdit(start, ", \"\(text(name.span))\""),
      ])
    ]
  }

  /// `$x` for `${x}`
  var shellVariables: [FixIt] {
    let edits = text.matches(of: #/\$\{(\w{1,60})\}/#).map {
      TextEdit(span($0.range), "$\($0.output.1)")
    }
    return edits.isEmpty ? [] : [FixIt(edits: edits)]
  }

  /// `avg(pages)` for `avg pages`
  var callsWithoutBrackets: [FixIt] {
    guard let key = token(0), let name = token(-1), key.kind == .word, name.kind == .word else {
      return []
    }
    let word = text(name.span).lowercased()
    guard
      ["avg", "sum", "min", "max", "count"].contains(word) || PredicateFunction.called(word) != nil
    else { return [] }
    let edits = [
      TextEdit(SourceSpan(name.span.end, key.span.start), "("),
      TextEdit(SourceSpan(key.span.end, key.span.end), ")"),
    ]
    return [FixIt(edits: edits)]
  }

  /// `1.5` for `1,5`: a comma as the decimal sign, where it groups no thousands.
  var decimalCommas: [FixIt] {
    guard let comma = [0, -1].compactMap(token).first(where: { $0.is(.comma) && $0.isAdjacent }),
      let i = tokens.firstIndex(where: { $0.span == comma.span }), i > 0, i + 1 < tokens.count,
      tokens[i - 1].kind == .number, tokens[i + 1].kind == .number, tokens[i + 1].isAdjacent,
      tokens[i + 1].span.end - tokens[i + 1].span.start != 3
    else { return [] }
    return [FixIt(comma.span, ".")]
  }

  private func specifier(in token: Token) -> SourceSpan? {
    let written = text(token.span)
    guard
      let range = ["%@", "%d", "%s", "%i"].lazy.compactMap({ written.firstRange(of: $0) }).first
    else { return nil }
    let start = token.span.start + written[..<range.lowerBound].utf8.count
    return SourceSpan(start, start + 2)
  }

  /// `fetch Task; fetch Tag` for `fetch Task, Tag`: a fetch is of one entity.
  var severalEntities: [FixIt] {
    guard place == 2, tokens.count > 3, tokens.count % 2 == 0, tokens.count < 20 else { return [] }
    let names = stride(from: 1, to: tokens.count, by: 2).map { tokens[$0] }
    let signs = stride(from: 2, to: tokens.count, by: 2).map { tokens[$0] }
    guard names.allSatisfy({ model[text($0.span)] != nil }),
      signs.allSatisfy({ [",", "and", "&"].contains(text($0.span).lowercased()) })
    else { return [] }
    let verb = text(tokens[0].span)
    return [
      FixIt(
        edits: zip(signs, names).map { sign, name in
          TextEdit(SourceSpan(name.span.end, sign.span.end), "; \(verb)")
        })
    ]
  }

  /// `IN {"a", "b"}` for `== "a", "b"` and `in 1, 2`
  var lists: [FixIt] {
    guard let comma = token(0), comma.is(.comma), let value = token(-1), let sign = token(-2) else {
      return optionsInBrackets
    }
    var last = place
    while last + 1 < tokens.count, tokens[last].is(.comma), isLiteral(tokens[last + 1]) {
      last += 2
    }
    guard last > place, isLiteral(value) else { return [] }
    let end = SourceSpan(tokens[last - 1].span.end, tokens[last - 1].span.end)
    let list = [
      TextEdit(SourceSpan(value.span.start, value.span.start), "{"), TextEdit(end, "}"),
    ]
    if sign.is(.in) { return [FixIt(edits: list)] }
    guard sign.is(.equal) || sign.is(.doubleEqual) else { return [] }
    return [FixIt(edits: [TextEdit(sign.span, "IN")] + list)]
  }

  func isLiteral(_ token: Token) -> Bool { token.kind == .string || token.kind == .number }

  /// `CONTAINS[c]` for `CONTAINS(c)` and `CONTAINS{c}`
  private var optionsInBrackets: [FixIt] {
    guard let open = token(-3), let letters = token(-2), let close = token(-1),
      open.is(.leftParenthesis) && close.is(.rightParenthesis)
        || open.is(.leftBrace) && close.is(.rightBrace),
      letters.kind == .word
    else { return [] }
    return [FixIt(edits: [TextEdit(open.span, "["), TextEdit(close.span, "]")])]
  }

  /// `fetch Item limit 3` for `fetch top 3 Item` and `fetch 3 Item`
  var leadingLimit: [FixIt] {
    guard tokens.count > 2, let last = tokens.last else { return [] }
    let count = tokens[1].kind == .number ? 1 : 2
    guard tokens.count > count + 1, tokens[count].kind == .number,
      count == 1 || ForeignVocabulary.words(for: text(tokens[1].span)).contains("limit")
    else { return [] }
    let span = SourceSpan(tokens[1].span.start, tokens[count + 1].span.start)
    let end = SourceSpan(last.span.end, last.span.end)
    return [
      FixIt(edits: [TextEdit(span, ""), TextEdit(end, " limit \(text(tokens[count].span))")])
    ]
  }

  /// Another sign or word in the place of one.
  var replacements: [FixIt] {
    [-1, 0, 1].compactMap(token).flatMap { token -> [FixIt] in
      let words: [String] =
        switch text(token.span).lowercased() {
        case ";": [","]
        case "、", "，": [",", " AND"]
        case ",": connectives
        case "and", "&", "&&", "＆", "と", "plus", "+": [",", "AND"]
        case "かつ", "および", "且つ", "そして", "しかも", "なおかつ", "それと", "で": ["AND"]
        case "または", "又は", "もしくは", "か", "あるいは", "|", "//", "｜": ["OR"]
        case "でない", "ではない": ["NOT"]
        case "`": ["\""]
        case "none", "undefined", "nothing": ["NULL"]
        case ":": [" ==", ""]
        case "but", "also": ["AND"]
        case "with", "of", "=": [""]
        default: []
        }
      return words.map { FixIt(token.span, $0) }
    } + backquotes
  }

  /// What may stand for a comma: nothing in a list of columns, and no OR between two bounds.
  private var connectives: [String] {
    guard ["where", "having"].contains(clause) else { return [] }
    return tokens.contains { $0.keyword == .between } ? [" AND"] : [" AND", " OR"]
  }

  /// `"x"`, or the word alone, for what stands between backquotes.
  private var backquotes: [FixIt] {
    let marks = tokens.filter { text($0.span) == "`" }
    guard !marks.isEmpty, marks.count % 2 == 0 else { return [] }
    return ["\"", ""].map { mark in FixIt(edits: marks.map { TextEdit($0.span, mark) }) }
  }
}

extension String {
  /// `x` for `"x"`
  fileprivate var withoutQuotes: String {
    hasPrefix("\"") || hasPrefix("'") ? String(dropFirst().dropLast()) : self
  }

}
