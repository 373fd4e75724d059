package import KuraDiagnostics
package import KuraFetch
package import KuraGraph
import KuraModel
package import KuraPredicates
import KuraValues

extension BoundRequest {
  /// Returns the rows for which a leaf fails because a value is nil, among rows that do not match.
  ///
  /// A tracer determines this for one object; here the engine evaluates a predicate for all rows if
  /// possible. `hasOtherKinds`: values of other kinds may count as nil, and only a tracer finds them.
  package func nullRows(
    of leaf: PredicateTree, among failing: [Bitmap], hasOtherKinds: Bool = false
  ) throws(Diagnostic) -> [Bitmap] {
    if hasOtherKinds { return try traced(leaf, among: failing) }
    switch NullQuestion(leaf) {
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

/// The way to determine whether a leaf fails because a value is nil.
private enum NullQuestion {
  /// The leaf compares with nil, or nothing in it can be nil.
  case never
  /// The leaf uses nil as a value.
  case always
  /// It fails because of nil if this predicate holds.
  case asked(PredicateTree)
  /// Each object for which this predicate holds must be traced; nil for every object.
  case traced(PredicateTree?)

  init(_ leaf: PredicateTree) {
    switch leaf.kind {
    case .comparison(let comparison): self.init(comparison)
    case .truth(let expression): self = .asked(expression.isNull)
    case .not, .and, .or, .constant: self = .never
    }
  }

  private init(_ comparison: Comparison) {
    let asksForNull = comparison.left.isLiteralNull || comparison.right.isLiteralNull
    if comparison.operation == .notEqual || comparison.operation == .equal && asksForNull {
      self = .never
    } else if asksForNull, comparison.modifier == .direct {
      self = .always
    } else if comparison.modifier == .direct {
      self.init(sides: comparison.sidesOfValues)
    } else if comparison.modifier == .all, comparison.right.isFixed {
      self = .traced(comparison.left.isNull(.any))
    } else if comparison.right.isFixed, !comparison.right.holdsNull,
      !comparison.left.mayBeNull
    {
      self = .asked(comparison.left.isNull(.any))
    } else {
      self = .traced(nil)
    }
  }

  private init(sides: [ExpressionTree]?) {
    guard let sides else {
      self = .traced(nil)
      return
    }
    if sides.contains(where: \.isLiteralNull) {
      self = .always
      return
    }
    let open = sides.filter { !$0.isFixed && $0.mayBeNull }
    if open.isEmpty { self = .never } else { self = .asked(PredicateTree(.or(open.map(\.isNull)))) }
  }
}

extension Comparison {
  /// The operands that must not be nil; nil if the tree does not show them.
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

  /// Whether the value can be nil, even for an object that is not valid; false for a to-many
  /// relationship of the object, its count or its sum: `items.price`, `items.@count`.
  fileprivate var mayBeNull: Bool {
    guard case .keyPath(let path) = kind else { return true }
    if path.countsSubquery { return false }
    guard path.base == nil, path.components.first?.property?.isToMany == true else { return true }
    let operation = path.components.first { $0.kind == .collectionOperator }?.name
    return !["count", "sum", nil].contains(operation)
  }
}

extension KeyPathTree {
  /// Whether it is `SUBQUERY(items, $i, …).@count`, which is never nil.
  fileprivate var countsSubquery: Bool {
    guard case .subquery? = base?.kind, components.count == 1 else { return false }
    return components[0].kind == .collectionOperator && components[0].name == "count"
  }
}

// ANY and ALL follow the links. Each object at the other end is evaluated once, instead of once per
// link to it.
extension BoundRequest {
  /// Returns the rows for which `ALL items.dueDate > x` fails because a value is nil, with the
  /// result of a tracer; nil if the path is not plain.
  func nullRows(
    quantified comparison: Comparison, among failing: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap]? {
    guard comparison.modifier != .direct, comparison.right.isFixed, !comparison.right.holdsNull,
      case .keyPath(let path) = comparison.left.kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key }), path.components.count > 1,
      let way = path.components[0].property?.relationship,
      let there = asking(of: way.destination)
    else { return nil }
    var rest = comparison
    let keys = Array(path.components.dropFirst())
    rest.left = ExpressionTree(.keyPath(KeyPathTree(keys)), span: comparison.left.span)
    guard way.isToMany else { return try nullRows(way.name, there, rest, failing) }
    return KeyPathTree(keys).attribute == nil
      ? nil : try elementNulls(way.name, there, rest, failing)
  }

  private var nothing: [Bitmap] { candidates.map { Bitmap(count: $0.count) } }

  /// Follows a to-one relationship: the result for its target is the result for the row.
  private func nullRows(
    _ key: String, _ there: BoundRequest, _ rest: Comparison, _ failing: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    var (result, asked) = (failing.map { Bitmap(count: $0.count) }, there.nothing)
    var targets: [(row: Int, target: Int)] = []
    for row in failing.firstRows() {
      if let target = linkedRows(key, row).first {
        targets.append((row, target))
        asked[row: target] = true
      } else if rest.modifier == .any {
        result[row: row] = true
      }
    }
    let nulls = try there.nullRows(of: PredicateTree(.comparison(rest)), among: asked)
    for (row, target) in targets where nulls[row: target] { result[row: row] = true }
    return result
  }

  /// Follows a to-many relationship: ANY fails because of any nil element, ALL because of the first
  /// element that fails.
  private func elementNulls(
    _ key: String, _ there: BoundRequest, _ rest: Comparison, _ failing: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap]? {
    var direct = rest
    direct.modifier = .direct
    let all = there.candidates
    guard let holding = try there.answer(PredicateTree(.comparison(direct)), all),
      let null = try there.answer(rest.left.isNull, all.subtracting(holding))
    else { return nil }
    var result = failing.map { Bitmap(count: $0.count) }
    for row in failing.firstRows() {
      let elements = linkedRows(key, row)
      let settling =
        rest.modifier == .any
        ? elements.first { null[row: $0] } : elements.first { !holding[row: $0] }
      if let settling, null[row: settling] { result[row: row] = true }
    }
    return result
  }

  /// Returns the rows that match; nil if a row fails with an error that the fetch itself may avoid.
  private func answer(
    _ question: PredicateTree, _ rows: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap]? {
    do throws(Diagnostic) { return try passing(question, among: rows) } catch {
      if error.isStop { throw error }
      return nil
    }
  }
}
