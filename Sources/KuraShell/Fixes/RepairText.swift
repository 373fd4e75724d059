import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

/// A statement with a mistake, as rules read it: its parts, the place of the mistake, and the
/// model.
struct RepairText {
  let bytes: [UInt8]
  let parts: [RepairPart]
  /// For each part, the text from there on, up to the length that an expression reads.
  let tails: [String]
  /// The index of the part at which reading failed; the number of parts if the text ended too early.
  let place: Int
  let context: CheckContext
  /// The entity of the statement.
  let entity: String?
  let properties: PropertyNames

  init(_ text: String, at start: Int, _ context: CheckContext) {
    self.context = context
    bytes = Array(text.utf8)
    properties = PropertyNames(context.model)
    let names = properties
    parts = Self.tokens(text, around: start).flatMap { token in
      RepairPart(token, text).pieces { names.has($0) || context.model[$0] != nil }
    }
    let all = bytes
    tails = parts.map { String(decoding: all[$0.span.start...].prefix(400), as: UTF8.self) }
    place = parts.firstIndex { $0.span.end > start } ?? parts.count
    let words = parts.prefix(9).filter(\.isWord).map(\.text)
    let named = words.lazy.compactMap { context.model.entity(called: $0) }.first
    entity = words.first { context.model[$0] != nil } ?? named
  }

  /// Returns the tokens of the statement at a place. The apostrophe of `n't` counts as a letter.
  private static func tokens(_ text: String, around start: Int) -> [Token] {
    let plain = text.replacing(#/n(?<quote>['’])t\b/#) { match in
      "n" + String(repeating: "_", count: match.output.quote.utf8.count) + "t"
    }
    let bytes = Array(plain.utf8)
    var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: .statement)
    var tokens: [Token] = []
    while case let token = lexer.next(), token.end != .text, tokens.count < 400 {
      if token.end == nil {
        tokens.append(token)
      } else if token.span.end > start {
        break
      } else {
        tokens = []
      }
    }
    return tokens
  }
}

extension RepairText {
  var model: Model { context.model }

