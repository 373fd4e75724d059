import KuraDiagnostics
import KuraModel
import KuraPredicates

// What people write for the values of a range, for one object, and without the entity.
extension RepairGuesses {
  /// `BETWEEN {1900, 1950}` for `= 1900〜1950`, `from 1900 to 1950` and `1900..1950`
  var ranges: [FixIt] {
    let found = text.matches(of: Self.range).prefix(2)
    return found.map { match in
      let start = text[..<match.range.lowerBound].utf8.count
      let span = SourceSpan(start, start + text[match.range].utf8.count)
      return FixIt(span, " BETWEEN {\(match.output.first), \(match.output.last)}")
    }
  }

  /// Everything in it is short: a text of blanks and digits alone is passed in one go.
  nonisolated(unsafe) private static let range =
    /[ ]{0,2}(?:==?|が|は|from|(?i:in|between))? {0,2}\{? {0,2}(?<first>[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{1,40}") {0,2}(?:〜|～|~|\.\.\.?|から|–|—|\bto\b) {0,2}(?<last>[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{1,40}")(?:まで)? {0,2}\}?/

  /// `category != "Private"` for `category == "Private"以外`
  var exceptions: [FixIt] {
    guard let word = token(0), let value = token(-1), let sign = token(-2), isLiteral(value),
      sign.is(.equal) || sign.is(.doubleEqual), text(word.span).hasPrefix("以外")
    else { return [] }
    return [FixIt(edits: [TextEdit(sign.span, "!="), TextEdit(word.span, "")])]
  }

  /// `fetch Book/7` for `fetch 7`, `fetch Book 7` and `fetch Book[7]`
  var numbered: [FixIt] {
    guard let verb = tokens.first, ["fetch", "print"].contains(text(verb.span).lowercased()),
      let number = tokens.firstIndex(where: { $0.kind == .number }), let last = tokens.last
    else { return [] }
    let isAlone = number <= 2 && tokens.count == number + 1
    let isIndex = number == 3 && tokens[2].is(.leftBracket) && last.is(.rightBracket)
    guard isAlone || isIndex && tokens.count == 5 else { return [] }
    let names =
      number == 1
      ? model.entities.prefix(3).map(\.name.writtenName)
      : model[text(tokens[1].span)] == nil ? [] : [text(tokens[1].span)]
    return names.map { name in
      FixIt(
        SourceSpan(tokens[1].span.start, last.span.end),
        "\(name)/\(text(tokens[number].span))")
    }
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
