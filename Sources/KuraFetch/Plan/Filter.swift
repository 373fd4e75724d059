import KuraPredicates

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
    case .constant: "constant"
    case .kernel(let kernel): "kernel: \(kernel.method)"
    case .join(let join): "semi-join: \(join.method)"
    case .and: "and"
    case .or: "or"
    case .not: "not"
    case .reference: "reference evaluator"
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
    case .constant, .join: true
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
