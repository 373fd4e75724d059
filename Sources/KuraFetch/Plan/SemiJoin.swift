import KuraGraph

/// A test of rows by the rows that a relationship leads to.
///
/// The other table's column is filtered once, then one pass over the links carries the answers back.
struct SemiJoin: Sendable {
  /// `items`
  let key: String
  let link: Link
  /// The table at the other end.
  let table: Int
  /// Which rows there count.
  let filter: Filter
  let question: Question

  enum Link: Sendable {
    /// Links in a column of this table.
    case toOne(column: Int)
    /// Lists of links in a column of this table.
    case lists(column: Int)
    /// The links or lists are in a column of the other table, and lead here.
    case inverse(column: Int)
  }

  enum Question: Sendable {
    /// The one object passes; without one, this is the answer.
    case one(ifNull: Bool)
    /// At least one object passes.
    case any
    /// The number of objects that pass is in one of the ranges.
    case count([ClosedRange<Int64>], isNegated: Bool)
    /// A number made of the objects' values stands so to a literal.
    case summary(Summary)
  }
}

extension SemiJoin {
  var method: String {
    switch question {
    case .one: "\(key), one"
    case .any: "\(key), any"
    case .count: "\(key), counting"
    case .summary(let summary): "\(key), \(summary.operation.rawValue) of \(summary.key)"
    }
  }
}

/// `items.@avg.estimate > 240`
struct Summary: Sendable {
  let operation: Operation
  let key: String
  /// The column of the other table.
  let column: Int
  let test: Test
  let isNegated: Bool
  /// The answer where there is no value: `@min` of nothing.
  let nullPasses: Bool

  enum Operation: String, Sendable {
    case sum = "@sum"
    case average = "@avg"
    case least = "@min"
    case greatest = "@max"
  }

  enum Test: Sendable {
    case integers([ClosedRange<Int64>])
    case doubles([ClosedRange<Double>])
  }
}
