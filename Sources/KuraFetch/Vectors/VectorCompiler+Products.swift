import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// What is the same for all rows with the same few values of several keys
extension FilterCompiler {
  /// A filter of a comparison that asks several keys of few distinct values, and takes longer for each
  /// row than looking its answer up: asked once for each combination.
  mutating func productLeaf(
    _ predicate: PredicateTree, insteadOf kernel: any ChunkKernel, _ scope: FilterScope
  ) -> Filter? {
    guard kernel.cost > Self.costOfLookup,
      let product = product(.predicate(predicate), scope)
    else { return nil }
    var compiler = FilterCompiler(graph: product.graph, environment: environment)
    let filter = compiler.filter(predicate, product.scope)
    guard filter.isOfKernels else { return nil }
    let table = product.graph.tables[product.scope.place.table]
    return node(predicate, .kernel(ProductKernel(product.link, filter, table, product.keys)))
  }

  /// An expression that asks such keys, as something that is looked up.
  mutating func productLookup(
    _ tree: ExpressionTree, insteadOf node: any VectorNode, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard node.cost > Self.costOfLookup, let product = product(.expression(tree), scope) else {
      return nil
    }
    var compiler = FilterCompiler(graph: product.graph, environment: environment)
    guard let inner = compiler.vector(tree, product.scope) else { return nil }
    // No row leads to the value that is added behind those of all combinations.
    return LookupNode(
      inner, of: product.graph.tables[product.scope.place.table], product.link, missing: .null)
  }

  private static let costOfLookup = 8.0

  /// The combinations of the values of all keys that a tree asks; nil where these are one, or the combinations
  /// many.
  private mutating func product(_ node: TreeNode, _ scope: FilterScope) -> KeyProduct? {
    guard let paths = node.ownPaths, 2...4 ~= paths.count else { return nil }
    let table = graph.tables[scope.place.table]
    var factors: [KeyProduct.Factor] = []
    for path in paths {
      guard let key = path.onlyKey, let factor = factor(key, table, scope) else { return nil }
      factors.append(factor)
    }
    let count = factors.reduce(1) { $0 * ($1.count + 1) }
    guard count <= KeyProduct.most, count * 4 <= table.count else { return nil }
    return KeyProduct(factors, paths.compactMap(\.onlyKey), graph, scope)
  }

  private mutating func factor(
    _ key: String, _ table: Table, _ scope: FilterScope
  ) -> KeyProduct.Factor? {
    switch table.layout.slots[scope.place.code][key] {
    case .attribute(let column, .string)?:
      return table.columns[column].dictionary.flatMap {
        $0.count < KeyProduct.mostOfOne ? .texts($0, column: column) : nil
      }
    case .attribute(let column, .integer)?, .attribute(let column, .integer16)?,
      .attribute(let column, .integer32)?, .attribute(let column, .date)?:
      return narrowColumn(column, scope).flatMap {
        $0.count < KeyProduct.mostOfOne ? .numbers($0, column: column) : nil
      }
    case .attribute?, .toOne?, .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }
}

/// All combinations of the values that some keys have, as the rows of a table.
private struct KeyProduct {
  let link: LookupNode.Link
  let keys: [String]
  let graph: Graph
  let scope: FilterScope

  /// More are not asked.
  static let most = 1 << 14
  static let mostOfOne = 1 << 12

  enum Factor {
    case texts(TextDictionary, column: Int)
    case numbers(NarrowColumn, column: Int)
  }

  init(_ factors: [Factor], _ keys: [String], _ graph: Graph, _ scope: FilterScope) {
    let table = graph.tables[scope.place.table]
    let count = factors.reduce(1) { $0 * ($1.count + 1) }
    var (columns, stride) = (table.columns.map { Column($0.kind) }, count)
    for factor in factors {
      stride /= factor.count + 1
      columns[factor.column] = factor.column(
        table.columns[factor.column].kind, count: count, stride: stride)
    }
    link = .several(factors.map(\.link), count: count)
    self.keys = keys
    var graph = graph
    graph.tables[scope.place.table] = Table(
      layout: table.layout, columns: columns, identifiers: .dense(first: 1, count: count))
    (self.graph, self.scope) = (graph, scope)
  }
}

extension KeyProduct.Factor {
  /// How many values there are beside none.
  var count: Int {
    switch self {
    case .texts(let dictionary, _): dictionary.count
    case .numbers(let narrow, _): narrow.count
    }
  }

  var column: Int {
    switch self {
    case .texts(_, let column), .numbers(_, let column): column
    }
  }

  var link: LookupNode.Link {
    switch self {
    case .texts(let dictionary, let column): .codes(column: column, count: dictionary.count)
    case .numbers(let narrow, _): .numbers(narrow)
    }
  }

  /// Its values, and none behind them, each so often, all again and again.
  func column(_ kind: ColumnKind, count: Int, stride: Int) -> Column {
    let codes = (0..<count).map { $0 / stride % (self.count + 1) }
    return Column(
      kind, chunks: [ColumnChunk(values(codes), nulls: Bitmap(codes) { $0 == self.count })])
  }

  private func values(_ codes: [Int]) -> ColumnChunk.Values {
    switch self {
    case .numbers(let narrow, _):
      return .integers(codes.map { narrow.value(of: min($0, count - 1)) })
    case .texts(let dictionary, _):
      var texts = TextChunk()
      for code in codes {
        let text = code < count ? Array(dictionary.string(code).utf8) : []
        texts.append(text, isOdd: code < count && dictionary.texts.isOdd(code))
      }
      return .text(texts)
    }
  }
}
