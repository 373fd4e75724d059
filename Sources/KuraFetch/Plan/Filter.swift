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
    /// Answers for a whole chunk.
    case kernel(any ChunkKernel)
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
    case .kernel(let kernel):
      kernel.parts.isEmpty
        ? localized("kernel: \(kernel.method)") : localized("semi-join: \(kernel.method)")
    case .and: localized("and")
    case .or: localized("or")
    case .not: localized("not")
    case .reference: localized("reference evaluator")
    }
  }

  /// The nodes under this one; for a semi-join, the filter of the other table.
  var parts: [Filter] {
    switch kind {
    case .constant, .reference: []
    case .kernel(let kernel): kernel.parts
    case .and(let parts), .or(let parts): parts
    case .not(let inner): [inner]
    }
  }

  /// Whether no row can make it fail: only then may it be asked out of its turn.
  var cannotFail: Bool {
    switch kind {
    case .constant: true
    case .kernel(let kernel): kernel.isSure
    case .and(let parts), .or(let parts): parts.allSatisfy(\.cannotFail)
    case .not(let inner): inner.cannotFail
    case .reference: false
    }
  }

  /// About how many nanoseconds a row takes, for the order of tests and for sharing the work.
  var cost: Double {
    switch kind {
    case .constant: 0
    case .kernel(let kernel): kernel.cost
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.cost }
    case .not(let inner): inner.cost
    case .reference: 1000
    }
  }
}
