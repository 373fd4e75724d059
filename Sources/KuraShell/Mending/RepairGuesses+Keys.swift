import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

// Keys, and values beside them, without the words and commas that they want.
extension RepairGuesses {
  /// `fetch Book select title, year` for `fetch Book title year`, `fetch Book where title, year`,
  /// `fetch Book select titleとyear`, `fetch title, year Book` and `fetch title and year`.
  var keyLists: [FixIt] {
    guard text.utf8.count <= 200, let match = text.wholeMatch(of: Self.list) else { return [] }
    let (whole, verb) = (match.output.rest, match.output.verb.lowercased())
    let parts = Self.parts(of: whole)
    let place = parts.firstIndex { model[$0] != nil }
    let words = parts.enumerated().filter {
      $0.offset != place && !Self.leading.contains($0.element.lowercased())
    }
    .map(\.element)
    let names = place.map { [parts[$0]] } ?? (verb == "fetch" ? likelyEntities : [])
    let entity = names.first { name in
      words.allSatisfy { model.property(named: $0, of: name) != nil }
    }
    guard let entity, !words.isEmpty, place != nil || words.count > 1,
      verb == "fetch" || verb == "select" && place == parts.count - 1
    else { return [] }
    let columns = words.map(\.writtenName).joined(separator: ", ")
    let start = match.output.verb.startIndex
    return [
      FixIt(
        span(start..<whole.endIndex), "fetch \(entity.writtenName) select \(columns)")
    ]
  }

  private static let leading: Set = [
    "select", "where", "fetch", "from", "show", "with", "columns", "only", "だけ", "のみ",
  ]

