package import KuraDiagnostics
package import KuraFetch
package import KuraGraph
import KuraModel
package import KuraPredicates
import KuraValues

extension BoundRequest {
  /// Of rows for which a leaf does not hold, those for which it fails because something is nil.
  ///
  /// A tracer says the same of one object; here the engine is asked as far as it has a question for it.
  package func nullRows(
    of leaf: PredicateTree, among failing: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    switch NullQuestion(leaf, snapshot.graph.model, entity) {
    case .never: return failing.map { Bitmap(count: $0.count) }
    case .always: return failing
    case .asked(let question): return try passing(question, among: failing)
    case .traced(let question):
      if case .comparison(let comparison) = leaf.kind,
        let rows = try nullRows(quantified: comparison, among: failing)
      {
        return rows
      }
      let rows = try question.map { question throws(Diagnostic) in
        try passing(question, among: failing)
      }
      return try traced(leaf, among: rows ?? failing)
    }
  }

  private func traced(
    _ leaf: PredicateTree, among rows: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    var result = rows.map { Bitmap(count: $0.count) }
    for row in rows.firstRows() where try trace(leaf, row).answer == .null {
      result[row >> ColumnChunk.shift][row & ColumnChunk.mask] = true
    }
    return result
  }
}

/// How it is found out whether a leaf that does not hold fails because something is nil.
private enum NullQuestion {
  /// It asks for nil itself, or nothing in it can be nil.
  case never
  /// It compares with nil.
  case always
  /// Where this holds.
  case asked(PredicateTree)
  /// By tracing each object for which this holds; nil: each.
  case traced(PredicateTree?)

  init(_ leaf: PredicateTree, _ model: Model, _ entity: String) {
    switch leaf.kind {
    case .comparison(let comparison): self.init(comparison, model, entity)
    case .truth(let expression): self = .asked(expression.isNull)
    case .not, .and, .or, .constant: self = .never
    }
  }

  private init(_ comparison: Comparison, _ model: Model, _ entity: String) {
    let asksForNull = comparison.left.isLiteralNull || comparison.right.isLiteralNull
    if comparison.operation == .notEqual || comparison.operation == .equal && asksForNull {
      self = .never
    } else if asksForNull, comparison.modifier == .direct {
      self = .always
    } else if comparison.modifier == .direct {
      self.init(sides: comparison.sidesOfValues, model, entity)
    } else if comparison.modifier == .all, comparison.right.isFixed {
      self = .traced(comparison.left.isNull(.any))
    } else if comparison.right.isFixed, !comparison.right.holdsNull,
      !comparison.left.mayBeNull(model, entity)
    {
      self = .asked(comparison.left.isNull(.any))
    } else {
      self = .traced(nil)
    }
  }

  private init(sides: [ExpressionTree]?, _ model: Model, _ entity: String) {
    guard let sides else {
      self = .traced(nil)
      return
    }
    if sides.contains(where: \.isLiteralNull) {
      self = .always
      return
    }
    let open = sides.filter { !$0.isFixed && $0.mayBeNull(model, entity) }
    if open.isEmpty { self = .never } else { self = .asked(PredicateTree(.or(open.map(\.isNull)))) }
  }
}

extension Comparison {
  /// What must not be nil; nil where that is not seen in the tree.
  fileprivate var sidesOfValues: [ExpressionTree]? {
    guard operation == .between else { return [left, right] }
    switch right.kind {
    case .aggregate(let bounds): return [left] + bounds
    case .constant(let constant):
      let bounds = constant.value.elements ?? []
      return [left] + bounds.map { ExpressionTree(.constant(Constant($0))) }
    default: return nil
    }
  }
}

extension ExpressionTree {
  /// `dueDate == nil`
  var isNull: PredicateTree { isNull(.direct) }

  fileprivate func isNull(_ modifier: ComparisonModifier) -> PredicateTree {
    let null = ExpressionTree(.constant(Constant(.null)))
    return PredicateTree(.comparison(Comparison(self, .equal, null, modifier: modifier)))
  }

  var holdsNull: Bool {
    first { $0.isLiteralNull } != nil
      || first { tree in
        guard case .constant(let constant) = tree.kind else { return false }
        return constant.value.elements?.contains(where: \.isNull) ?? false
      } != nil
  }

  /// False of what is a collection of the object itself, or counts one: `items.price`, `items.@count`.
  fileprivate func mayBeNull(_ model: Model, _ entity: String) -> Bool {
    guard case .keyPath(let path) = kind else { return true }
    if path.countsSubquery { return false }
    guard path.base == nil, let first = path.components.first,
      first.kind == .key,
      let relationship = model.allRelationships(of: entity).first(where: { $0.name == first.name })
    else { return true }
    guard relationship.isToMany else { return true }
    let operation = path.components.first { $0.kind == .collectionOperator }?.name
    return !["count", "sum", nil].contains(operation)
  }
}

extension KeyPathTree {
  /// `SUBQUERY(items, $i, …).@count`, which is a number of everything.
  fileprivate var countsSubquery: Bool {
    guard case .subquery? = base?.kind, components.count == 1 else { return false }
    return components[0].kind == .collectionOperator && components[0].name == "count"
  }
}
