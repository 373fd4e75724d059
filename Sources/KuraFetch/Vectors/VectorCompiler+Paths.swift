import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// What is the same for all rows with the same object, or the same text
extension FilterCompiler {
  /// A filter of a comparison that asks nothing but an object at the end of a to-one, or nothing but
  /// one key of few distinct texts: asked once for each of those.
  mutating func sharedLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.modifier == .direct, let paths = TreeNode.predicate(predicate).ownPaths,
      let head = SharedHead(paths: paths, graph, scope)
    else { return nil }
    switch head {
    case .text(let key, let column): return distinctLeaf(predicate, key, column, scope)
    case .one(let key, let column): return joinedLeaf(predicate, key, column, scope)
    case .number(let key, let column): return numbersLeaf(predicate, key, column, scope)
    }
  }

  private mutating func distinctLeaf(
    _ predicate: PredicateTree, _ key: String, _ column: Int, _ scope: FilterScope
  ) -> Filter? {
    guard let dictionary = graph.tables[scope.place.table].columns[column].dictionary,
      let passes = dictionary.count <= Self.fewTexts
        ? asked(predicate, key, dictionary) : worked(predicate, column, scope),
      let nullPasses = try? predicate.evaluate(on: .null, in: environment.evaluation)
    else { return nil }
    let kernel = DictionaryKernel(
      column: column, key: key, passes: passes, nullPasses: nullPasses)
    return node(predicate, .kernel(kernel))
  }

  /// So many are asked of the reference evaluator one by one.
  static let fewTexts = 256

  private func asked(
    _ predicate: PredicateTree, _ key: String, _ dictionary: TextDictionary
  ) -> [Bool]? {
    let context = environment.evaluation
    let answers = (0..<dictionary.count).map { code in
      try? predicate.evaluate(on: .keyed(key, dictionary.string(code)), in: context)
    }
    return answers.contains(nil) ? nil : answers.compactMap(\.self)
  }

  /// The answers for a dictionary's texts, by kernels.
  private mutating func worked(
    _ predicate: PredicateTree, _ column: Int, _ scope: FilterScope
  ) -> [Bool]? {
    guard let texts = ofTexts(column, scope) else { return nil }
    var compiler = FilterCompiler(graph: texts.graph, environment: environment)
    let filter = compiler.filter(predicate, texts.scope)
    guard filter.isOfKernels else { return nil }
    let table = texts.graph.tables[scope.place.table]
    let answer = filter.whole(table)
    return answer.unsure == nil ? (0..<table.count).map { answer.passing.has($0) } : nil
  }

  private mutating func joinedLeaf(
    _ predicate: PredicateTree, _ key: String, _ column: Int, _ scope: FilterScope
  ) -> Filter? {
    guard let there = destination(key, scope),
      let ifNull = try? predicate.evaluate(on: .null, in: environment.evaluation)
    else { return nil }
    let filter = filter(predicate.withoutHead, there)
    guard filter.isFast else { return nil }
    let join = SemiJoin(
      key: key, link: .toOne(column: column), table: there.place.table, filter: filter,
      question: .one(ifNull: ifNull))
    return node(predicate, .join(join))
  }
}

extension FilterCompiler {
  /// An expression that asks nothing but an object at the end of a to-one, or one key of few distinct
  /// texts, as something that is looked up.
  mutating func lookup(_ tree: ExpressionTree, _ scope: FilterScope) -> (any VectorNode)? {
    guard let paths = TreeNode.expression(tree).ownPaths,
      let head = SharedHead(paths: paths, graph, scope)
    else { return nil }
    let missing = try? tree.evaluate(on: .null, in: environment.evaluation)
    switch head {
    case .text(let key, let column):
      if case .keyPath(let path) = tree.kind, path.onlyKey != nil { return nil }
      return lookup(tree, key, column, scope, missing)
    case .one(let key, let column):
      guard let there = destination(key, scope),
        let inner = vector(tree.withoutHead, there)
      else { return nil }
      let source = graph.tables[there.place.table]
      return LookupNode(
        inner, of: source, .one(column: column, count: source.count), missing: missing)
    case .number(_, let column):
      if case .keyPath = tree.kind { return nil }
      return numbersLookup(tree, column, scope, missing)
    }
  }

  private mutating func lookup(
    _ tree: ExpressionTree, _ key: String, _ column: Int, _ scope: FilterScope, _ missing: Value?
  ) -> (any VectorNode)? {
    let here = graph.tables[scope.place.table]
    guard let dictionary = here.columns[column].dictionary else { return nil }
    let link = LookupNode.Link.codes(column: column, count: dictionary.count)
    if dictionary.count <= Self.fewTexts {
      let context = environment.evaluation
      let values = (0..<dictionary.count).map { code in
        try? tree.evaluate(on: .keyed(key, dictionary.string(code)), in: context)
      }
      return LookupNode(values + [missing], link)
    }
    guard let texts = ofTexts(column, scope) else { return nil }
    var compiler = FilterCompiler(graph: texts.graph, environment: environment)
    guard let inner = compiler.vector(tree, texts.scope) else { return nil }
    return LookupNode(
      inner, of: texts.graph.tables[scope.place.table], link, missing: missing)
  }

  /// A graph in whose table each distinct text of a column is a row; nil where rows are hardly more.
  private func ofTexts(
    _ column: Int, _ scope: FilterScope
  ) -> (graph: Graph, scope: FilterScope)? {
    let table = graph.tables[scope.place.table]
    guard let dictionary = table.columns[column].dictionary, dictionary.count * 2 < table.count
    else { return nil }
    var graph = graph
    graph.tables[scope.place.table] = Table(
      layout: table.layout,
      columns: table.columns.enumerated().map { number, other in
        number == column ? Column(other.kind, chunks: dictionary.chunks) : Column(other.kind)
      }, identifiers: .dense(first: 1, count: dictionary.count))
    return (graph, scope)
  }

  func destination(_ key: String, _ scope: FilterScope) -> FilterScope? {
    guard
      case .relationship(let relationship)? = graph.model.property(
        named: key, of: scope.entity),
      let place = graph.place(of: relationship.destination)
    else { return nil }
    return FilterScope(entity: relationship.destination, place: place)
  }
}

extension Value {
  /// What has one key.
  fileprivate static func keyed(_ key: String, _ text: String) -> Value {
    .dictionary(ValueDictionary([(key, .string(text))]))
  }
}

extension TextDictionary {
  /// Its texts as a column has them.
  fileprivate var chunks: [ColumnChunk] {
    stride(from: 0, to: count, by: ColumnChunk.capacity).map { first in
      var chunk = TextChunk()
      for code in first..<min(count, first + ColumnChunk.capacity) {
        chunk.append(Array(string(code).utf8), isOdd: texts.isOdd(code))
      }
      return ColumnChunk(.text(chunk))
    }
  }
}