  nonisolated(unsafe) private static let list =
    /\s*(?<verb>(?i:fetch|select))\s+(?<rest>[^"=<>{}]{1,180})/

  /// The words between blanks, commas, and what joins them.
  private static func parts(of text: Substring) -> [String] {
    var spaced = ""
    for character in text {
      // A particle stands right behind a name of ASCII; in other names it may be a letter.
      let isParticle = "とやのを".contains(character) && spaced.last?.isASCII == true
      spaced.append(isParticle || ",、，・&＆/+()[]".contains(character) ? " " : character)
    }
    let words = spaced.replacing("だけ", with: " ").replacing("のみ", with: " ")
    return words.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { $0.lowercased() != "and" }
  }

  /// `dueDate` for `due date` and `due_date`: a key in two words.
  var spacedKeys: [FixIt] {
    guard let entity = askedEntity else { return [] }
    let keys =
      model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
    let pairs = zip(tokens, tokens.dropFirst()).prefix(100).filter {
      $0.kind == .word && $1.kind == .word
    }
    return pairs.compactMap { one, two in
      let joined = (text(one.span) + text(two.span)).lowercased()
      guard let key = keys.first(where: { $0.lowercased() == joined }) else { return nil }
      return FixIt(one.span.joined(two.span), key.writtenName)
    }
  }

  /// `done == NO AND priority == 1` for `done NO AND priority 1`: a key beside its value.
  var missingEquals: [FixIt] {
    guard let entity = askedEntity,
      let start = tokens.firstIndex(where: { text($0.span).lowercased() == "where" })
    else { return [] }
    let edits = zip(tokens[start...], tokens[start...].dropFirst()).prefix(100).compactMap {
      key, value -> TextEdit? in
      let isKey = key.kind == .word && model.property(named: text(key.span), of: entity) != nil
      let isTruth = value.keyword == .yes || value.keyword == .no
      guard isKey, isLiteral(value) || isTruth else { return nil }
      return TextEdit(SourceSpan(key.span.end, key.span.end), " ==")
    }
    return edits.isEmpty ? [] : [FixIt(edits: edits)]
  }

  /// `category IN {"Office", "Private"}` for `category {"Office", "Private"}`, and `sort pages desc` for
  /// `pages desc`.
  var missingWords: [FixIt] {
    guard let token = token(0), let before = self.token(-1) else { return [] }
    let behind = SourceSpan(before.span.end, before.span.end)
    if token.is(.leftBrace), before.kind == .word { return [FixIt(behind, " IN")] }
    if token.kind == .word, self.token(1)?.is(.leftBrace) == true {
      return [FixIt(SourceSpan(token.span.end, token.span.end), " IN")]
    }
    let rest = tokens[place...].prefix { $0.kind == .word || $0.is(.dot) || $0.is(.comma) }
    guard rest.contains(where: { ["asc", "desc"].contains(text($0.span).lowercased()) }) else {
      return []
    }
    return [FixIt(behind, " sort")]
  }

  /// `dueDate == NULL` for `ISBLANK(dueDate)`
  var emptyCalls: [FixIt] {
    guard text.utf8.count <= 400 else { return [] }
    return text.matches(of: Self.emptyCall).prefix(3).map {
      FixIt(span($0.range), "\($0.output.key) == NULL")
    }
  }

  nonisolated(unsafe) private static let emptyCall =
    /\b(?i:isblank|isempty|isnull|isnil|isna)\s{0,2}\(\s{0,2}(?<key>[A-Za-z_][\w.]{0,60})\s{0,2}\)/

  /// `fetch Book where shelf == "A2"` for `fetch Book shelf A2`, `fetch Book with shelf: "A2"`.
  var keysWithValues: [FixIt] {
    guard tokens.count > 3, model[text(tokens[1].span)] != nil,
      ["fetch", "count", "exists"].contains(text(tokens[0].span).lowercased())
    else { return [] }
    let entity = text(tokens[1].span)
    let isLed = Self.leadingWords.contains(text(tokens[2].span).lowercased())
    let place = isLed ? 3 : 2
    guard place + 1 < tokens.count,
      model.property(named: text(tokens[place].span), of: entity) != nil
    else { return [] }
    let hasSign = [":", "→", "=", "＝", "->"].contains(text(tokens[place + 1].span))
    let first = place + (hasSign ? 2 : 1)
    guard first < tokens.count, let last = tokens.last, tokens.count - first <= 3,
      tokens[first...].allSatisfy({ isPlainValue($0, of: entity) })
    else { return [] }
    let value = text(tokens[first].span.joined(last.span))
    let condition = "\(text(tokens[place].span)) == \(value.asLiteral)"
    return [FixIt(tokens[2].span.joined(last.span), "where \(condition)")]
  }

  private static let leadingWords: Set = [
    "with", "where", "whose", "having", "by", "for", "of", "in", "has",
  ]

  /// A text, a number, or a word that is neither a key nor one of the language.
  private func isPlainValue(_ token: Token, of entity: String) -> Bool {
    switch token.kind {
    case .string, .number: true
    case .word where text(token.span).allSatisfy(\.isHiragana): false
    case .word:
      (token.keyword == nil || [.yes, .no, .true, .false].contains(token.keyword))
        && model.property(named: text(token.span), of: entity) == nil
        && !FetchWords.all.contains(text(token.span).lowercased())
        && ForeignWord.comparison(for: text(token.span)) == nil
    default: false
    }
  }

  /// `date < "1970-01-01"` for `date < Jan 1, 1970`, `date < 1/1/1970` and `date < #1970-01-01#`.
  var datesApart: [FixIt] {
    guard text.utf8.count <= 400 else { return [] }
    let places = tokens.indices.dropLast().prefix(60).filter { isOrder(tokens[$0]) }
    let edits = places.compactMap { dayBehind($0) }
    return (edits.count > 1 ? [FixIt(edits: edits)] : []) + edits.map { FixIt(edits: [$0]) }
  }

  /// The day that stands behind a sign without quotes.
  private func dayBehind(_ place: Int) -> TextEdit? {
    let rest = tokens[(place + 1)...].prefix(9).prefix { mayBeOfDay($0) }
    guard let first = rest.first, let last = rest.last,
      rest.count > 1 || first.kind == .word || isInvalid(first)
    else { return nil }
    let span = first.span.joined(last.span)
    let written = text(span).filter { $0 != "#" && $0 != "\"" }
    // With a year, so that 1.5 is none.
    guard written.contains(#/[0-9]{4}/#), let meant = day(meantBy: written) else { return nil }
    return TextEdit(span, "\"\(meant)\"")
  }

  private func isInvalid(_ token: Token) -> Bool {
    if case .invalid = token.kind { true } else { false }
  }

  private func isOrder(_ token: Token) -> Bool {
    [.equal, .doubleEqual, .bangEqual, .less, .lessEqual, .greater, .greaterEqual].contains {
      token.is($0)
    }
  }

  private func mayBeOfDay(_ token: Token) -> Bool {
    switch token.kind {
    case .number, .invalid: true
    case .word: token.keyword == nil && !FetchWords.all.contains(text(token.span).lowercased())
    default: "/-.,#".contains(text(token.span))
    }
  }
}

extension Character {
  /// Whether it may be a particle's, which is no value.
  fileprivate var isHiragana: Bool {
    unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) }
  }
}
