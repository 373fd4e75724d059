import KuraBytes
package import KuraDiagnostics
package import KuraModel
import KuraSentences

/// The reading of a text of another language.
package struct ForeignReading: Sendable {
  package var language: ForeignLanguage
  package var kind = Kind.statement
  /// The part of the text that was read.
  package var span: SourceSpan
  /// The place of the first construct that Kura writes otherwise.
  package var place: SourceSpan
  /// Whether there is such a construct, not only names in another spelling.
  package var isMarked = true
  /// What it may be in Kura, the likeliest first; several statements are lines.
  package var translations: [String]
  /// How to ask the same in Kura, if the language is only recognized.
  package var idea: String?
  /// A construct that Kura does not have, and its place.
  package var problem: (construct: NoCounterpart, span: SourceSpan)?
  /// The place from which the text is unreadable.
  package var stop: SourceSpan?

  package enum Kind: Sendable {
    /// All of it is the other language's.
    case statement
    /// A statement of Kura that contains words of another language.
    case phrase
  }
}

/// Reads texts of other languages.
///
///     let translator = ForeignTranslator(model)
///     translator.readings(of: Array("SELECT * FROM Item".utf8), from: 0)   // fetch Item
///
/// SQL, Swift and Objective-C are translated; a text whose meaning cannot be kept is refused at the
/// place of the word in question. Other languages are named.
package struct ForeignTranslator: Sendable {
  let names: ModelNames
  /// Entities that may be meant if none is named, the likeliest first.
  private let candidates: [String]

  /// `lastEntity` is that of the last fetch.
  package init(_ model: Model, lastEntity: String? = nil) {
    names = ModelNames(model: model)
    let concrete = model.entities.filter { !$0.isAbstract }.map(\.name)
    let last = concrete.filter { $0 == lastEntity }
    candidates = last + concrete.filter { $0 != lastEntity }.prefix(12)
  }

  /// Longer texts are not read.
  package static let longestText = 20_000
}

extension ForeignTranslator {
  /// The readings of the text that begins at a byte.
  ///
  /// The readers recurse, and so does freeing a tree: a chain of a thousand keys is as deep.
  package func readings(of bytes: [UInt8], from start: Int) -> [ForeignReading] {
    guard bytes.count - start <= Self.longestText, start < bytes.count else { return [] }
    let text = ForeignText(bytes, from: start)
    return DeepStack.runOnItsOwn { readings(of: text) }
  }

  private func readings(of text: ForeignText) -> [ForeignReading] {
    let isKura = StatementReader.kuraWords.contains(text.firstWord)
    let isSQL = StatementReader.sqlWords.contains(text.firstWord) || text.first == UInt8(ascii: "(")
    let recognition = Recognition(names, entity: candidates.first, text.bytes, text.line)
    var readings: [ForeignReading?] = []
    if isKura, !text.beginsLikeSQL {
      if !text.isPrintCall, let named = recognition.pipe() ?? recognition.phrase() {
        return [named]
      }
      readings.append(text.isPrintCall ? nil : statement(text, .kura))
    }
    if isSQL, !isKura || text.beginsLikeSQL { readings.append(statement(text, .sql)) }
    if isKura, text.beginsLikeSQL { readings.append(statement(text, .kura)) }
    if readings.compactMap(\.self).contains(where: { !$0.translations.isEmpty || $0.problem != nil }
    ) {
      if text.beginsLikeKura { return readings.compactMap(\.self) }
    } else if let named = recognition.reading() {
      return [named]
    }
    if !text.beginsLikeKura {
      let whole = code(text, text.all)
      readings.append(whole == nil && text.line != text.all ? code(text, text.line) : whole)
      readings.append(wish(text))
    }
    if text.isPrintCall { readings.append(statement(text, .kura)) }
    return readings.compactMap(\.self)
  }
}

extension ForeignTranslator {
  /// Whether a text begins as SQL does, and a line after it belongs to the same statement.
  package static func isOneStatement(ofSQL text: String, goingOnWith line: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= longestText,
      let start = bytes.firstIndex(where: { !ForeignText.isBlank($0) })
    else { return false }
    let both = ForeignText(bytes + [10] + Array(line.utf8), from: start)
    guard both.isSurelySQL || StatementReader.sqlWords.contains(both.firstWord) else {
      return false
    }
    let next = ForeignText(
      Array(line.utf8), from: line.utf8.prefix(while: ForeignText.isBlank).count)
    return !next.beginsLikeKura && both.statement(.sql).end > bytes.count
  }
}

// The readers
extension ForeignTranslator {
  /// The reading as a statement of SQL, or of Kura with words of another language.
  private func statement(_ text: ForeignText, _ dialect: Dialect) -> ForeignReading? {
    let span = text.statement(dialect)
    let parser = ForeignParser(text.bytes, span, dialect)
    let reader = StatementReader(parser, names)
    var found = reading(span, parser, dialect == .sql ? .sql : .kura) { [try reader.read()] }
    guard dialect == .kura else { return found?.stop != nil && !text.isSurelySQL ? nil : found }
    found?.kind = .phrase
    let comment = text.tightComment(after: span.end)
    if reader.writer.changes == 0, parser.marks.isEmpty, comment == nil { found?.translations = [] }
    if let comment {
      found?.span.end = comment.span.end
      let translations = found?.translations ?? []
      found?.translations = translations.map { $0 + " -- " + comment.text }
    }
    return found
  }

  /// The reading as a program, with each entity that may be meant if it names none.
  private func code(_ text: ForeignText, _ span: SourceSpan) -> ForeignReading? {
    let language = ForeignLanguage.ofProgram(
      String(decoding: text.bytes[span.start..<span.end], as: UTF8.self))
    let readings = candidates.compactMap { entity -> ForeignReading? in
      let parser = ForeignParser(text.bytes, span, .code)
      return reading(span, parser, language) {
        try ScriptReader(parser, names, about: entity).read()
      }
    }
    guard var all = readings.first(where: { $0.problem == nil }) ?? readings.first else {
      return nil
    }
    var seen: Set<String> = []
    all.translations = readings.flatMap(\.translations).filter { seen.insert($0).inserted }
    // `Book/2`: nothing in it belongs to one language.
    if !all.isMarked, all.problem == nil { all.language = .words }
    return all
  }

  private func wish(_ text: ForeignText) -> ForeignReading? {
    let span = text.line
    let sentence = String(decoding: text.bytes[span.start..<span.end], as: UTF8.self)
    guard let statement = Wish.statement(for: sentence, names) else { return nil }
    return ForeignReading(language: .words, span: span, place: span, translations: [statement])
  }

  private func reading(
    _ span: SourceSpan, _ parser: ForeignParser, _ language: ForeignLanguage,
    _ read: () throws -> [String]
  ) -> ForeignReading? {
    var reading = ForeignReading(language: language, span: span, place: span, translations: [])
    do {
      reading.translations = try read()
    } catch {
      guard let error = error as? ForeignProblem else { return nil }
      if let construct = error.construct {
        reading.problem = (construct, error.span)
      } else {
        guard parser.dialect == .sql else { return nil }
        reading.stop = error.span
      }
    }
    reading.language = parser.dialect == .code ? language : parser.language ?? language
    reading.place = parser.foreignPlace ?? span
    reading.isMarked = !parser.marks.isEmpty
    return reading
  }
}