  func text(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  func text(_ range: Range<Int>) -> String { range.isEmpty ? "" : text(span(range)) }

  func span(_ range: Range<Int>) -> SourceSpan {
    guard let first = parts[range].first, let last = parts[range].last else {
      let end = range.lowerBound > 0 ? parts[range.lowerBound - 1].span.end : 0
      return SourceSpan(end, end)
    }
    return SourceSpan(first.span.start, last.span.end)
  }

  /// Returns the word of the clause that a part belongs to: `where`.
  func clause(at place: Int) -> String {
    parts[..<min(place, parts.count)].last { $0.isClause || $0.word == "order" }?.word ?? ""
  }

  func isKey(_ word: String) -> Bool {
    entity.map { properties.has(word, $0) } ?? false
  }

  /// The entity that was fetched last, followed by the others.
  var likelyEntities: [String] {
    let names = model.entities.prefix(40).map(\.name)
    return names.filter { $0 == context.lastEntity } + names.filter { $0 != context.lastEntity }
  }

  func entity(called name: String) -> String? { model.entity(called: name)?.writtenName }
}

extension Model {
  /// Returns the entity of a name in any case, or of its plural.
  fileprivate func entity(called name: String) -> String? {
    let word = name.lowercased()
    let spellings = [word, word.replacing(#/ies$/#, with: "y"), word.replacing(#/s$/#, with: "")]
    let others = spellings.lazy.compactMap { spelling in
      self.entities.first { $0.name.lowercased() == spelling }
    }
    return self[name]?.name ?? others.first?.name
  }
}

/// The keys of the entities of a model.
struct PropertyNames {
  private var keys: [String: [String]] = [:]
  private var all: Set<String> = []

  init(_ model: Model) {
    for entity in model.entities {
      let names =
        model.allAttributes(of: entity.name).map(\.name)
        + model.allRelationships(of: entity.name).map(\.name)
      keys[entity.name] = names
      all.formUnion(names)
    }
  }

  func has(_ name: String) -> Bool { all.contains(name) }
  func has(_ name: String, _ entity: String) -> Bool { keys[entity]?.contains(name) == true }
  var names: [String] { all.sorted() }
  func all(of entity: String) -> [String] { keys[entity] ?? [] }
}

/// A token, or a part of one in which Latin and Japanese letters touch.
struct RepairPart {
  var span: SourceSpan
  var text: String
  /// The text in lowercase. It is stored, because all rules compare it.
  private(set) var word: String
  var kind: Token.Kind
  var keyword: Keyword?
  var isAdjacent: Bool

  init(_ token: Token, _ text: String) {
    (span, kind, keyword, isAdjacent) = (token.span, token.kind, token.keyword, token.isAdjacent)
    let all = text.utf8
    let start = all.index(all.startIndex, offsetBy: token.span.start)
    self.text = String(text[start..<all.index(start, offsetBy: token.span.end - token.span.start)])
    word = Self.word(self.text)
  }

  private static func word(_ text: String) -> String {
    let word = text.lowercased()
    return word.utf8.allSatisfy { $0 < 0x80 } ? word : word.replacing("’", with: "'")
  }

  /// Splits `titleに` into `title`, `に` and the rest, unless the whole is a name.
  fileprivate func pieces(unless isName: (String) -> Bool) -> [RepairPart] {
    guard isWord || kind == .invalid(.numberWithLetters), !isName(text),
      text.utf8.contains(where: { $0 >= 0x80 })
    else { return [self] }
    var pieces: [RepairPart] = []
    for character in text {
      let length = character.utf8.count
      if var last = pieces.last, let end = last.text.last,
        end.isASCII == character.isASCII,
        !(last.isParticle(before: character)
          && (pieces.dropLast().last?.text.last?.isASCII
            ?? (isAdjacent || !character.isHiraganaLetter)))
      {
        last.text.append(character)
        last.span.end += length
        pieces[pieces.count - 1] = last
      } else {
        var piece = self
        piece.text = String(character)
        piece.isAdjacent = pieces.isEmpty ? isAdjacent : true
        let start = pieces.last?.span.end ?? span.start
        piece.span = SourceSpan(start, start + length)
        pieces.append(piece)
      }
    }
    return pieces.map(\.reread)
  }

  private func isParticle(before next: Character) -> Bool {
    "がはをにのもでとや".contains(text) && !["い", "し", "み", "も"].contains(next)
  }

  /// The piece with the kind that it has on its own.
  private var reread: RepairPart {
    var piece = self
    piece.kind = text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." } ? .number : .word
    piece.keyword = Keyword(word: text)
    piece.word = Self.word(text)
    return piece
  }
}

// Properties of single parts.
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

  /// Whether it can be part of a text without quotes.
  var mayBeText: Bool { isWord ? keyword == nil && !isClause : kind == .number || isInvalid }

  var mayBeOfDay: Bool {
    kind == .number || isInvalid || (isWord ? mayBeText : "/-.,#".contains(text))
  }

  /// Whether it can be part of an operator, as in `=/=`.
  var isSign: Bool { !text.isEmpty && text.allSatisfy { "=<>!/~^-≠".contains($0) } }

  /// Whether it can begin or end a value or a condition.
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

  /// Whether it is a text that is not a valid pattern.
  var isBadPattern: Bool {
    kind == .string && (try? RegularExpression(text.unquoted, [])) == nil
  }

  /// Whether it is an invalid pattern without a similar valid one.
  var isNoPattern: Bool { isBadPattern && text.unquoted.patternsNearby.isEmpty }
}

extension RepairText {
  /// Returns whether a part is the name of a call: `date(`.
  func isCall(_ place: Int) -> Bool {
    place + 1 < parts.count && parts[place + 1].is(.leftParenthesis) && parts[place + 1].isAdjacent
  }

  func isCollection(_ word: String) -> Bool {
    guard let entity,
      case .relationship(let relationship)? = model.property(named: word, of: entity)
    else { return false }
    return relationship.isToMany
  }

  /// The entity of a to-one relationship.
  func destination(of word: String) -> String? {
    guard let entity, case .relationship(let way)? = model.property(named: word, of: entity),
      !way.isToMany
    else { return nil }
    return way.destination
  }

  func type(of word: String) -> AttributeType? {
    guard let entity, case .attribute(let attribute)? = model.property(named: word, of: entity)
    else { return nil }
    return attribute.type
  }

