import KuraBytes
package import KuraDiagnostics
package import KuraModel

/// What a text of another language was read as.
package struct ForeignReading: Sendable {
  package var language: ForeignLanguage
  package var kind = Kind.statement
  /// What of the text was read.
  package var span: SourceSpan
  /// Where the first thing stands that is another language's.
  package var place: SourceSpan
  /// Whether such a thing was met at all, and not only names that are spelled otherwise.
  package var isMarked = true
  /// What it may be in Kura, the likeliest first; several statements stand in lines.
  package var translations: [String]
  /// What has no counterpart here, and where it stands; nil: all has.
  package var problem: (construct: NoCounterpart, span: SourceSpan)?

  /// Where it could not be read on; nil: it was read.
  package var stop: SourceSpan?

  package enum Kind: Sendable {
    /// All of it is the other language's.
    case statement
    /// A statement of Kura in which something of another language stands.
    case phrase
  }
}

/// Reads texts of other languages as statements of Kura about a model.
///
///     let translator = ForeignTranslator(model)
///     translator.readings(of: Array("SELECT * FROM Item".utf8), from: 0)   // fetch Item
///
/// It is tolerant, and says what may be meant: whoever offers a translation checks it before.
package struct ForeignTranslator: Sendable {
  let names: ModelNames
  /// Entities that may be meant where none is named, the likeliest first.
  private let candidates: [String]

  /// `lastEntity` is that of the last fetch.
  package init(_ model: Model, lastEntity: String? = nil) {
    names = ModelNames(model: model)
    let concrete = model.entities.filter { !$0.isAbstract }.map(\.name)
    let last = concrete.filter { $0 == lastEntity }
    candidates = last + concrete.filter { $0 != lastEntity }.prefix(12)
  }

  /// Longer texts are nobody's statements.
  package static let longestText = 20_000
}

extension ForeignTranslator {
  /// What the text may be that begins at a byte: each reading of which something came, or that met
  /// something without a counterpart.
  ///
  /// A chain of a thousand keys is a tree as high, which is read, written and freed by going down.
  package func readings(of bytes: [UInt8], from start: Int) -> [ForeignReading] {
    guard bytes.count - start <= Self.longestText, start < bytes.count else { return [] }
    let text = ForeignText(bytes, from: start)
    return DeepStack.runOnItsOwn { readers(for: text).compactMap { $0(text) } }
  }

  private typealias Reader = (ForeignText) -> ForeignReading?

  /// Those that may be able to read it, by its first word.
  private func readers(for text: ForeignText) -> [Reader] {
    var readers: [Reader] = [shell]
    if text.isPrintCall { readers += [code] }
    let isKura = KuraStatementReader.firstWords.contains(text.firstWord)
    if isKura, !text.beginsLikeSQL { readers.append(kura) }
    let isSQL =
      SQLStatementReader.firstWords.contains(text.firstWord) || text.first == UInt8(ascii: "(")
    if isSQL, !isKura || text.beginsLikeSQL { readers.append(sql) }
    if isKura, text.beginsLikeSQL { readers.append(kura) }
    if !text.beginsLikeKura { readers += [jq, code, codeLine, wish] }
    return readers
  }
}

extension ForeignTranslator {
  /// Whether a text begins as SQL does, and a line behind it belongs to the same statement.
  package static func isOneStatement(ofSQL text: String, goingOnWith line: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= longestText,
      let start = bytes.firstIndex(where: { !ForeignText.isBlank($0) })
    else { return false }
    let both = ForeignText(bytes + [10] + Array(line.utf8), from: start)
    guard both.isSurelySQL || SQLStatementReader.firstWords.contains(both.firstWord) else {
      return false
    }
    let next = ForeignText(
      Array(line.utf8), from: line.utf8.prefix(while: ForeignText.isBlank).count)
    return !next.beginsLikeKura && both.statement(.sql).end > bytes.count
  }
}

// The readers
extension ForeignTranslator {
  private func kura(_ text: ForeignText) -> ForeignReading? {
    let span = text.statement(.kura)
    let parser = ForeignParser(text.bytes, span, .kura)
    let reader = KuraStatementReader(parser, names)
    var found = reading(span, parser, .kura) { () throws(ForeignProblem) in try reader.read() }
    found?.kind = .phrase
    let comment = text.tightComment(behind: span.end)
    if reader.writer.changes == 0, parser.marks.isEmpty, comment == nil { found?.translations = [] }
    if let comment {
      let commented = found?.translations.map { $0 + " -- " + comment.text }
      found?.span.end = comment.span.end
      found?.translations = commented ?? []
    }
    return found
  }

  private func sql(_ text: ForeignText) -> ForeignReading? {
    let span = text.statement(.sql)
    let parser = ForeignParser(text.bytes, span, .sql)
    let reader = SQLStatementReader(parser, names)
    var found = reading(span, parser, .sql) { () throws(ForeignProblem) in try reader.read() }
    if reader.writer.mindedNull {
      let plain = SQLStatementReader(ForeignParser(text.bytes, span, .sql), names)
      plain.writer.minds = false
      found?.translations += (try? plain.read()) ?? []
    }
    return found?.stop != nil && !text.isSurelySQL ? nil : found
  }

  private func code(_ text: ForeignText) -> ForeignReading? { code(text, text.all) }

  private func codeLine(_ text: ForeignText) -> ForeignReading? {
    text.line == text.all ? nil : code(text, text.line)
  }

  private func code(_ text: ForeignText, _ span: SourceSpan) -> ForeignReading? {
    ofAnyEntity { entity in
      let parser = ForeignParser(text.bytes, span, .code)
      let language = ForeignLanguage.ofProgram(
        String(decoding: text.bytes[span.start..<span.end], as: UTF8.self))
      return reading(span, parser, language) { () throws(ForeignProblem) in
        try ScriptReader(parser, names, about: entity).read()
      }
    }
  }

  private func jq(_ text: ForeignText) -> ForeignReading? {
    jq(text, text.line)
  }

  func jq(_ text: ForeignText, _ span: SourceSpan) -> ForeignReading? {
    ofAnyEntity { entity in
      let parser = ForeignParser(text.bytes, span, .jq)
      return reading(span, parser, .jq) { () throws(ForeignProblem) in
        try JQReader(parser, names, about: entity).read()
      }
    }
  }

  /// The reading with each entity that may be meant; the same with all where one is named.
  private func ofAnyEntity(_ read: (String) -> ForeignReading?) -> ForeignReading? {
    let readings = candidates.compactMap(read)
    guard var all = readings.first(where: { $0.problem == nil }) ?? readings.first else {
      return nil
    }
    var seen: Set<String> = []
    all.translations = readings.flatMap(\.translations).filter { seen.insert($0).inserted }
    return all
  }

  func reading(
    _ span: SourceSpan, _ parser: ForeignParser, _ language: ForeignLanguage,
    _ read: () throws(ForeignProblem) -> [String]
  ) -> ForeignReading? {
    var reading = ForeignReading(
      language: language, span: span, place: span, translations: [])
    do throws(ForeignProblem) {
      reading.translations = try read()
    } catch {
      switch error {
      case .noCounterpart(let construct, let place): reading.problem = (construct, place)
      case .unreadable(let place):
        guard parser.dialect == .sql else { return nil }
        reading.stop = place
      }
    }
    // A sign that several languages have tells less than the words around it.
    let isKnown = parser.dialect == .code && language != .code
    reading.language = isKnown ? language : parser.language ?? language
    reading.place = parser.foreignPlace ?? span
    reading.isMarked = !parser.marks.isEmpty
    return reading
  }
}
