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
  package var function: AggregateFunction
  package var argument: ExpressionTree
  package var span: SourceSpan

  /// `count(SELF)`
  package var isCountOfObjects: Bool {
    if case .evaluatedObject = argument.kind { function == .count } else { false }
  }
}

/// A function that makes one value of a group's.
package enum AggregateFunction: String, Sendable, CaseIterable {
  case count = "count:"
  case sum = "sum:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case stddev = "stddev:"
}

extension AggregateFunction {
  /// Whether it computes, and so wants numbers.
  var wantsNumbers: Bool {
    switch self {
    case .sum, .average, .median, .stddev: true
    case .count, .min, .max, .mode: false
    }
  }

  /// The operator that does the same with a path through a to-many: `items.@sum.estimate`.
  var collectionOperator: String? {
    switch self {
    case .count: "@count"
    case .sum: "@sum"
    case .min: "@min"
    case .max: "@max"
    case .average: "@avg"
    case .median, .mode, .stddev: nil
    }
  }

  /// What the aggregate of values of a type is.
  func type(of argument: CheckedType) -> CheckedType {
    switch self {
    case .count, .average, .median, .stddev: .number
    case .sum: if case .attribute(.decimal) = argument { argument } else { .number }
    case .min, .max: argument
    case .mode: .collection(argument)
    }
  }
}

extension ExpressionTree {
  /// The aggregate that the expression is where aggregates stand, and what it is of.
  var aggregate: (function: AggregateFunction, argument: ExpressionTree)? {
    guard case .function(let call) = kind, call.arguments.count == 1,
      let function = AggregateFunction(rawValue: call.selector)
    else { return nil }
    return (function, call.arguments[0])
  }
}
