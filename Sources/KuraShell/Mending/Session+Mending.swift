import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraScript
import KuraSentences

extension Session {
  /// A message with the fixes that work, and no other.
  func mended(_ diagnostic: Diagnostic, in source: SourceText?) -> Diagnostic {
    // What went wrong outside is no mistake in the statement.
    guard let source, diagnostic.source == nil, source.bytes.count <= Mender.longest,
      !(diagnostic.facts is FileFacts),
      diagnostic.severity == .error || !diagnostic.fixIts.isEmpty
    else { return diagnostic }
    let text = String(decoding: source.bytes, as: UTF8.self)
    if let hinted = hinted(diagnostic, in: source) { return hinted }
    if let other = unknownKey(behind: diagnostic, in: text) { return mended(other, in: source) }
    var result = diagnostic
    result.fixIts = Mender(
      text, in: checkContext, mendsWarnings: diagnostic.severity == .warning
    ).fixes(for: diagnostic)
    result.fixIts = result.fixIts.differing(in: text)
    if result.fixIts.isEmpty, let place = lesson?.place,
      case .unknownStatement(_, near: [])? = diagnostic.facts as? StatementFacts
    {
      result.facts = LessonHelpFacts(facts: result.facts, place: place)
    }
    if let first = result.fixIts.first, diagnostic.facts.help?.says(first, in: source) == false {
      result.facts = MendedFacts(facts: result.facts)
    }
    return result
  }

  /// That a word which stands alone is no key: a comparison would not help. A path may be another
  /// language's, as `tags.isEmpty` is.
  private func unknownKey(behind diagnostic: Diagnostic, in text: String) -> Diagnostic? {
    guard case .bareValue(let word, _)? = diagnostic.facts as? PredicateSyntaxFacts,
      let span = diagnostic.span, !word.contains(".")
    else { return nil }
    // What stands behind it may be wrong as well, and is not looked at.
    let compared = String(decoding: Array(text.utf8)[..<span.end], as: UTF8.self) + " != NULL"
    return TypedText(compared, in: checkContext).problems.first { problem in
      guard case .unknownKey? = problem.facts as? CheckFacts, let place = problem.span else {
        return false
      }
      return span.start <= place.start && place.end <= span.end
    }
  }

  /// What a check knows of this session while nothing runs.
  var checkContext: CheckContext {
    var known = CheckContext(
      context.graph.model, evaluation: typingEvaluation, entities: variables.entities,
      lastEntity: variables.lastFetch?.entity)
    known.predicates = variables.predicates
    return known
  }
}

extension String {
  /// Whether a line of help has what a fix writes.
  fileprivate func says(_ fix: FixIt, in source: SourceText) -> Bool {
    let new = fix.edits.count == 1 ? fix.edits[0].replacement : fix.replacement(in: source)
    let words = String(new.drop(while: \.isWhitespace))
    // What leaves something out is not all of it.
    guard !words.isEmpty, contains(words), !contains("…") else { return false }
    // A sign in a pattern, or one of many that are listed, is not said.
    let isListed = contains(" < ") || split(separator: ",").count > 3
    return contains(quoted(words))
      || words.count > 2 && !isListed && !["AND", "OR"].contains(words)
  }
}

/// Of what is no statement, typed by a learner.
private struct LessonHelpFacts: DiagnosticFacts {
  let facts: any DiagnosticFacts
  let place: String

  var sentence: String { facts.sentence }
  var isIncomplete: Bool { facts.isIncomplete }
  var help: String? {
    localized(
      "lesson \(place) shows the task again, hint helps with it, lesson end leaves the lesson")
  }
}

/// A message whose way on is its fix.
private struct MendedFacts: DiagnosticFacts {
  let facts: any DiagnosticFacts

  var sentence: String { facts.sentence }
  var isIncomplete: Bool { facts.isIncomplete }
}