  /// Returns whether an attribute or a to-one relationship can be NULL.
  func mayBeNull(_ word: String) -> Bool {
    switch entity.flatMap({ model.property(named: word, of: $0) }) {
    case .attribute(let attribute)?: attribute.isOptional
    case .relationship(let relationship)?: relationship.isOptional && !relationship.isToMany
    case nil: false
    }
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

  /// Returns `Category/2` for `Category2`.
  func object(in word: String) -> String? {
    guard let match = word.wholeMatch(of: #/(?<name>\w{0,60}?[^\W0-9])(?<number>[0-9]{1,18})/#),
      let name = entity(called: String(match.output.name)), model[word] == nil,
      !properties.has(word)
    else { return nil }
    return "\(name)/\(match.output.number)"
  }

  /// Returns `NO` for `N0`: a word, a key or an entity, with letters instead of similar digits.
  func name(lookingLike part: RepairPart) -> String? {
    guard part.isWord, part.text.contains(where: { "01".contains($0) }) else { return nil }
    let words = ["l", "I", "i"].map {
      part.text.replacing("0", with: "O").replacing("1", with: $0)
    }
    return words.flatMap { [$0, $0.replacing("O", with: "o")] }.first { word in
      Keyword(word: word) != nil || isKey(word) || model[word] != nil
    }
  }

  /// Returns whether a part can be removed. Values, and parts that invert a condition, cannot.
  func isRemovable(_ place: Int) -> Bool {
    let part = parts[place]
    guard place > 0, part.word != "all", !changesMeaning(place) else { return false }
    let next = place + 1 < parts.count ? parts[place + 1] : nil
    if part.isWord, next?.word == part.word { return true }
    switch part.kind {
    case .word: return (part.keyword == nil || part.is(.and) || part.is(.or)) && !part.isClause
    case .invalid: return !part.text.contains { $0.isLetter || $0.isNumber }
    case .symbol: return true
    default: return false
    }
  }

  /// Returns whether a part inverts a condition, or is between two values as in a range or a sum.
  private func changesMeaning(_ place: Int) -> Bool {
    let part = parts[place]
    if RepairWords.has("turning", part.word) || isLoneOperator(place) { return true }
    // `10%` is not 10.
    if part.text == "%", parts[place - 1].kind == .number { return true }
    guard place + 1 < parts.count else { return false }
    let (before, next) = (parts[place - 1], parts[place + 1])
    let isOfNumber = ["-", "+"].contains(part.text) && next.kind == .number && next.isAdjacent
    return part.isSign && (before.isSign || next.isSign) || before.isLiteral && next.isLiteral
      || isOfNumber
  }

  /// Returns whether it is the operator of a condition without a value, as in `title == AND done ==
  /// NO`.
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

  /// A number or a Boolean unchanged; any other text in quotes.
  var asLiteral: String {
    let isWord = ["yes", "no", "true", "false", "null", "nil"].contains(lowercased())
    return Double(self) != nil || isWord || hasPrefix("\"") ? self : writtenText
  }

  /// The text with ASCII letters and digits; nil if it has no others.
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

  /// Valid patterns similar to an invalid one: `.*` for `*`, `[0-9]{4}` for `[0-9]{4`.
  var patternsNearby: [String] {
    guard contains(where: { "[{\\".contains($0) }) else { return [] }
    let starts = hasPrefix("*") ? [self, "." + self] : [self]
    let patterns = starts.flatMap { start in ["", "}", "]", ")"].map { start + $0 } }
    return patterns.first { (try? RegularExpression($0, [])) != nil }.map { [$0] } ?? []
  }

  /// Similar words that can precede a condition or follow a key.
  var wordsNearby: [String] {
    let others = [
      "where", "NOT", "ANY", "ALL", "NONE", "SOME", "descending", "ascending", "desc", "asc",
    ]
    guard utf8.count > 2, !others.contains(where: { $0.lowercased() == self }) else { return [] }
    return nearNames(to: self, among: others).filter { $0.lowercased().first == first }
  }

  /// The sort order that an adjective means: `desc` for `highest`.
  var direction: String? {
    RepairWords.has("falling", self) ? "desc" : RepairWords.has("rising", self) ? "nulls last" : nil
  }

  /// The operator that words mean: `CONTAINS` for `contain`, `<` for `less than`.
  var comparison: String? {
    let joined = filter { !$0.isWhitespace }.lowercased()
    let isOurs = ComparisonOperator.words.contains(joined.uppercased())
    return ForeignWord.comparison(for: joined) ?? (isOurs ? joined.uppercased() : nil)
  }

  /// The operator that Japanese words after a value mean.
  var japaneseComparison: String? {
    let words = filter { !$0.isWhitespace }
    guard words.allSatisfy({ !$0.isASCII }) else { return nil }
    return [words, String(words.dropFirst()), words + "る"].lazy
      .compactMap(ForeignWord.comparison).first
  }
}

// Consecutive parts with a joint meaning
extension RepairText {
  func capture(_ range: Range<Int>) -> RepairMatch.Capture { .init(span: span(range)) }

  /// Returns runs from a place on, as they are written.
  func ends(_ place: Int, _ ends: [Int]) -> PartClass.Ends {
    ends.filter { $0 > place && $0 <= parts.count }.map { ($0, capture(place..<$0)) }
  }

  /// Returns one run with its meaning.
  func meaning(_ range: Range<Int>, _ meaning: String) -> PartClass.Ends {
    [(range.upperBound, .init(span: span(range), text: meaning))]
  }

  /// Returns the runs of at most `most` parts that have a meaning, the longest first.
  func joined(_ place: Int, _ most: Int, _ meaning: (Range<Int>) -> String?) -> PartClass.Ends {
    (place + 1...min(place + most, parts.count)).reversed().flatMap { end in
      meaning(place..<end).map { self.meaning(place..<end, $0) } ?? []
    }
  }

  /// Returns the index of the bracket that closes the one before a place.
  func closing(of place: Int) -> Int? {
    var depth = 0
    for i in parts.indices.suffix(from: place) {
      guard case .symbol(let symbol) = parts[i].kind else { continue }
      if symbol.closing != nil { depth += 1 }
      if symbol.closes {
        if depth == 0 { return i }
        depth -= 1
      }
    }
    return nil
  }

  /// Matches a number; without a number, the result is 1.
  func count(at place: Int) -> PartClass.Ends {
    if parts[place].kind == .number { return ends(place, [place + 1]) }
    if let digits = FreeFormNumber.digits(parts[place].word) {
      return meaning(place..<place + 1, digits)
    }
    return [(place, .init(span: span(place..<place), text: "1"))]
  }

  /// Matches a path: `title`, `parentCategory.name`
  func path(from place: Int) -> PartClass.Ends {
    guard parts[place].isWord, isKey(parts[place].text) else { return [] }
    var end = place + 1
    while end + 1 < parts.count, parts[end].is(.dot), parts[end + 1].isWord, !isCall(end + 1) {
      end += 2
    }
    return ends(place, [end])
  }

  /// Returns keys with commas, spaces and other words between them, as a list of columns.
  func keys(from place: Int, _ isKey: (String) -> Bool) -> PartClass.Ends {
    var (end, found) = (place, [String]())
    for i in parts.indices.suffix(from: place) {
      if parts[i].isWord, isKey(parts[i].text) {
        found.append(parts[i].text.writtenName)
        end = i + 1
      } else if !RepairWords.has("joining", parts[i].word) {
        break
      }
    }
    // Brackets around the list are a part of it.
    if !found.isEmpty, end < parts.count, [")", "]"].contains(parts[end].text) { end += 1 }
    return found.isEmpty ? [] : meaning(place..<end, found.joined(separator: ", "))
  }

  /// Matches an object: `Item/3`
  func object(from place: Int) -> (end: Int, RepairMatch.Capture)? {
    guard place + 2 < parts.count, parts[place].isWord, parts[place + 1].is(.slash),
      parts[place + 2].kind == .number, let name = entity(called: parts[place].text)
    else { return nil }
    let text = "\(name)/\(parts[place + 2].text)"
    return (place + 3, .init(span: span(place..<place + 3), text: text))
  }

  /// Matches several objects of an entity: `Item/3, Item/4`, `Item/3 and Item/4`, `Item/3, 4`
  func severalObjects(from place: Int) -> (entity: String, list: String, end: Int)? {
    guard let first = object(from: place), let name = entity(called: parts[place].text) else {
      return nil
    }
    var (end, numbers) = (first.end, [parts[first.end - 1].text])
    while end + 1 < parts.count, [",", "、", "，", "&", "と", "and"].contains(parts[end].word) {
      let next = object(from: end + 1)?.end ?? end + 2
      let isObject = next > end + 2 && entity(called: parts[end + 1].text) == name
      guard isObject || next == end + 2 && parts[end + 1].kind == .number else { break }
      numbers.append(parts[next - 1].text)
      end = next
    }
    let list = numbers.map { "\(name)/\($0)" }.joined(separator: ", ")
    return numbers.count > 1 ? (name, list, end) : nil
  }

  /// Returns `dueDate` for `due date`.
  func key(inWords range: Range<Int>) -> String? {
    let word = parts[range].map(\.word).joined()
    let keys = entity.map(properties.all) ?? []
    return parts[range].allSatisfy(\.isWord)
      ? keys.first { $0.lowercased() == word }?.writtenName : nil
  }

  /// Returns `Item/4`, also for `Item4`, `Item 4` and `"Item/4"`.
  func anyObject(from place: Int) -> PartClass.Ends {
    [object(from: place)].compactMap(\.self)
      + joined(place, 2) { object(in: text($0).filter { !" /\"".contains($0) }) }
  }

  /// Returns up to nine parts that mean a date, once for each reading of `10.05.2026`.
  func days(from place: Int) -> PartClass.Ends {
    (place + 1...min(place + 9, parts.count)).reversed().flatMap { end in
      days(place..<end).flatMap { meaning(place..<end, $0) }
    }
  }

  /// Returns the dates that words can mean, in quotes; none for a quoted text, and without a year.
  private func days(_ range: Range<Int>) -> [String] {
    let (run, written) = (parts[range], text(range).filter { $0 != "#" })
    guard let first = run.first, run.allSatisfy(\.mayBeOfDay),
      run.count > 1 || first.isWord || first.isInvalid, written.contains(#/[0-9]{4}/#)
    else { return [] }
    let (zone, now) = (context.evaluation.zone, context.evaluation.now)
    return DateMeaning.texts(of: written, in: zone, now: now).map { "\"\($0)\"" }
  }

  /// Returns a literal, a date without quotes, or a word that means a text; a phrase has up to
  /// three words.
  func value(from place: Int, isPhrase: Bool) -> PartClass.Ends {
    let part = parts[place]
    if part.isLiteral {
      let rest = String(decoding: bytes[part.span.start...], as: UTF8.self)
      if let day = rest.prefixMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#)?.output {
        return meaning(place..<min(place + 5, parts.count), "\"\(day)\"")
      }
      return isPhrase && place + 1 < parts.count ? [] : ends(place, [place + 1])
    }
    let words = parts[place...].prefix(isPhrase ? 3 : 1).prefix { isPlain($0, isPhrase) }
    guard !words.isEmpty, !isPhrase || words.endIndex == parts.count else { return [] }
    let plain = text(place..<words.endIndex)
    let truth = isPhrase || plain.allSatisfy(\.isASCII) ? nil : FreeFormBoolean.value(plain)
    return meaning(place..<words.endIndex, truth.map { $0 ? "YES" : "NO" } ?? plain.asLiteral)
  }

  private func isPlain(_ part: RepairPart, _ isPhrase: Bool) -> Bool {
    guard part.isWord, part.keyword == nil || part.isTruth, !part.isClause, !isKey(part.text) else {
      return false
    }
    let isOfASCII =
      part.text.allSatisfy(\.isASCII) || FreeFormPeriod(part.text) != nil
      || FreeFormBoolean.value(part.text) != nil
    let isParticle = part.text.unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) }
    return isPhrase ? !isParticle && ForeignWord.comparison(for: part.text) == nil : isOfASCII
  }

