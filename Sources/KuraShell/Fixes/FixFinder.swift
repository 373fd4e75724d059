import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

/// Finds fixes for a text. A fix is offered only if the resulting text can be parsed and fits the
/// model. If another mistake with a fix follows, the two fixes are joined.
struct FixFinder {
  private let text: String
  private let context: CheckContext
  /// The warnings of the unchanged text.
  private let warnings: Set<String>
  /// Whether fixes are translations, which preserve the meaning by themselves.
  private let isTranslation: Bool
  /// The number of comparisons in the text that do not depend on an object.
  private let idleComparisons: Int
  /// Counts the remaining attempts.
  private let tries = Tries()
  private let rules: RepairRules

  private final class Tries {
    var left = 400
    /// Whether mistakes after a guessed fix may be guessed too.
    var guessesTwice = false
    /// Whether the text is valid, and the fixes are for a similar query.
    var isAdvice = false
  }

  /// The length above which texts are not examined, so that a message is not delayed.
  static let longest = 20_000
  /// The length above which only the fixes of the message are tried.
  private static let longestGuessed = 2_000
  /// The number of fixes that are offered.
  static let most = 3
  /// The number of fixes that are guesses.
  private static let mostGuesses = 2
  /// The number of successive mistakes that one fix corrects.
  private static let depth = 8

  /// Creates a finder; `mendsWarnings` is true if the warnings of the text are to be corrected too.
  init(
    _ text: String, in context: CheckContext, mendsWarnings: Bool = false,
    isTranslation: Bool = false, rules: RepairRules = .all
  ) {
    (self.text, self.rules) = (text, rules)
    self.isTranslation = isTranslation
    self.context = context
    idleComparisons = TypedStatements(text).idleComparisons
    warnings = Set(
      TypedText(text, in: context).problems.filter { $0.severity != .error && !mendsWarnings }
        .map(\.facts.sentence))
  }
}

extension FixFinder {
  /// Returns the fixes that work: those of the message, otherwise guesses.
  func fixes(for diagnostic: Diagnostic) -> [FixIt] {
    let place = diagnostic.span ?? SourceSpan(0, 0)
    tries.isAdvice = diagnostic.severity != .error
    let offered = outcomes(of: offers(for: diagnostic).map { $0.tidied(in: text) }, at: place)
    // A fix that leads to another mistake is offered only if no fix corrects everything.
    if !offered.sound.isEmpty { return Array(offered.sound.prefix(Self.most)) }
    if text.utf8.count > Self.longestGuessed { return Array(offered.farther.prefix(Self.most)) }
    if let guessed = guesses(for: diagnostic, at: place) { return guessed }
    let both = twice(diagnostic, at: place)
    return both.isEmpty ? Array(offered.farther.prefix(Self.most)) : both
  }

  /// Returns only the fixes of the rules that precede those of a message.
  func certainFixes(for diagnostic: Diagnostic) -> [FixIt] {
    let fixes = rules.proposals(for: text, diagnostic, context).fixes(.offered)
    let place = diagnostic.span ?? SourceSpan(0, 0)
    return Array(outcomes(of: fixes.map { $0.tidied(in: text) }, at: place).sound.prefix(1))
  }

  /// Returns a fix of two mistakes; the second can be corrected by a guess.
  private func twice(_ diagnostic: Diagnostic, at place: SourceSpan) -> [FixIt] {
    tries.guessesTwice = true
    let combinable = rules.proposals(for: text, diagnostic, context).combinable
    let again = (offers(for: diagnostic) + combinable).map { $0.tidied(in: text) }
    return Array(outcomes(of: again, at: place).sound.prefix(1))
  }

  /// Returns the valid proposals of the first rank that has any; nil if none has.
  private func guesses(for diagnostic: Diagnostic, at place: SourceSpan) -> [FixIt]? {
    let proposals = rules.proposals(for: text, diagnostic, context)
    for rank in RepairGroup.Rank.allCases.dropFirst(2) {
      let guesses = proposals.fixes(rank)
      let found = outcomes(of: guesses.map { $0.tidied(in: text) }, at: place).sound
      if !found.isEmpty { return Array(found.withoutColumns.prefix(Self.mostGuesses)) }
    }
    return nil
  }

  /// Returns the fixes of the message, and those of the rules for the same place.
  private func offers(for diagnostic: Diagnostic) -> [FixIt] {
    guard text.utf8.count <= Self.longestGuessed else { return ownOffers(for: diagnostic) }
    let proposals = rules.proposals(for: text, diagnostic, context)
    let certain = proposals.fixes(.offered)
    if !certain.isEmpty { return certain }
    let own = ownOffers(for: diagnostic)
    // Quoting a value comes first, because a comparison with a text suggests that it is a text.
    let quotes = own.prefix { $0.edits.count == 1 && $0.edits[0].replacement.hasPrefix("\"") }
    return quotes + proposals.fixes(.beside) + own.dropFirst(quotes.count)
  }

  private func ownOffers(for diagnostic: Diagnostic) -> [FixIt] {
    guard diagnostic.fixIts.isEmpty, diagnostic.span != nil else {
      let fixes = BareValue(text, diagnostic, context)?.fitting ?? diagnostic.fixIts
      return fixes.filter { !$0.quotesUnknownKey(of: context.model) }
    }
    // Comparisons are not offered for an unknown key.
    let isUnknown = if case .unknownKey? = diagnostic.facts as? CheckProblem { true } else { false }
    return TypedText(text, in: context).problems.filter { problem in
      if case .bareValue? = problem.facts as? PredicateSyntaxProblem, isUnknown { return false }
      return problem.span == diagnostic.span
    }
    .flatMap(\.fixIts)
  }

