import KuraModel
import KuraPredicates

/// A language that predicates can be written in. The walk over the tree, the order of the parts and their brackets are
/// the same for all languages; a language says how each kind of predicate is written.
protocol PredicateWriter {
  /// The form of a predicate in the language, such as a text.
  associatedtype Clause

  func clause(_ comparison: Comparison, in whole: PredicateTree) -> Clause
  func negation(of inside: PredicateTree) -> Clause
  func conjunction(of parts: [Clause]) -> Clause
  func choice(of parts: [Clause]) -> Clause
  func constant(_ answer: Bool) -> Clause
  func truth(of value: ExpressionTree) -> Clause

  /// Returns a compound as part of another compound.
  func bracketed(_ compound: Clause) -> Clause
}

extension PredicateWriter {
  /// Returns the form of a predicate.
  func clause(_ predicate: PredicateTree) -> Clause {
    predicate.descending {
      switch predicate.kind {
      case .comparison(let comparison): clause(comparison, in: predicate)
      case .not(let inside): negation(of: inside)
      case .and(let parts): conjunction(of: parts.map(part))
      case .or(let parts): choice(of: parts.map(part))
      case .constant(let answer): constant(answer)
      case .truth(let value): truth(of: value)
      }
    }
  }

  private func part(_ predicate: PredicateTree) -> Clause { part(predicate, clause(predicate)) }

  /// Returns the form of a predicate inside another one.
  func part(_ predicate: PredicateTree, _ clause: Clause) -> Clause {
    switch predicate.kind {
    case .and, .or: bracketed(clause)
    case .not, .comparison, .constant, .truth: clause
    }
  }
}

extension PredicateWriter where Clause == String {
  func bracketed(_ compound: String) -> String { "(\(compound))" }
}

extension ExpressionTree {
  /// The elements of a literal list.
  var elementsOfList: [ExpressionTree]? {
    switch kind {
    case .aggregate(let parts): parts
    case .constant(let constant):
      if case .list(let values) = constant.value {
        values.map { ExpressionTree(.constant(Constant($0)), span: span) }
      } else {
        Optional.none
      }
    default: Optional.none
    }
  }
}

/// A text with places for other texts: `the elements of %1`.
struct Template: Sendable, ExpressibleByStringLiteral {
  private let text: String

  init(stringLiteral text: String) { self.text = text }

  /// Returns the text with values for `%1`, `%2` and so on.
  func callAsFunction(_ values: String...) -> String { filled(with: values) }

  func filled(with values: [String]) -> String {
    let pieces = text.split(separator: "%", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(into: String(pieces[0])) { result, piece in
      guard let number = piece.first?.wholeNumberValue else { return }
      result += values[number - 1] + piece.dropFirst()
    }
  }
}
