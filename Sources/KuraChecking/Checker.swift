package import KuraDiagnostics
import KuraModel
import KuraPredicates
package import KuraValues

/// Checks names, types and literals of trees against a model, and reads literals as their types.
///
/// What is wrong is noted with its place, and the check goes on with what is still known.
struct Checker {
  let state: CheckState
  /// What stands at the root of a path.
  var root: Root
  /// What the variables of the subqueries around stand for.
  var scope: [String: CheckedType] = [:]
  /// Which of the variables around a fetch in brackets it reads.
  var outerUse: OuterUse?

  init(_ state: CheckState, _ root: Root) {
    self.state = state
    self.root = root
  }

  var context: CheckContext { _read { yield state.context } }
  var model: Model { _read { yield state.context.model } }
  var entity: String? { root.entity }
}

/// The object that is evaluated, as far as a check knows it.
enum Root {
  /// An object of an entity, or of one of its descendants that the data may know.
  case object(entity: String, mayBeNarrower: Bool)
  /// No object, as in `print`.
  case none
  /// An object of which nothing is known.
  case unknown

  static func object(entity: String) -> Root { .object(entity: entity, mayBeNarrower: false) }

  var entity: String? { if case .object(let entity, _) = self { entity } else { nil } }

  var type: CheckedType { entity.map { .object(entity: $0) } ?? .any }
}

/// Notes whether a fetch in brackets reads a variable of a subquery around it.
final class OuterUse {
  private let names: Set<String>
  private(set) var isUsed = false

  init(_ names: some Sequence<String>) { self.names = Set(names) }

  func note(_ name: String) { if names.contains(name) { isUsed = true } }
}

extension Checker {
  /// What a step gives or, where it finds a problem, something else to go on with.
  func noting<Answer>(
    _ other: @autoclosure () -> Answer, _ step: () throws(Diagnostic) -> Answer
  ) -> Answer {
    do { return try step() } catch {
      state.problems.append(error)
      return other()
    }
  }

  /// The same, where more is to be said of the problem.
  func noting<Answer>(
    _ other: @autoclosure () -> Answer, _ more: (Diagnostic) -> Diagnostic,
    _ step: () throws(Diagnostic) -> Answer
  ) -> Answer {
    do { return try step() } catch {
      state.problems.append(more(error))
      return other()
    }
  }

  /// Notes the problem that a step finds.
  func noting(_ step: () throws(Diagnostic) -> Void) { noting((), step) }
}

extension Checker {
  /// A predicate with everything in it checked.
  func checked(_ predicate: PredicateTree) -> PredicateTree {
    PredicateTree(predicate.descending { checked(predicate.kind) }, span: predicate.span)
  }

  private func checked(_ kind: PredicateTree.Kind) -> PredicateTree.Kind {
    switch kind {
    case .comparison(let comparison): .comparison(checked(comparison))
    case .not(let inner): .not(checked(inner))
    case .and(let parts): .and(parts.map { checked($0) })
    case .or(let parts): .or(parts.map { checked($0) })
    case .constant: kind
    case .truth(let expression): truth(of: expression)
    }
  }

  /// A boolean, or a named predicate, which is what it says.
  private func truth(of expression: ExpressionTree) -> PredicateTree.Kind {
    checkIsPredicate(expression)
    let tree = checked(expression).tree
    if case .predicate(let named) = tree.kind { return named.kind }
    return .truth(tree)
  }

  func checked(_ sort: [SortTree]) -> [SortTree] {
    sort.map { key in
      var result = key
      let expression = checked(key.expression)
      checkSign(key.expression)
      warnOfQuotedKey(key.expression)
      if expression.type.isCollection {
        let end = SourceSpan(key.expression.span.end, key.expression.span.end)
        note(
          .sortNeedsValue(key.expression.expressionFormat), at: key.expression.span,
          fixIt: FixIt(end, ".@count"))
      }
      result.expression = expression.tree
      return result
    }
  }

  /// A number or a variable, for `limit` and `offset`; what is computed is known when it is run.
  func checkedCount(_ expression: ExpressionTree?, _ clause: FetchCount) -> ExpressionTree? {
    guard let expression else { return nil }
    let checked = checked(expression).tree
    if case .constant(let constant) = checked.kind {
      noting { () throws(Diagnostic) in
        _ = try clause.count(constant.value, at: expression.span)
      }
    }
    return checked
  }

  func note(_ facts: CheckFacts, at span: SourceSpan, fixIt: FixIt? = nil) {
    state.problems.append(Diagnostic(facts, at: span, fixIt: fixIt))
  }
}

/// A clause that takes a number.
package enum FetchCount: String, Sendable {
  case limit, offset, batch

  /// The number that a value is, also one in a text.
  package func count(_ value: Value, at span: SourceSpan) throws(Diagnostic) -> Int {
    let number: Int64? =
      switch value {
      case .integer(let number): number
      case .string(let text): Int64(text)
      case .null, .boolean, .double, .decimal, .date, .uuid, .uri, .binary, .list, .set,
        .dictionary, .object:
        nil
      }
    guard let number, number >= 0, let count = Int(exactly: number) else {
      throw Diagnostic(CheckFacts.badCount(clause: rawValue), at: span)
    }
    return count
  }
}
