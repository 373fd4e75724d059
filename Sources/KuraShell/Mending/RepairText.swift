import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

/// The statement with a mistake, as rules read it: its parts, the place of the mistake, and the model.
struct RepairText {
  let text: String
  let bytes: [UInt8]
  let parts: [RepairPart]
  /// The text from each part on, as far as an expression looks.
  let tails: [String]
  /// The index of the part at which reading failed; the number of parts if the text ended too early.
  let place: Int
  let context: CheckContext
  /// The entity that the statement asks for.
  let entity: String?
  let properties: PropertyNames

  init(_ text: String, at start: Int, _ context: CheckContext) {
    (self.text, self.context) = (text, context)
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

  /// The tokens of the statement at a place. The apostrophe of `n't` is a letter.
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

  /// The word of the clause that a part belongs to: `where`.
  func clause(at place: Int) -> String {
    parts[..<min(place, parts.count)].last { $0.isClause || $0.word == "order" }?.word ?? ""
  }

  func isKey(_ word: String) -> Bool {
    entity.map { properties.has(word, $0) } ?? false
  }

  /// The entity that was fetched last, and the others.
  var likelyEntities: [String] {
    let names = model.entities.prefix(40).map(\.name)
    return names.filter { $0 == context.lastEntity } + names.filter { $0 != context.lastEntity }
  }

  func entity(called name: String) -> String? { model.entity(called: name)?.writtenName }
}

extension Model {
  /// The entity of a name in letters of any size, or of its plural.
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
  func all(of entity: String) -> [String] { keys[entity] ?? [] }
}

/// A token, or a part of one in which Latin and Japanese letters touch.
struct RepairPart {
  var span: SourceSpan
  var text: String
  var kind: Token.Kind
  var keyword: Keyword?
  var isAdjacent: Bool

  init(_ token: Token, _ text: String) {
    (span, kind, keyword, isAdjacent) = (token.span, token.kind, token.keyword, token.isAdjacent)
    let all = text.utf8
    let start = all.index(all.startIndex, offsetBy: token.span.start)
    self.text = String(text[start..<all.index(start, offsetBy: token.span.end - token.span.start)])
  }

  var word: String { text.lowercased().replacing("’", with: "'") }

  /// `title`, `に` and the rest of `titleに`, unless the whole is a name.
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
          && (pieces.dropLast().last?.text.last?.isASCII ?? isAdjacent))
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

  /// With the kind that the piece has alone.
  private var reread: RepairPart {
    var piece = self
    piece.kind = text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." } ? .number : .word
    piece.keyword = Keyword(word: text)
    return piece
  }
}
