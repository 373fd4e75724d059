import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraForeign
import KuraGraph
import KuraLessons
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences

/// A text in another language, and the parts of it that are not available in Kura.
enum ForeignTextProblem: DiagnosticFacts {
  /// `SELECT * FROM Item`
  case statement(ForeignLanguage)
  /// `fetch Item where title.isEmpty`
  case phrase(ForeignLanguage)
  /// `substr(title, 1, 3)`: a function that Kura writes differently
  case function(any DiagnosticFacts)
  /// `INSERT … ON CONFLICT`
  case noCounterpart(ForeignLanguage, UnsupportedConstruct)
  /// `SELECT titel FROM Item`: its translation does not fit the model
  case unfit(ForeignLanguage, translation: String, String)
  /// `SELECT title FROM Item WHERE`
  case unreadable(ForeignLanguage)
  /// `map(select(.year > 1910))`: recognized, with an equivalent in Kura
  case recognized(ForeignLanguage, idea: String)

  var sentence: String {
    switch self {
    case .statement(.words):
      localized("a statement begins with a word such as fetch")
    case .statement(let language), .recognized(let language, _):
      localized("this is \(language.rawValue.localized)")
    case .function(let unknown): unknown.sentence
    case .phrase(.kura): localized("Kura writes this differently")
    case .phrase(let language): localized("this part is \(language.rawValue.localized)")
    case .noCounterpart(_, let missing):
      missing.sentence?.localized
        ?? localized("\(missing.construct.localized) has no equivalent in Kura")
    case .unfit(let language, _, let problem):
      localized("this is \(language.rawValue.localized), but \(problem)")
    case .unreadable(let language):
      localized("this looks like \(language.rawValue.localized), but cannot be read from here on")
    }
  }

  var help: String? {
    switch self {
    case .noCounterpart(_, let missing): missing.instead?.localized
    case .unfit(_, let translation, _): localized("in Kura: \(translation)")
    case .recognized(_, let idea): idea
    case .statement, .phrase, .function, .unreadable: nil
    }
  }

  /// Returns whether a message names a language that Kura does not translate, and therefore has no
  /// fix.
  static func isOnlyRecognized(_ diagnostic: Diagnostic) -> Bool {
    if case .recognized? = diagnostic.facts as? ForeignTextProblem { true } else { false }
  }
}

/// A failure with its probable meaning, and the place up to which it was read.
struct ForeignExplanation {
  var diagnostic: Diagnostic
  var source: SourceText
  var end: Int

  /// The source is read up to the end of the line of `place`.
  fileprivate init(_ diagnostic: Diagnostic, in source: SourceText, to place: Int, end: Int) {
    (self.diagnostic, self.end) = (diagnostic, end)
    let newline = source.bytes[min(place, source.bytes.count)...].firstIndex(of: 10)
    self.source = SourceText(
      bytes: Array(source.bytes[..<(newline ?? source.bytes.count)]), name: source.name,
      firstLine: source.firstLine)
  }
}

extension Session {
  /// Returns the problem of a text that is not a statement, or its possible meaning in another
  /// language.
  func explanation(
    of problem: Diagnostic, in source: SourceText, _ reader: inout StatementReader
  ) -> (diagnostic: Diagnostic, source: SourceText) {
    let rest = reader.rest(atMost: ForeignTranslator.longestText)
    guard let found = foreignExplanation(of: problem, in: rest, from: reader.restStart) else {
      return (problem, source)
    }
    reader.pass(to: found.end)
    return (found.diagnostic, found.source)
  }

  /// Reports the failure of a statement that was parsed, and its possible meaning in another
  /// language.
  func fail(_ error: any Error, of statement: Statement, in source: SourceText) {
    var failure = Failure(error)
    let isFine = TranslationCheck(checkContext).isSound(source.text(statement.span))
    guard !isFine, failure.isInStatement, !services.cancel.isRequested,
      let i = failure.diagnostics.firstIndex(where: { $0.severity == .error && $0.span != nil }),
      failure.diagnostics[i].source == nil,
      let found = foreignExplanation(
        of: failure.diagnostics[i], in: source, from: statement.span.start)
    else { return fail(error, in: source) }
    failure.diagnostics[i] = found.diagnostic
    fail(failure, in: source)
  }

