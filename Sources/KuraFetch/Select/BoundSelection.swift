import KuraDiagnostics
import KuraModel
import KuraPredicates

/// What a fetch shows in place of its objects, checked.
struct BoundSelection: Sendable {
  var columns: [BoundColumn]
  var isDistinct: Bool
  /// Nil where each row is an object's.
  var grouping: BoundGrouping?

  /// Whether there are aggregates over all objects, and so one row.
  var isOneRow: Bool { grouping?.keys.isEmpty ?? false }
}

/// A column, or the key of sections.
struct BoundColumn: Sendable {
  var name: String
  /// Of an object or, where there are groups, of a group.
  var tree: ExpressionTree
  var type: BoundType
}

/// How objects are put in groups, and what is computed of each group.
///
/// Trees of a group read its keys and aggregates as variables, whose names nobody can type.
struct BoundGrouping: Sendable {
  var keys: [BoundColumn]
  var aggregates: [BoundAggregate]
  var having: PredicateTree?
}

/// `max(date)` of a group's objects
struct BoundAggregate: Sendable {
  /// The variable by which trees read it.
  var name: String
  var function: PredicateFunction
  var argument: ExpressionTree
  var span: SourceSpan

  /// `count(SELF)`
  var isCountOfObjects: Bool {
    if case .evaluatedObject = argument.kind { function == .count } else { false }
  }
}

extension BoundType {
  /// What an aggregate makes of values of this type.
  func aggregated(by function: PredicateFunction) -> BoundType {
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
