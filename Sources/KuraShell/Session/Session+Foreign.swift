import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraForeign
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences

/// That a text is written as in another language, and what of it is not to be had here.
enum ForeignFacts: DiagnosticFacts {
  /// `SELECT * FROM Item`
  case statement(ForeignLanguage)
  /// `fetch Item where title.isEmpty`
  case phrase(ForeignLanguage)
  /// `INSERT … ON CONFLICT`
  case noCounterpart(ForeignLanguage, NoCounterpart)
  /// `SELECT titel FROM Item`: a statement of Kura, which does not fit the model
  case unfit(ForeignLanguage, translation: String, String)
  /// `SELECT title FROM Item WHERE`
  case unreadable(ForeignLanguage)
  /// `map(select(.year > 1910))`: recognized, with how to ask the same
  case recognized(ForeignLanguage, idea: String)

  var sentence: String {
    switch self {
    case .statement(.words):
      localized("a statement begins with a word such as fetch")
    case .statement(let language), .recognized(let language, _):
      localized("this is \(language.rawValue.localized)")
    case .phrase(.kura): localized("this is written otherwise here")
    case .phrase(let language): localized("this is written as in \(language.rawValue.localized)")
    case .noCounterpart(_, let missing):
      missing.sentence?.localized
        ?? localized("\(missing.construct.localized) has no counterpart here")
    case .unfit(let language, _, let problem):
      localized("this is \(language.rawValue.localized), but \(problem)")
    case .unreadable(let language):
      localized("this looks like \(language.rawValue.localized), and cannot be read from here on")
    }
  }

  var help: String? {
    switch self {
    case .noCounterpart(_, let missing): missing.instead?.localized
    case .unfit(_, let translation, _): localized("here it is \(translation)")
    case .recognized(_, let idea): idea
    case .statement, .phrase, .unreadable: nil
    }
  }
}

extension ForeignFacts {
  /// Whether a message names a language that Kura does not translate, and therefore has no fix.
  static func isOnlyRecognized(_ diagnostic: Diagnostic) -> Bool {
    if case .recognized? = diagnostic.facts as? ForeignFacts { true } else { false }
  }
}

/// A failure with what it may mean, and how far that was read.
struct ForeignExplanation {
  var diagnostic: Diagnostic
  var source: SourceText
  var end: Int
}

extension Session {
  /// Reports what is wrong with a text that is no statement, and what it may mean in another language.
  func fail(_ problem: Diagnostic, in source: SourceText, _ reader: inout StatementReader) {
    let rest = reader.rest(atMost: ForeignTranslator.longestText)
    guard let found = foreignExplanation(of: problem, in: rest, from: reader.restStart) else {
      return fail(problem, in: source)
    }
    reader.pass(to: found.end)
    fail(found.diagnostic, in: found.source)
  }

  /// The same of a statement that was read and could not be done.
  func fail(_ error: any Error, of statement: Statement, in source: SourceText) {
    var failure = Failure(error)
    let isFine = TranslationCheck(checkContextForTyping).isSound(source.text(statement.span))
    guard !isFine, failure.isInStatement, !surroundings.cancel.isRequested,
      let i = failure.diagnostics.firstIndex(where: { $0.severity == .error && $0.span != nil }),
      failure.diagnostics[i].source == nil,
      let found = foreignExplanation(
        of: failure.diagnostics[i], in: source, from: statement.span.start)
    else { return fail(error, in: source) }
    failure.diagnostics[i] = found.diagnostic
    fail(failure, in: source)
  }

  fileprivate var checkContextForTyping: CheckContext { TypingAid(self).checkContext }
}

extension Session {
  /// What a text may mean that failed, as another language has it; nil: nobody knows.
  ///
  /// The text begins at a byte of the source. A translation is offered only if it is read and
  /// checked here without a problem.
  func foreignExplanation(
    of problem: Diagnostic, in source: SourceText, from start: Int
  ) -> ForeignExplanation? {
    let translator = ForeignTranslator(
      context.graph.model, lastEntity: variables.lastFetch?.entity)
    let check = TranslationCheck(checkContextForTyping)
    let isOurs = isOfClauses(source.line(from: start))
    let readings = translator.readings(of: source.bytes, from: start)
      .filter { !isOurs || $0.language != .shell }
    for reading in readings {
      if let idea = reading.idea {
        let facts = ForeignFacts.recognized(reading.language, idea: idea)
        let place = reading.span.line(of: source)
        return ForeignExplanation(
          diagnostic: Diagnostic(facts, at: place), source: source.lines(to: place.end),
          end: place.end)
      }
      if reading.problem != nil, reading.kind == .statement, reading.language == .sql { break }
      let fixes = check.fixes(of: reading, in: source)
      guard !fixes.isEmpty else { continue }
      let following = check.following(reading, source, translator)
      return explanation(problem, reading, fixes, following, source, check)
    }
    guard let refused = readings.first(where: { $0.problem != nil }),
      let (missing, span) = refused.problem,
      Self.mayReplace(problem, refused)
    else { return unfit(readings, check, in: source) }
    let facts = ForeignFacts.noCounterpart(refused.language, missing)
    return ForeignExplanation(
      diagnostic: Diagnostic(facts, at: span), source: source.lines(to: span.end),
      end: refused.language == .sql ? refused.span.end : span.end)
  }