  /// Returns the possible meaning of a failed text in another language; nil if there is none.
  ///
  /// The text begins at a byte of the source. A translation is offered only if it is valid here.
  func foreignExplanation(
    of problem: Diagnostic, in source: SourceText, from start: Int
  ) -> ForeignExplanation? {
    let translator = ForeignTranslator(
      context.graph.model, lastEntity: variables.lastFetch?.entity)
    let check = TranslationCheck(checkContext)
    let isOurs = isOfClauses(source.line(from: start))
    let readings = translator.readings(of: source.bytes, from: start)
      .filter { !isOurs || $0.language != .shell }
    for reading in readings {
      if let idea = reading.idea, check.fixes(of: reading, in: source).isEmpty {
        let facts = ForeignTextProblem.recognized(reading.language, idea: idea)
        let place = reading.span.line(of: source)
        return ForeignExplanation(
          Diagnostic(facts, at: place), in: source, to: place.end, end: place.end)
      }
      if reading.problem != nil, reading.kind == .statement, reading.language == .sql { break }
      let fixes = check.fixes(of: reading, in: source)
      guard !fixes.isEmpty else { continue }
      let following = check.following(reading, source, translator)
      return explanation(problem, reading, fixes, following, source, check)
    }
    guard let refused = readings.first(where: { $0.problem != nil }),
      let (missing, span) = refused.problem,
      Self.mayReplace(problem, refused), missing.isMoreUseful(than: problem)
    else { return unfit(readings, check, in: source) }
    let facts = ForeignTextProblem.noCounterpart(refused.language, missing)
    return ForeignExplanation(
      Diagnostic(facts, at: span), in: source, to: span.end,
      end: refused.language == .sql ? refused.span.end : span.end)
  }

  /// Returns whether a line is a clause, `sort pages desc`, or a statement with a `|` before one;
  /// not a shell command.
  private func isOfClauses(_ line: String) -> Bool {
    let parts = line.split(separator: "|").map { $0.drop(while: \.isWhitespace) }
    guard let first = parts.first, let entity = context.graph.model.entities.first else {
      return false
    }
    let isStatement =
      StatementCatalog.syntax(beginning: String(first.prefix(while: \.isLetter))) != nil
    return (isStatement ? parts.dropFirst() : parts.prefix(1)).contains { part in
      let isClause = FetchWords.all.contains(part.prefix(while: \.isLetter).lowercased())
      let fetch = "fetch \(entity.name.writtenName) \(part)"
      return isClause && TypedText(fetch, in: checkContext).missingAtEnd == nil
    }
  }

  /// Returns whether the problem of a reading is more useful than the original one.
  private static func mayReplace(_ problem: Diagnostic, _ reading: ForeignReading) -> Bool {
    if reading.kind == .phrase { return problem.fixIts.isEmpty && problem.facts.help == nil }
    return reading.language == .sql || problem.fixIts.isEmpty
  }

  /// Returns a reading that does not fit the model, with a fix if there is a similar name; or the
  /// place at which reading stopped.
  private func unfit(
    _ readings: [ForeignReading], _ check: TranslationCheck, in source: SourceText
  ) -> ForeignExplanation? {
    guard let reading = readings.first, reading.kind == .statement else { return nil }
    var diagnostic: Diagnostic
    if let stop = reading.stop {
      diagnostic = Diagnostic(ForeignTextProblem.unreadable(reading.language), at: stop)
    } else {
      // A statement of Kura in other spelling has been answered as such.
      guard let text = reading.translations.first,
        text.onOneLine.lowercased() != source.text(reading.span).onOneLine.lowercased(),
        let problem = check.problem(of: text)
      else { return nil }
      let facts = ForeignTextProblem.unfit(
        reading.language, translation: text.onOneLine, problem.facts.sentence)
      diagnostic = Diagnostic(facts, at: reading.span.line(of: source))
      let corrected = problem.fixIts.map { $0.applied(to: text) }.filter(check.isSound)
      diagnostic.fixIts = corrected.map { FixIt(reading.span, $0) }
    }
    let end = max(reading.span.end, diagnostic.span?.end ?? 0)
    return ForeignExplanation(diagnostic, in: source, to: end, end: end)
  }

