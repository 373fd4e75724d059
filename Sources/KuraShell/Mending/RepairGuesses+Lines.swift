import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates

// What is read of a line as a whole: a prompt that was copied, marks around it, a spreadsheet's call.
extension RepairGuesses {
  /// Longer lines are nobody's first tries.
  private static let longestLine = 200

  private var isShort: Bool { text.utf8.count <= Self.longestLine }

  /// `fetch Book` for `kura> fetch Book`, `「fetch Book」`, `fetchBook` and `=COUNT(Book)`.
  var wholeLines: [FixIt] { isShort ? prompt + enclosing + glued + spreadsheetCounts : [] }

  private var prompt: [FixIt] {
    guard let match = text.prefixMatch(of: Self.promptSign) else { return [] }
    return [FixIt(span(match.range), "")]
  }

  nonisolated(unsafe) private static let promptSign = /\s{0,4}kura[^\s>]{0,30}>\s{0,4}/

  private var enclosing: [FixIt] {
    let line = text.trimmedOfBlanks
    guard let first = line.first, let last = line.last, line.count > 2,
      Self.marks[first] == last, let start = text.firstIndex(of: first),
      let end = text.lastIndex(of: last)
    else { return [] }
    let edits = [start..<text.index(after: start), end..<text.index(after: end)]
    return [FixIt(edits: edits.map { TextEdit(span($0), "") })]
  }

  private static let marks: [Character: Character] = [
    "「": "」", "『": "』", "“": "”", "\"": "\"", "'": "'", "`": "`", "(": ")", "（": "）", "[": "]",
    "<": ">",
  ]

  /// `fetch Book` for `fetchBook`
  private var glued: [FixIt] {
    guard let word = tokens.first, word.kind == .word else { return [] }
    let written = text(word.span)
    return ["fetch", "count", "exists", "describe"].filter(written.lowercased().hasPrefix).flatMap {
      verb in
      entities(called: String(written.dropFirst(verb.count))).map {
        FixIt(word.span, "\(verb) \($0)")
      }
    }
  }

  /// The entities of a name in letters of any size.
  func entities(called name: String) -> [String] {
    model.entities.map(\.name).filter { $0.lowercased() == name.lowercased() }.map(\.writtenName)
  }

  /// `count Book` for `=COUNTA(Book)`, `count Book where shelf == "A2"` for `=COUNTIF(shelf, "A2")`.
  private var spreadsheetCounts: [FixIt] {
    if let match = text.wholeMatch(of: Self.countOfAll) {
      let name = String(match.output.name)
      let all = entities(called: name).map { FixIt(span(match.range), "count \($0)") }
      return all.isEmpty ? countOfKnown(name, span(match.range)) : all
    }
    if let match = text.wholeMatch(of: Self.countOfKey) {
      return countOfKnown(String(match.output.key), span(match.range), match.output.name)
    }
    guard let match = text.wholeMatch(of: Self.countOfSome) else { return [] }
    let key = String(match.output.key)
    let condition = "\(key) \(match.output.sign.operation) \(String(match.output.value).asLiteral)"
    return likelyEntities.filter { model.property(named: key, of: $0) != nil }.map {
      FixIt(span(match.range), "count \($0.writtenName) where \(condition)")
    }
  }

  /// `count Task where dueDate != NULL` for `COUNTA(dueDate)` and `count Task dueDate`
  private func countOfKnown(
    _ key: String, _ span: SourceSpan, _ entity: Substring? = nil
  ) -> [FixIt] {
    let names = likelyEntities.filter { model.property(named: key, of: $0) != nil }
    return names.filter { entity == nil || $0 == entity.map(String.init) }.map {
      FixIt(span, "count \($0.writtenName) where \(key) != NULL")
    }
  }

  nonisolated(unsafe) private static let countOfKey =
    /\s*(?i:count)\s+(?:(?<name>\w{1,60})[\s.]\s*)?(?:(?i:with|having|has|where|that\s+have|of)\s+)?(?<key>\w{1,60})\s*/
  nonisolated(unsafe) private static let countOfAll =
    /\s*(?:print\s)?\s*=?\s*(?i:counta?|rows)\s*\(\s*(?<name>\w{1,60})\s*\)\s*/
  nonisolated(unsafe) private static let countOfSome =
    /\s*=?\s*(?i:countifs?)\s*\(\s*(?<key>\w{1,60})\s*[,;]\s*"?(?<sign>[<>=!]{0,2})(?<value>[^")]{1,60})"?\s*\)\s*/

  func span(_ range: Range<String.Index>) -> SourceSpan {
    let start = text[..<range.lowerBound].utf8.count
    return SourceSpan(start, start + text[range].utf8.count)
  }
}

extension RepairGuesses {
  /// `fetch Book` for `fetch Book all`, `fetch every Book`, and `fetch Book select title only`; the same
  /// for `fetch Book limit all`.
  var fillers: [FixIt] {
    guard tokens.count > 2,
      ["fetch", "count", "exists"].contains(text(tokens[0].span).lowercased())
    else { return [] }
    let idle = tokens.indices.dropFirst().filter { isFiller(tokens[$0]) }
    let ends = idle.filter { $0 == tokens.count - 1 || $0 == 1 || isFiller(tokens[1]) && $0 == 2 }
    guard !ends.isEmpty, ends.count < tokens.count - 1 else { return [] }
    let limit = ends.compactMap { place in
      text(tokens[place - 1].span).lowercased() == "limit" ? place - 1 : nil
    }
    let words = (ends + limit).sorted()
    return [FixIt(edits: words.map { TextEdit(withBlank(tokens[$0].span), "") })]
  }

  private func isFiller(_ token: Token) -> Bool {
    token.kind == .word && Self.fillerWords.contains(text(token.span).lowercased())
  }

  private static let fillerWords: Set = [
    "all", "every", "each", "the", "only", "please", "of", "my", "a", "me", "just", "now", "here",
    "全部", "すべて", "全て", "だけ", "のみ", "を", "の", "は", "です", "下さい", "ください",
  ]

  /// `count Book` for `count Book limit 5`: what is counted has no end that somebody sets.
  var countWithoutLimit: [FixIt] {
    guard tokens.count > 3, let last = tokens.last, last.kind == .number,
      text(tokens[0].span).lowercased() == "count",
      text(tokens[tokens.count - 2].span).lowercased() == "limit"
    else { return [] }
    return [FixIt(withBlank(tokens[tokens.count - 2].span.joined(last.span)), "")]
  }
}

extension Substring {
  /// The operator that stands before a spreadsheet's criterion.
  fileprivate var operation: String {
    isEmpty || self == "=" ? "==" : self == "<>" ? "!=" : String(self)
  }
}

extension String {
  var trimmedOfBlanks: Substring {
    let rest = self[...].drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? ""
  }

  /// A number or a truth as it is, and else a text in quotes.
  var asLiteral: String {
    let isNumber = Double(self) != nil
    let isWord = ["yes", "no", "true", "false", "null", "nil"].contains(lowercased())
    return isNumber || isWord || hasPrefix("\"") ? self : writtenText
  }
}
