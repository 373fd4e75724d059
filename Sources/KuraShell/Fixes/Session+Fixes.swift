import KuraChecking
import KuraDefinition
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences

extension Session {
  /// Returns the message with only the fixes that work.
  func corrected(_ diagnostic: Diagnostic, in source: SourceText?) -> Diagnostic {
    // A problem outside the statement cannot be corrected in it.
    guard let source, diagnostic.source == nil, source.bytes.count <= FixFinder.longest,
      !(diagnostic.facts is FileProblem),
      diagnostic.severity == .error || !diagnostic.fixIts.isEmpty
    else { return diagnostic }
    let text = String(decoding: source.bytes, as: UTF8.self)
    if ForeignTextProblem.isOnlyRecognized(diagnostic) {
      var result = diagnostic
      result.fixIts = FixFinder(text, in: checkContext, isTranslation: true)
        .certainFixes(for: diagnostic)
      guard let first = result.fixIts.first else { return diagnostic }
      typing.corrected = first.applied(to: text)
      result.facts = HintedProblem(facts: result.facts, help: nil)
      return result
    }
    if let hinted = hinted(diagnostic, in: source) { return hinted }
    let unknown = unknownKey(after: diagnostic, in: text).map { corrected($0, in: source) }
    if let unknown, !unknown.fixIts.isEmpty { return unknown }
    var result = diagnostic
    if let fix = textForTruth(diagnostic, in: text) { result.fixIts = [fix] }
    result.fixIts = FixFinder(
      text, in: checkContext, mendsWarnings: diagnostic.severity == .warning,
      isTranslation: diagnostic.facts is ForeignTextProblem
    ).fixes(for: result)
    let differing = result.fixIts.differing(in: text)
    let missing = differing.compactMap { missingObjects(of: $0, in: text) }
    result.fixIts = differing.filter {
      missingObjects(of: $0, in: text) == nil && canAlter($0, in: text)
    }
    .map { withEffect($0, in: text) }
    if result.fixIts.isEmpty, let objects = missing.first {
      result.facts = HintedProblem(
        facts: result.facts, help: localized("there is no \(objects); insert it first"))
    }
    if let unknown, result.fixIts.isEmpty { return unknown }
    typing.corrected = result.fixIts.first?.applied(to: text)
    if result.fixIts.isEmpty, let place = learning.lesson?.place,
      case .unknownStatement(_, near: [])? = diagnostic.facts as? StatementProblem
    {
      let help = localized(
        "lesson \(place) shows the task again, hint shows a hint, lesson end leaves the lesson")
      result.facts = HintedProblem(facts: result.facts, help: help)
    }
    if let help = helpForNoEntity(diagnostic) {
      result.facts = HintedProblem(facts: result.facts, help: help)
    }
    if let first = result.fixIts.first, diagnostic.facts.help?.says(first, in: source) == false {
      result.facts = HintedProblem(facts: result.facts, help: nil)
    }
    return result
  }

  /// Returns `"false"` for the NO in `sold == NO` if the texts of the key mean YES or NO.
  private func textForTruth(_ diagnostic: Diagnostic, in text: String) -> FixIt? {
    guard case .literalMismatch(_, .string, let word)? = diagnostic.facts as? CheckProblem,
      let truth = FreeFormBoolean.value(word), let span = diagnostic.span
    else { return nil }
    let place = CursorPlace(text, at: span.start)
    let texts = TypingAid(self).frequentValues(at: place, checkContext).map(\.text)
    let meanings = texts.map { FreeFormBoolean.value($0.trimmingQuotes ?? $0) }
    guard !meanings.contains(nil), let found = meanings.firstIndex(of: truth) else { return nil }
    return FixIt(span, texts[found])
  }

  /// Returns help if the verb is not followed by an entity or an object: `delete dueDate from
  /// Task/6`.
  private func helpForNoEntity(_ diagnostic: Diagnostic) -> String? {
    let read: String
    switch diagnostic.facts as? StatementProblem {
    case .unexpected(.limits(let text), _)?, .missing(.limits(let text), _, _)?: read = text
    default: return nil
    }
    let words = read.split(separator: " ").map(String.init)
    guard words.count > 1, context.graph.model[words[1]] == nil else { return nil }
    return localized("\(words[1]) is not an entity; write an entity or an object after \(words[0])")
  }