  /// Returns literals that are separated by commas or by words of a choice.
  func literals(from place: Int, isChoice: Bool) -> PartClass.Ends {
    var (end, literals) = (place, [String]())
    while end < parts.count, parts[end].isLiteral {
      literals.append(parts[end].text)
      let next = end + 1 < parts.count ? parts[end + 1] : nil
      let joins = next.map { isChoice ? RepairWords.has("choosing", $0.word) : $0.is(.comma) }
      let step = joins == true ? 2 : next?.isAdjacent == false && !isChoice ? 1 : 3
      guard step < 3, end + step < parts.count, parts[end + step].isLiteral else { break }
      end += step
    }
    return literals.count > 1 ? meaning(place..<end + 1, literals.joined(separator: ", ")) : []
  }

  /// Returns `!=` for the signs that other languages have for it.
  func unequal(from place: Int) -> PartClass.Ends {
    let count = parts[place...].prefix(4).prefix(while: \.isSign).count
    let end = place + count
    guard count > 0, place > 0, !parts[place - 1].isSign, end < parts.count,
      ["!", "==!", "=!", "=/=", "/=", "=!=", "^=", "!==", "=≠", "=/", "==/", "≠"]
        .contains(text(place..<end).filter { !$0.isWhitespace })
    else { return [] }
    return meaning(place..<end, parts[end].isAdjacent ? "!= " : "!=")
  }
}
