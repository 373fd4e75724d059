import KuraDiagnostics
import KuraModel
import KuraPredicates

// What people write for the values of a range, for one object, and without the entity.
extension RepairGuesses {
  /// `BETWEEN {1900, 1950}` for `= 1900〜1950`, `from 1900 to 1950` and `1900..1950`
  var ranges: [FixIt] {
    let found = text.matches(of: Self.range).prefix(2).map {
      ($0.range, $0.output.first, $0.output.last)
    }
    let others = text.matches(of: Self.keyedRange).prefix(2).compactMap { match in
      let key = match.output.key
      let isKey = askedEntity.map { model.property(named: String(key), of: $0) != nil }
      return isKey == true
        ? (key.endIndex..<match.range.upperBound, match.output.first, match.output.last) : nil
    }
    return (others + found).map { range, first, last in
      FixIt(span(range), " BETWEEN {\(first), \(last)}")
    }
  }

  /// `year 1900-1950`, `yearが1900以上1950以下`: a minus alone stands in sums, too.
  nonisolated(unsafe) private static let keyedRange =
    /(?<key>[A-Za-z_]\w{0,60}) {0,2}(?:が|は|in)? {0,2}(?<first>[0-9]{1,16})(?:-| {0,2}以上、? {0,2})(?<last>[0-9]{1,16})(?: {0,2}以下|(?![0-9-以]))/

  /// Everything in it is short: a text of blanks and digits alone is passed in one go.
  nonisolated(unsafe) private static let range =
    /[ ]{0,2}(?:==?|が|は|from|(?i:in|between))? {0,2}\{? {0,2}(?<first>[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{1,40}") {0,2}(?:〜|～|~|\.\.\.?|から|–|—|\bto\b) {0,2}(?<last>[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{1,40}")(?:まで)? {0,2}\}?/

  /// `IN {1, 2, 3}` for `BETWEEN {1, 2, 3}`, and the first and the last of them as bounds.
  var severalBounds: [FixIt] {
    guard case .notTwoBounds(_?)? = failure else { return [] }
    return tokens.indices.flatMap { place -> [FixIt] in
      guard tokens[place].keyword == .between, place + 1 < tokens.count,
        let end = tokens[place...].firstIndex(where: { $0.is(.rightBrace) })
      else { return [] }
      let values = tokens[place + 1..<end].filter(isLiteral)
      guard let low = values.first, let high = values.last, values.count > 2 else { return [] }
      let list = tokens[place + 1].span.joined(tokens[end].span)
      return [
        FixIt(tokens[place].span, "IN"), FixIt(list, "{\(text(low.span)), \(text(high.span))}"),
      ]
    }
  }

  /// `category != "Private"` for `category == "Private"以外` and `category == "Private" ではない`
  var exceptions: [FixIt] {
    guard let word = token(0), let value = token(-1), let sign = token(-2), isLiteral(value),
      sign.is(.equal) || sign.is(.doubleEqual),
      ["以外", "ではない", "でない", "じゃない", "ではありません"].contains(where: text(word.span).hasPrefix)
    else { return [] }
    return [FixIt(edits: [TextEdit(sign.span, "!="), TextEdit(word.span, "")])]
  }

  /// The entity that was left out behind the first word.
  var entities: [FixIt] {
    guard (1...2).contains(place), model.entities.count <= 40, let first = tokens.first else {
      return []
    }
    let behind = SourceSpan(first.span.end, first.span.end)
    return model.entities.map { FixIt(behind, " " + $0.name.writtenName) } + clauses(behind)
  }

  /// The entity with the clause that its key, which follows, stands in.
  private func clauses(_ behind: SourceSpan) -> [FixIt] {
    guard place > 1, let verb = tokens.first else { return [] }
    let key = text(tokens[1].span)
    let words = text(verb.span).lowercased() == "fetch" ? ["where", "select"] : ["where"]
    return model.entities.filter { model.property(named: key, of: $0.name) != nil }.flatMap {
      entity in
      words.map { FixIt(behind, " \(entity.name.writtenName) \($0)") }
    }
  }
}