  /// Returns a fetch in a fix that finds no object; nil if there is none.
  ///
  /// `tags = (fetch Tag where name == "red, blue")` would assign no tag.
  private func missingObjects(of fix: FixIt, in text: String) -> String? {
    guard FixGate(text, checkContext).isChange(at: fix.span.start) else { return nil }
    return fix.edits.compactMap { edit -> String? in
      guard let match = edit.replacement.firstMatch(of: #/\((fetch [^()]+)\)/#),
        case .statement(let statement)? = TypedStatements(String(match.output.1)).all.first,
        case .fetch(let fetch, _)? = statement.tree.typedParts.first
      else { return nil }
      let count = try? read(nil) { snapshot, environment in
        try fetch.bound(to: snapshot, environment.withoutWarnings).count()
      }
      return count == 0 ? String(match.output.1.dropFirst("fetch ".count)) : nil
    }.first
  }

  /// Returns whether the changes of the model that a fix writes are possible: `alter entity Vehicle drop trips` is not
  /// if `Vehicle.total` is derived from the trips.
  private func canAlter(_ fix: FixIt, in text: String) -> Bool {
    let corrected = fix.applied(to: text)
    let end = corrected.utf8.count - (text.utf8.count - fix.span.end)
    return TypedStatements(corrected).all.allSatisfy { part in
      guard case .statement(let statement) = part, let alter = statement.tree as? AlterStatement,
        fix.span.start..<end ~= statement.span.start, context.graph.model[alter.entity.text] != nil
      else { return true }
      var alteration = Alteration(alter.entity, context.graph, zone)
      do { try alteration.make(alter.change) } catch { return false }
      return true
    }
  }

  /// Adds the number of objects that the corrected statement deletes or changes.
  private func withEffect(_ fix: FixIt, in text: String) -> FixIt {
    let parts = TypedStatements(fix.applied(to: text)).all
    guard parts.count == 1, case .statement(let statement) = parts[0] else { return fix }
    var fix = fix
    switch (try? statement.command)?.changed {
    case .deleted(let target)?:
      fix.effect = count(of: target).map {
        localized("deletes \(counted($0, "object", "objects"))")
      }
    case .updated(let target)?:
      fix.effect = count(of: target).map {
        localized("changes \(counted($0, "object", "objects"))")
      }
    case nil: break
    }
    return fix
  }

  private func count(of target: ChangeTarget) -> Int? {
    guard target.soleObject == nil else { return nil }
    return try? read(nil) { snapshot, environment in
      try target.fetch.bound(to: snapshot, environment.withoutWarnings).count()
    }
  }

  /// Returns the problem that a lone word is not a key; adding a comparison would not help. A path
  /// is left alone, because it may belong to another language, as `tags.isEmpty` does.
  private func unknownKey(after diagnostic: Diagnostic, in text: String) -> Diagnostic? {
    guard case .bareValue(let word, _)? = diagnostic.facts as? PredicateSyntaxProblem,
      let span = diagnostic.span, !word.contains(".")
    else { return nil }
    // The text after the word may be wrong as well, and is ignored.
    let compared = String(decoding: Array(text.utf8)[..<span.end], as: UTF8.self) + " != NULL"
    return TypedText(compared, in: checkContext).problems.first { problem in
      guard case .unknownKey? = problem.facts as? CheckProblem, let place = problem.span else {
        return false
      }
      return span.start <= place.start && place.end <= span.end
    }
  }

  /// The context for a check while no statement runs.
  var checkContext: CheckContext {
    var known = CheckContext(
      context.graph.model, evaluation: typingEvaluation, entities: variables.entities,
      lastEntity: variables.lastFetch?.entity)
    known.predicates = variables.predicates
    let snapshot = GraphSnapshot(context.graph)
    known.elements = { [elementTables] path in elementTables.model(snapshot, with: path) }
    return known
  }
}

extension String {
  /// Returns whether a line of help already shows the text of a fix.
  fileprivate func says(_ fix: FixIt, in source: SourceText) -> Bool {
    let new = fix.edits.count == 1 ? fix.edits[0].replacement : fix.replacement(in: source)
    let words = String(new.drop(while: \.isWhitespace))
    // An abbreviated text does not show all of it.
    guard !words.isEmpty, contains(words), !contains("…") else { return false }
    // A sign in a pattern, or in a long list, does not count.
    let isListed =
      contains(" < ") || split(separator: ",").count > 3 || count { $0 == "@" } > 3
    return contains(quoted(words))
      || words.count > 2 && !isListed && !["AND", "OR"].contains(words)
  }
}
