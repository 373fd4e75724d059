import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// Many groups are asked and sorted as the rows are that stand for them, the first of each.
extension GroupRows {
  func sorted(
    _ groups: [Int], by trees: [SortTree], first wanted: Int?
  ) throws(Diagnostic) -> [Int]? {
    guard groups.count >= BoundRequest.manyGroups,
      let request = asRows(trees.flatMap(\.expression.variables))
    else { return nil }
    let byRows = trees.map { tree in
      var tree = tree
      tree.expression = keyed(tree.expression)
      return tree
    }
    return try request.sorted(groups, of: firstRows, by: byRows, first: wanted)
  }

  /// The groups that a predicate lets through; nil where no kernels answer it.
  func quicklyPassing(_ predicate: PredicateTree, _ groups: [Int]) -> [Int]? {
    guard groups.count >= BoundRequest.manyGroups, let request = asRows(predicate.variables)
    else { return nil }
    var folding = ConstantFolding(request.environment)
    let filter = request.filter(folding.folded(keyed(predicate)))
    guard filter.isOfKernels, filter.cannotFail else { return nil }
    let table = request.snapshot.graph.tables[request.place.table]
    var passing: [Int] = []
    var next = 0
    for (number, rows) in request.bitmaps(of: groups.map { firstRows[$0] }).enumerated()
    where !rows.isEmpty {
      let answer = filter.kernelAnswer(
        ChunkRows(table: table, number: number, candidates: rows))
      rows.eachRow { row in
        if answer.passing.has(row) { passing.append(groups[next]) }
        next += 1
      }
    }
    return passing
  }

  /// The request with what the aggregates among some variables are worth in the groups' first rows;
  /// nil where a column cannot hold that.
  private func asRows(_ variables: [String]) -> BoundRequest? {
    let table = request.snapshot.graph.tables[request.place.table]
    var result = request
    for name in variables where result.given[name] == nil {
      guard let values = aggregates[name] else { continue }
      guard let column = values.column(at: firstRows, of: table) else { return nil }
      result.given[name] = column
    }
    return result
  }

  /// A tree of a group as one of its first row: with the keys in the place of their variables.
  private func keyed(_ tree: ExpressionTree) -> ExpressionTree {
    if case .variable(let name) = tree.kind, let key = keys.first(where: { $0.name == name }) {
      return key.tree
    }
    return tree.mapParts(predicate: { part, _ in keyed(part) }, expression: keyed)
  }

  private func keyed(_ tree: PredicateTree) -> PredicateTree {
    tree.mapParts(predicate: keyed, expression: keyed)
  }
}

extension BoundRequest {
  /// From so many groups on it pays to make columns of what they are worth.
  static let manyGroups = 512

  /// Places of rows, both ascending, in the order of some keys; at least the first `wanted`. Nil
  /// where a key has no words.
  func sorted(
    _ places: [Int], of rows: [UInt32], by trees: [SortTree], first wanted: Int?
  ) throws(Diagnostic) -> [Int]? {
    guard places.count >= Self.manyGroups else { return nil }
    var request = self
    request.sort = trees
    let wantedRows = request.bitmaps(of: places.map { rows[$0] })
    guard let sorted = try request.quicklySorted(wantedRows, wanted.map { 0..<$0 })
    else { return nil }
    return sorted.rows.map { rows.place(of: $0) }
  }

  /// The kernels of a predicate of the entity's objects.
  func filter(_ predicate: PredicateTree) -> Filter {
    var compiler = FilterCompiler(graph: snapshot.graph, environment: environment)
    compiler.given = given
    return compiler.filter(predicate, FilterScope(entity: entity, place: place))
  }
}

extension WholeColumn {
  /// Some values at rows, which ascend, and nothing elsewhere; nil where they are not all numbers of
  /// one kind, or dates.
  init?(_ values: [Value], at rows: [UInt32], of table: Table) {
    guard let first = values.first(where: { !$0.isNull }) else { return nil }
    let isDouble: Bool
    switch first {
    case .integer: (type, isDouble) = (.integer, false)
    case .date: (type, isDouble) = (.date, false)
    case .double: (type, isDouble) = (.double, true)
    default: return nil
    }
    var chunks = SpreadNumbers(table)
    for (row, value) in zip(rows, values) {
      guard chunks.put(value, like: first, at: Int(row)) else { return nil }
    }
    column = Column(.attribute(type), chunks: chunks.chunks(asDoubles: isDouble))
  }
}

/// Numbers at some rows of a table, as bits.
struct SpreadNumbers {
  private var words: [[UInt64]]
  private var nulls: [Bitmap?]

  init(_ table: Table) {
    words = (0..<table.chunkCount).map { Array(repeating: 0, count: table.rows(inChunk: $0).count) }
    nulls = words.map { _ in nil }
  }

  /// False for a value of another kind, and for what is no number.
  mutating func put(_ value: Value, like first: Value, at row: Int) -> Bool {
    let (chunk, place) = (row >> ColumnChunk.shift, row & ColumnChunk.mask)
    switch (first, value) {
    case (_, .null):
      if nulls[chunk] == nil { nulls[chunk] = Bitmap(count: words[chunk].count) }
      nulls[chunk]?.insert(place)
    case (.integer, .integer(let x)): words[chunk][place] = UInt64(bitPattern: x)
    case (.date, .date(let x)): words[chunk][place] = UInt64(bitPattern: x.microseconds)
    case (.double, .double(let x)) where !x.isNaN: words[chunk][place] = x.bitPattern
    default: return false
    }
    return true
  }

  /// A number's bits, or nothing.
  mutating func put(_ word: UInt64?, at row: Int) {
    let (chunk, place) = (row >> ColumnChunk.shift, row & ColumnChunk.mask)
    if let word {
      words[chunk][place] = word
    } else {
      if nulls[chunk] == nil { nulls[chunk] = Bitmap(count: words[chunk].count) }
      nulls[chunk]?.insert(place)
    }
  }

  func chunks(asDoubles: Bool) -> [ColumnChunk] {
    zip(words, nulls).map { words, nulls in
      asDoubles
        ? ColumnChunk(.doubles(words.map { Double(bitPattern: $0) }), nulls: nulls)
        : ColumnChunk(.integers(words.map { Int64(bitPattern: $0) }), nulls: nulls)
    }
  }
}

extension [UInt32] {
  /// Where one of its elements stands; they ascend.
  fileprivate func place(of row: UInt32) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