  /// Whether a line is a clause, `sort pages desc`, or a statement with a `|` before one: no shell command.
  private func isOfClauses(_ line: String) -> Bool {
    let parts = line.split(separator: "|").map { $0.drop(while: \.isWhitespace) }
    guard let first = parts.first, let entity = context.graph.model.entities.first else {
      return false
    }
    let isStatement =
      StatementCatalogue.syntax(beginning: String(first.prefix(while: \.isLetter))) != nil
    return (isStatement ? parts.dropFirst() : parts.prefix(1)).contains { part in
      let isClause = FetchWords.all.contains(part.prefix(while: \.isLetter).lowercased())
      let fetch = "fetch \(entity.name.writtenName) \(part)"
      return isClause && TypedText(fetch, in: checkContextForTyping).breakOff == nil
    }
  }

  /// Whether it is better to say what a reading misses than what was wrong before.
  private static func mayReplace(_ problem: Diagnostic, _ reading: ForeignReading) -> Bool {
    if reading.kind == .phrase { return problem.fixIts.isEmpty && problem.facts.help == nil }
    return reading.language == .sql || problem.fixIts.isEmpty
  }

  /// A reading that does not fit the model, with a fix where a near name does; or the place at which
  /// nothing could be read on.
  private func unfit(
    _ readings: [ForeignReading], _ check: TranslationCheck, in source: SourceText
  ) -> ForeignExplanation? {
    guard let reading = readings.first, reading.kind == .statement else { return nil }
    var diagnostic: Diagnostic
    if let stop = reading.stop {
      diagnostic = Diagnostic(ForeignFacts.unreadable(reading.language), at: stop)
    } else {
      // What says the same in Kura's words has been answered as such.
      guard let text = reading.translations.first,
        text.onOneLine.lowercased() != source.text(reading.span).onOneLine.lowercased(),
        let problem = check.problem(of: text)
      else { return nil }
      let facts = ForeignFacts.unfit(
        reading.language, translation: text.onOneLine, problem.facts.sentence)
      diagnostic = Diagnostic(facts, at: reading.span.line(of: source))
      let mended = problem.fixIts.map { $0.applied(to: text) }.filter(check.isSound)
      diagnostic.fixIts = mended.map { FixIt(reading.span, $0) }
    }
    let end = max(reading.span.end, diagnostic.span?.end ?? 0)
    return ForeignExplanation(diagnostic: diagnostic, source: source.lines(to: end), end: end)
  }

  private func explanation(
    _ problem: Diagnostic, _ reading: ForeignReading, _ fixes: [TextEdit], _ following: [TextEdit],
    _ source: SourceText, _ check: TranslationCheck
  ) -> ForeignExplanation {
    var diagnostic = problem
    let isStatement = reading.kind == .statement
    let offered = fixes.map { FixIt(edits: [$0] + following) }
    let isOurs = problem.fixIts.isEmpty && (reading.isMarked || problem.facts.help == nil)
    if isStatement || isOurs {
      let place =
        isStatement
        ? reading.span.line(of: source) : reading.isMarked ? reading.place : fixes[0].span
      let facts =
        isStatement
        ? ForeignFacts.statement(reading.language) : .phrase(reading.language)
      diagnostic = Diagnostic(facts, at: place)
      diagnostic.fixIts = offered
    } else {
      // What mends the whole comes before what mends a part of it.
      let whole = problem.fixIts.filter {
        check.isSound($0.applied(to: source.text(SourceSpan(0, source.bytes.count))))
      }
      let rest = problem.fixIts.filter { !whole.contains($0) }
      // A function of another language may have a namesake here that does something else.
      let isCertain = problem.isOfUnknownFunction || problem.isOfBareValue && reading.isMarked
      diagnostic.fixIts = (isCertain ? offered + whole : whole + offered) + rest
    }
    let end = (following.last ?? fixes[0]).span.end
    return ForeignExplanation(
      diagnostic: diagnostic, source: source.lines(to: end), end: max(end, reading.span.end))
  }
}

extension Diagnostic {
  fileprivate var isOfUnknownFunction: Bool {
    if case .unknownFunction? = facts as? PredicateSyntaxFacts { true } else { false }
  }

  fileprivate var isOfBareValue: Bool {
    if case .bareValue? = facts as? PredicateSyntaxFacts { true } else { false }
  }
}

extension SourceText {
  fileprivate func line(from start: Int) -> String {
    String(decoding: bytes[min(start, bytes.count)...].prefix { $0 != 10 }, as: UTF8.self)
  }

  /// The text up to the end of the line of a place.
  fileprivate func lines(to place: Int) -> SourceText {
    let newline = bytes[min(place, bytes.count)...].firstIndex(of: UInt8(ascii: "\n"))
    return SourceText(
      bytes: Array(bytes[..<(newline ?? bytes.count)]), name: name, firstLine: firstLine)
  }
}

extension SourceSpan {
  /// What of the span stands on its first line.
  fileprivate func line(of source: SourceText) -> SourceSpan {
    let newline = source.bytes[start..<end].firstIndex(of: UInt8(ascii: "\n"))
    return SourceSpan(start, newline ?? end)
  }
}
