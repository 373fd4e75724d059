import KuraDiagnostics
import KuraPredicates

/// A column of a fetch as it was written.
struct NamedColumn {
  let name: String
  let expression: ExpressionTree
  /// Whether `as` gave the name.
  let isNamed: Bool
  let span: SourceSpan

  init(_ name: String, _ expression: ExpressionTree, _ isNamed: Bool, _ span: SourceSpan) {
    self.name = name
    self.expression = expression
    self.isNamed = isNamed
    self.span = span
  }
}

/// The names of the columns, which `sort`, `having` and `group by` see before the entity's keys.
struct SelectedNames {
  let columns: [NamedColumn]
  private let named: [String: ExpressionTree]

  init(_ columns: [NamedColumn]) {
    self.columns = columns
    named = Dictionary(
      columns.filter(\.isNamed).map { ($0.name, $0.expression) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension SelectedNames {
  /// The tree with the columns in the place of their names.
  ///
  /// Inside an aggregate a name is the entity's: `select max(date) as date … sort max(date)`.
  func replaced(_ tree: ExpressionTree) -> ExpressionTree {
    named.isEmpty ? tree : tree.replacing { replacement($0) }
  }

  func replaced(_ predicate: PredicateTree) -> PredicateTree {
    named.isEmpty ? predicate : predicate.replacing { replacement($0) }
  }

  private func replacement(_ node: ExpressionTree) -> ExpressionTree? {
    if node.aggregate != nil { return node }
    guard case .keyPath(let path) = node.kind, path.base == nil, let first = path.components.first,
      first.kind == .key, let column = named[first.name]
    else { return nil }
    // What a column is made of is checked where the column stands.
    let base = ExpressionTree(column.kind, span: node.span)
    if path.components.count == 1 { return base }
    let rest = KeyPathTree(base: base, Array(path.components.dropFirst()))
    return ExpressionTree(.keyPath(rest), span: node.span)
  }
}

extension SortTree {
  func replacing(_ replace: (ExpressionTree) -> ExpressionTree) -> SortTree {
    var result = self
    result.expression = replace(expression)
    return result
  }
}

extension ExpressionTree {
  /// Whether an aggregate is in it.
  var containsAggregate: Bool { first { $0.aggregate != nil } != nil }

  /// The first key of the evaluated object, or the object itself.
  var firstKey: ExpressionTree? {
    first { node in
      switch node.kind {
      case .evaluatedObject: true
      case .keyPath(let path): path.base == nil
      default: false
      }
    }
  }
}