  private func outcomes(
    of fixes: [FixIt], at place: SourceSpan
  ) -> (sound: [FixIt], farther: [FixIt]) {
    var (alone, joined, farther) = ([FixIt](), [FixIt](), [FixIt]())
    let gate = FixGate(text, context, rules)
    for (choice, fix) in fixes.enumerated() where alone.count < Self.most {
      if let sound = sound(fix, Self.depth, choice) {
        let isFree = isTranslation || tries.isAdvice && !gate.isChange(at: fix.span.start)
        guard isFree || gate.permits(sound) else { continue }
        if sound == fix { alone.append(fix) } else { joined.append(sound) }
      } else if !gate.isChange(at: fix.span.start), gate.permits(fix), leadsOn(fix, from: place) {
        farther.append(fix)
      }
    }
    return (alone.isEmpty ? joined.unique : alone.unique, farther)
  }

  /// Returns the fix, joined with those of the mistakes that follow, if no problem is left.
  ///
  /// If a date can be read in several ways, the same way is used for all dates: users write the day
  /// first either always or never.
  private func sound(_ fix: FixIt, _ depth: Int, _ choice: Int) -> FixIt? {
    guard tries.left > 0 else { return nil }
    tries.left -= 1
    let corrected = fix.applied(to: text)
    guard corrected != text else { return nil }
    guard let problem = problems(corrected).first else {
      return TypedStatements(corrected).idleComparisons > idleComparisons ? nil : fix
    }
    guard depth > 0, !fix.hasBroughtIn(problem, to: text) else { return nil }
    let following = fixes(of: problem, in: corrected, depth)
    let areDays = fix.isDay && following.allSatisfy(\.isDay)
    let chosen = areDays && following.indices.contains(choice) ? [following[choice]] : []
    for next in chosen + following {
      let both = fix.followed(by: next.tidied(in: corrected), count: text.utf8.count)
      if let sound = sound(both, depth - 1, choice) { return sound }
    }
    return nil
  }

  /// Returns possible fixes of a following mistake: those of its message and, at the first two
  /// levels, guesses.
  private func fixes(of problem: Diagnostic, in text: String, _ depth: Int) -> [FixIt] {
    guard problem.fixIts.isEmpty else {
      let fixes = BareValue(text, problem, context)?.fitting ?? problem.fixIts
      return Array(fixes.prefix(2))
    }
    guard tries.guessesTwice, depth > Self.depth - 2, text.utf8.count <= Self.longestGuessed else {
      return []
    }
    return rules.proposals(for: text, problem, context).combinable
  }

  /// Returns whether the next mistake is after the corrected part.
  private func leadsOn(_ fix: FixIt, from place: SourceSpan) -> Bool {
    let longer = fix.edits.reduce(0) {
      $0 + $1.replacement.utf8.count - ($1.span.end - $1.span.start)
    }
    let end = max(place.end, fix.span.end) + longer
    let corrected = fix.applied(to: text)
    return problems(corrected).allSatisfy { ($0.span?.start ?? 0) > end }
      && TypedStatements(corrected).idleComparisons <= idleComparisons
  }

  /// Returns the errors in a text, and the warnings that the original text did not have.
  private func problems(_ text: String) -> [Diagnostic] {
    let typed = TypedText(text, in: context)
    return typed.problems.filter {
      $0.severity == .error || !$0.fixIts.isEmpty && !warnings.contains($0.facts.sentence)
    } + (typed.missingAtEnd.map { [$0] } ?? [])
  }
}

extension FixIt {
  /// Whether it only writes dates.
  fileprivate var isDay: Bool {
    edits.allSatisfy { $0.replacement.firstMatch(of: #/^"[0-9]{4}-[0-9]{2}-[0-9]{2}/#) != nil }
  }

  /// Returns whether it quotes two words as one key, `#"first name"`, that does not exist.
  fileprivate func quotesUnknownKey(of model: Model) -> Bool {
    guard edits.count == 1, edits[0].replacement.hasPrefix("#\"") else { return false }
    let name = String(edits[0].replacement.dropFirst(2).dropLast())
    return !model.entities.contains { model.property(named: name, of: $0.name) != nil }
  }

  /// Returns the fix without a superfluous space before a removed part or a punctuation mark.
  fileprivate func tidied(in text: String) -> FixIt {
    let bytes = Array(text.utf8)
    var fix = self
    fix.edits = edits.map { edit in
      let before = edit.span.start - 1
      guard before >= 0, edit.span.end <= bytes.count, bytes[before] == 0x20 else { return edit }
      var edit = edit
      let isAtEnd = edit.span.end == bytes.count || [0x20, 0x2C].contains(bytes[edit.span.end])
      if edit.replacement.isEmpty, isAtEnd { edit.span.start = before }
      if [",", ":", ";", " =="].contains(edit.replacement) { edit.span.start = before }
      return edit
    }
    return fix
  }

  /// Returns whether a problem of the resulting text is entirely in a part that the fix has
  /// written. Typed text that the fix has put in quotes or brackets does not count.
  fileprivate func hasBroughtIn(_ problem: Diagnostic, to text: String) -> Bool {
    guard let span = problem.span else { return false }
    let source = SourceText(text)
    var longer = 0
    for edit in edits {
      let start = edit.span.start + longer
      let end = start + edit.replacement.utf8.count
      let old = source.text(edit.span)
      let isOwn = old.isEmpty || !edit.replacement.contains(old)
      if isOwn, start <= span.start, span.end <= end, span.start < span.end { return true }
      longer += edit.replacement.utf8.count - (edit.span.end - edit.span.start)
    }
    return false
  }
}
