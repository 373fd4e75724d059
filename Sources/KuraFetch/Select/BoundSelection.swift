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
  var function: AggregateFunction
  var argument: ExpressionTree
  var span: SourceSpan

  /// `count(SELF)`
  var isCountOfObjects: Bool {
    if case .evaluatedObject = argument.kind { function == .count } else { false }
  }
}

/// A function that makes one value of a group's.
enum AggregateFunction: String, Sendable, CaseIterable {
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
  func type(of argument: BoundType) -> BoundType {
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