  private func explanation(
    _ problem: Diagnostic, _ reading: ForeignReading, _ fixes: [TextEdit], _ following: [TextEdit],
    _ source: SourceText, _ check: TranslationCheck
  ) -> ForeignExplanation {
    var diagnostic = problem
    let isStatement = reading.kind == .statement
    var offered = fixes.map { FixIt(edits: [$0] + following) }
    if reading.language == .sql, isStatement, following.isEmpty, reading.translations.count == 1 {
      offered[0].respellings = [.statement(fixes[0].replacement)]
    }
    let isOurs = problem.fixIts.isEmpty && (reading.isMarked || problem.facts.help == nil)
    if isStatement || isOurs {
      let place =
        isStatement
        ? reading.span.line(of: source) : reading.isMarked ? reading.place : fixes[0].span
      let facts =
        isStatement
        ? ForeignTextProblem.statement(reading.language) : .phrase(reading.language)
      diagnostic = Diagnostic(facts, at: place)
      diagnostic.fixIts = offered
    } else {
      // A fix of the whole text precedes a fix of a part.
      let whole = problem.fixIts.filter {
        check.isSound($0.applied(to: source.text(SourceSpan(0, source.bytes.count))))
      }
      let rest = problem.fixIts.filter { !whole.contains($0) }
      // A function of another language may have the name of a different one here.
      let isSearch = ["regexp", "regex", "rlike", "=~"].contains(
        problem.span.map { source.text($0).lowercased() })
      let isCertain = problem.isOfBareValue && reading.isMarked || isSearch
      diagnostic.fixIts = (isCertain ? offered + whole : whole + offered) + rest
      if problem.isOfUnknownFunction {
        diagnostic.facts = ForeignTextProblem.function(problem.facts)
        diagnostic.fixIts = offered
      }
    }
    let end = (following.last ?? fixes[0]).span.end
    return ForeignExplanation(diagnostic, in: source, to: end, end: max(end, reading.span.end))
  }
}

extension UnsupportedConstruct {
  /// Whether it says more than a problem: one without an alternative says less than the number of
  /// arguments of Kura's function with the same name.
  fileprivate func isMoreUseful(than problem: Diagnostic) -> Bool {
    guard case .argumentCount? = problem.facts as? PredicateSyntaxProblem else { return true }
    return instead != nil
  }
}

extension Diagnostic {
  fileprivate var isOfUnknownFunction: Bool {
    if case .unknownFunction? = facts as? PredicateSyntaxProblem { true } else { false }
  }

  fileprivate var isOfBareValue: Bool {
    if case .bareValue? = facts as? PredicateSyntaxProblem { true } else { false }
  }
}

extension SourceText {
  fileprivate func line(from start: Int) -> String {
    String(decoding: bytes[min(start, bytes.count)...].prefix { $0 != 10 }, as: UTF8.self)
  }
}

extension SourceSpan {
  /// Returns the part of the span on its first line.
  fileprivate func line(of source: SourceText) -> SourceSpan {
    let newline = source.bytes[start..<end].firstIndex(of: UInt8(ascii: "\n"))
    return SourceSpan(start, newline ?? end)
  }
}

// Words of another language with a single meaning, in a statement that a user typed
extension Session {
  /// Reports the words, and returns the corrected statement. Returns nil if the statement is not alone at
  /// a prompt, if its meaning is uncertain, or if it changes anything.
  func respelled(_ problems: [(diagnostic: Diagnostic, source: SourceText)]) -> String? {
    guard isTypedByUser, !learning.isOpen else { return nil }
    for (diagnostic, source) in problems {
      let text = String(decoding: source.bytes, as: UTF8.self)
      guard text.trimmed == typing.last.trimmed,
        diagnostic.fixIts.contains(where: { !$0.respellings.isEmpty }),
        let fix = corrected(diagnostic, in: source).fixIts.first, !fix.respellings.isEmpty,
        case let respelled = fix.applied(to: text), changesNothing(respelled)
      else { continue }
      typing.corrected = nil
      explain(fix.respellings)
      return respelled
    }
    return nil
  }

  /// Returns whether a text is one statement that changes nothing.
  private func changesNothing(_ text: String) -> Bool {
    let parts = TypedStatements(text).all
    guard parts.count == 1, case .statement(let statement) = parts[0],
      let effect = try? statement.command.effect
    else { return false }
    return effect != .changes
  }

  /// Reports how Kura writes a statement of another language, or a word for the first time.
  private func explain(_ respellings: [Respelling]) {
    for respelling in respellings {
      switch respelling {
      case .statement(let ours): report(localized("in Kura: \(ours)"))
      case .word(let word, let ours):
        guard typing.explainedWords.insert(respelling).inserted else { continue }
        report(localized("Kura writes \"\(ours)\" for \(word)"))
      }
    }
  }
}
