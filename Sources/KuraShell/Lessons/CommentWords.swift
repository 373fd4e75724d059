import KuraDiagnostics
import KuraPredicates
import KuraScript

/// The operators that a lesson's comment on a wrong try mentions.
///
/// Another try can have the same result with other operators. The comment does not apply to it: "==
/// wants the whole title" does not help a learner who wrote CONTAINS.
struct CommentWords {
  private let words: Set<String>
  private let comment: String

  init(_ comment: String) {
    words = comment.operatorWords
    self.comment = comment
  }

  /// Returns whether the comment on a wrong try applies to an attempt that lacks what it advises.
  func fit(_ attempt: Attempt, as wrong: Attempt, _ answer: Attempt) -> Bool {
    let (own, known, right) = (attempt.operatorWords, wrong.operatorWords, answer.operatorWords)
    let advised = words.intersection(right).subtracting(known)
    // A quoted key is a different mistake from a value in another spelling, and so is a computed
    // value.
    let isAlike =
      attempt.idleComparisons == wrong.idleComparisons && attempt.computes == wrong.computes
    return isAlike && quotesTruly(attempt, wrong) && joinsAlike(attempt, wrong)
      && words.intersection(known).isSubset(of: own)
      && (advised.isEmpty || !advised.isSubset(of: own))
  }
}

extension CommentWords {
  /// Returns whether the texts and wildcards that the comment quotes occur in the attempt: `there
  /// is no "office"` does not help a learner who wrote `"Ofice"`.
  private func quotesTruly(_ attempt: Attempt, _ wrong: Attempt) -> Bool {
    let (own, known) = (attempt.constantTexts, wrong.constantTexts)
    let quoted = known.filter { comment.contains("\"\($0)\"") }
    let signs = "?%_+".filter { comment.contains("`\($0)`") }
    return quoted.allSatisfy(own.contains)
      && signs.allSatisfy { sign in own.contains { $0.contains(sign) } }
  }

  /// Returns whether the attempt has the connectives of the wrong try: a comment about two
  /// conditions that exclude each other does not apply to OR.
  private func joinsAlike(_ attempt: Attempt, _ wrong: Attempt) -> Bool {
    wrong.connectives.isSubset(of: attempt.connectives)
  }
}

extension Attempt {
  fileprivate var constantTexts: Set<String> {
    Set(
      constants.compactMap { constant in
        if case .string(let text) = constant.value { text } else { nil }
      })
  }

  /// Whether it calls a function, as arithmetic does.
  fileprivate var computes: Bool {
    nodes.expressions.contains { if case .function = $0.kind { true } else { false } }
  }

  /// The connectives AND, OR and NOT in its predicates.
  fileprivate var connectives: Set<String> {
    Set(
      nodes.predicates.compactMap { tree in
        switch tree.kind {
        case .and: "AND"
        case .or: "OR"
        case .not: "NOT"
        default: nil
        }
      })
  }

  /// The number of comparisons between two literals.
  fileprivate var idleComparisons: Int { nodes.comparisons.count(where: \.isIdle) }

  /// The operators in its text and their canonical forms: `==` for `=`.
  fileprivate var operatorWords: Set<String> {
    let texts = statements.map { $0.source.text($0.statement.span) }
    return texts.reduce(into: Set(nodes.comparisons.map { $0.operation.text.uppercased() })) {
      // Words are matched in any case, options in lowercase.
      $0.formUnion($1.operatorWords)
      $0.formUnion($1.uppercased().operatorWords)
    }
  }
}

extension String {
  /// The operators in a text, words in capital letters and signs: `CONTAINS`, `==`, `[cd]`, `.*`.
  fileprivate var operatorWords: Set<String> {
    let signs = split { !"=<>!*?.[]cdnl".contains($0) }.map(String.init)
      .filter { sign in sign.contains { "=<>!*?[".contains($0) } && sign != "?" }
    let words = split { !$0.isASCII || !$0.isLetter }.map(String.init)
      .filter { $0.count > 1 && $0 == $0.uppercased() }
    return Set(signs + words)
  }
}
