import KuraGraph
import KuraPredicates
import KuraSentences

/// A predicate made ready for a table: each node with the part of the predicate that it answers,
/// and how.
struct Filter: Sendable {
  /// The part of the bound predicate that it answers.
  let predicate: PredicateTree
  /// Its place among the nodes of a plan, for what is counted at each.
  let node: Int
  let kind: Kind

  indirect enum Kind: Sendable {
    case constant(Bool)
    /// Answers for a whole chunk, and does not fail.
    case kernel(any ChunkKernel)
    /// Asks the objects at the other end of a relationship.
    case join(SemiJoin)
    case and([Filter])
    case or([Filter])
    case not(Filter)
    /// Row by row, by the reference evaluator.
    case reference
  }
}

extension Filter {
  /// How the node is answered, as `explain` says it: `kernel: range over priority`.
  var method: String {
    switch kind {
    case .constant: localized("constant")
    case .kernel(let kernel): localized("kernel: \(kernel.method)")
    case .join(let join): localized("semi-join: \(join.method)")
    case .and: localized("and")
    case .or: localized("or")
    case .not: localized("not")
    case .reference: localized("reference evaluator")
    }
  }

  /// The nodes under this one; of a semi-join the filter of the other table.
  var parts: [Filter] {
    switch kind {
    case .constant, .kernel, .reference: []
    case .join(let join): [join.filter]
    case .and(let parts), .or(let parts): parts
    case .not(let inner): [inner]
    }
  }

  /// Whether no row can make it fail: only then may it be asked out of its turn.
  var cannotFail: Bool {
    switch kind {
    case .constant: true
    case .join(let join): join.filter.cannotFail
    case .kernel(let kernel): kernel.isSure
    case .and(let parts), .or(let parts): parts.allSatisfy(\.cannotFail)
    case .not(let inner): inner.cannotFail
    case .reference: false
    }
  }

  /// About how many nanoseconds a row takes, for the order of tests and for the second core.
  var cost: Double {
    switch kind {
    case .constant: 0
    case .kernel(let kernel): kernel.cost
    case .join: 2
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.cost }
    case .not(let inner): inner.cost
    case .reference: 1000
    }
  }
}

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
