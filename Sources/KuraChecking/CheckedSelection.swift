package import KuraDiagnostics
import KuraModel
package import KuraPredicates

/// What a fetch shows in place of its objects, checked.
package struct CheckedSelection: Sendable {
  package var columns: [CheckedColumn]
  package var isDistinct: Bool
  /// Nil where each row is an object's.
  package var grouping: CheckedGrouping?

  /// Whether there are aggregates over all objects, and so one row.
  package var isOneRow: Bool { grouping?.keys.isEmpty ?? false }
}

/// A column, or the key of sections.
package struct CheckedColumn: Sendable {
  package var name: String
  /// Of an object or, where there are groups, of a group.
  package var tree: ExpressionTree
  package var type: CheckedType
}

/// How objects are put in groups, and what is computed of each group.
///
/// Trees of a group read its keys and aggregates as variables, whose names nobody can type.
package struct CheckedGrouping: Sendable {
  package var keys: [CheckedColumn]
  package var aggregates: [CheckedAggregate]
  package var having: PredicateTree?
}

/// `max(date)` of a group's objects
package struct CheckedAggregate: Sendable {
  /// The variable by which trees read it.
  package var name: String
  package var function: PredicateFunction
  package var argument: ExpressionTree
  package var span: SourceSpan

  /// `count(SELF)`
  package var isCountOfObjects: Bool {
    if case .evaluatedObject = argument.kind { function == .count } else { false }
  }
}

extension CheckedType {
  /// What an aggregate makes of values of this type.
  func aggregated(by function: PredicateFunction) -> CheckedType {
    switch function.result {
    case .number: .number
    case .numberLikeElements: if case .attribute(.decimal) = self { self } else { .number }
    case .string: .string
    case .date: .date
    case .boolean: .boolean
    case .argument, .firstTyped, .element, .member: self
    case .collection: .collection(self)
    case .castTarget, .unknown: .any
    }
  }
}

extension ExpressionTree {
  /// The aggregate that the expression is where aggregates stand, and what it is of.
  var aggregate: (function: PredicateFunction, argument: ExpressionTree)? {
    guard case .function(let call) = kind, call.arguments.count == 1,
      let function = call.function, function.isAggregate
    else { return nil }
    return (function, call.arguments[0])
  }
}
