import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences

// Mistakes in a statement that are corrected on the command line.
extension Session {
  /// Returns the message with advice about the command line; nil for any other message.
  func hinted(_ diagnostic: Diagnostic, in source: SourceText?) -> Diagnostic? {
    guard let hint = hint(for: diagnostic, in: source) else { return nil }
    var result = diagnostic
    result.facts = HintedProblem(facts: diagnostic.facts, help: hint)
    result.fixIts = []
    return result
  }

  private func hint(for diagnostic: Diagnostic, in source: SourceText?) -> String? {
    if case .unknownEntity(_, known: [])? = diagnostic.facts as? CheckProblem { return noStore }
    let isSyntax =
      diagnostic.facts is PredicateSyntaxProblem || diagnostic.facts is StatementProblem
    guard isSyntax, source?.name == nil, let name = launch.arguments.keys.sorted().first,
      source?.bytes.contains(UInt8(ascii: "$")) == false
    else { return nil }
    return localized(
      "your shell replaced $\(name) in the double quotes: put the statement in single quotes")
  }

  /// Advice if no store was named, so that no entity exists.
  private var noStore: String? {
    guard launch.store == nil, launch.isScript else { return nil }
    let rest = launch.scripts.first.map { "-f \($0)" } ?? "'…'"
    return localized(
      "no store is open: open one with kura STORE \(rest), or define an entity: entity Note { title: string }"
    )
  }
}

/// A message with other advice, or without advice.
struct HintedProblem: DiagnosticFacts {
  let facts: any DiagnosticFacts
  let help: String?

  var sentence: String { facts.sentence }
  var isIncomplete: Bool { facts.isIncomplete }
}

/// A value instead of a predicate; its type decides which comparisons may be offered.
struct BareValue {
  private let fixes: [FixIt]
  private let questions: Set<String>
  private let isTruth: Bool

  /// Creates the value; nil if the problem is a different one.
  init?(_ text: String, _ diagnostic: Diagnostic, _ context: CheckContext) {
    guard case .bareValue? = diagnostic.facts as? PredicateSyntaxProblem,
      let span = diagnostic.span
    else { return nil }
    fixes = diagnostic.fixIts
    // The text after the value may be wrong as well, and is ignored.
    let compared = String(decoding: Array(text.utf8)[..<span.end], as: UTF8.self) + " != NULL"
    let nodes = TypedText(compared, in: context).nodes
    (isTruth, questions) = nodes.comparisons(at: span)
  }

  /// The fixes that are useful for the type of the value.
  var fitting: [FixIt] {
    fixes.filter { fix in
      // A Boolean key needs a comparison of its own: `a != NULL && done` would compare only `a`.
      if isTruth, !fix.asksForTruth { return false }
      guard fix.edits.count == 1, PredicateParser.questions.contains(fix.edits[0].replacement)
      else { return true }
      return questions.contains(fix.edits[0].replacement)
    }
  }
}

extension CheckedNodes {
  /// Returns whether the value at a place is a key of type boolean, and the elements of
  /// `PredicateParser.questions` that apply to it.
  fileprivate func comparisons(
    at span: SourceSpan
  ) -> (isTruth: Bool, questions: Set<String>) {
    let inside = nodes.filter { span.start <= $0.span.start && $0.span.end <= span.end }
    guard let type = inside.last(where: { $0.key == nil })?.type else {
      return (false, CheckedType.any.questions)
    }
    var questions = type.questions
    let keys = inside.compactMap(\.key)
    if !keys.isEmpty, !keys.contains(where: \.property.isOptional), questions.count > 1 {
      questions.remove(" != NULL")
    }
    return (type.isTruth, questions)
  }
}

extension FixIt {
  fileprivate var asksForTruth: Bool {
    edits.contains { $0.replacement.hasSuffix("== YES") || $0.replacement.hasSuffix("== NO") }
  }
}

extension CheckedType {
  fileprivate var isTruth: Bool {
    if case .attribute(.boolean) = self { true } else { false }
  }

  fileprivate var questions: Set<String> {
    switch self {
    case .attribute(.boolean), .boolean: [" == YES", " != NULL"]
    case .attribute(.string), .string: [" != \"\"", " != NULL"]
    case .number: [" != 0", " != NULL"]
    case .attribute(let type) where type.isNumeric: [" != 0", " != NULL"]
    case .collection: [".@count > 0"]
    case .attribute(.json), .any, .literal: [" == YES", ".@count > 0", " != NULL"]
    case .attribute, .object, .objectID, .entity, .date: [" != NULL"]
    }
  }
}
