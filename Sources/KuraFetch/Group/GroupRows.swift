import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The groups of a fetch, with their keys and aggregates as variables.
///
/// A key has its value for a group from the group's first row, when it is asked for: of many groups
/// few are shown.
struct GroupRows: GroupedRows {
  let count: Int
  var isComplete: Bool { true }
  let request: BoundRequest
  /// The first row of each group, ascending.
  let firstRows: [UInt32]
  let keys: [CheckedColumn]
  /// What the aggregates are worth for each group, by their variables.
  let aggregates: [String: AggregateValues]
  private let context: EvaluationContext

  init(_ request: BoundRequest, _ selection: CheckedSelection) throws(Diagnostic) {
    let keys = selection.grouping?.keys ?? []
    let aggregates = selection.grouping?.aggregates ?? []
    let groups = try Groups(request, by: keys.map(\.tree), aggregates)
    var known: [String: AggregateValues] = [:]
    for aggregate in aggregates {
      known[aggregate.name] = try groups.values(
        of: aggregate, request, isWhole: keys.isEmpty)
    }
    // Aggregates without keys are over all objects, were there none.
    count = keys.isEmpty ? 1 : groups.firstRows.count
    (self.request, self.keys, self.aggregates) = (request, keys, known)
    firstRows = groups.firstRows
    context = request.environment.evaluation
  }
}

extension GroupRows {
  var naturalOrder: [ExpressionTree] { keys.map { ExpressionTree(.variable($0.name)) } }

  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value] {
    try values(of: tree, at: nil)
  }

  /// All groups are asked: one that fails fails, be it shown or not. A key has not failed before.
  func values(of tree: ExpressionTree, at groups: [Int]) throws(Diagnostic) -> [Value] {
    if case .variable = tree.kind { return try values(of: tree, at: .some(groups)) }
    let values = try values(of: tree)
    return groups.map { values[$0] }
  }

  private func values(
    of tree: ExpressionTree, at groups: [Int]?
  ) throws(Diagnostic) -> [Value] {
    if case .variable(let name) = tree.kind, let values = try values(ofVariable: name, at: groups) {
      return values
    }
    let groups = groups ?? Array(0..<count)
    let known = try variables(tree.variables, at: groups)
    var result: [Value] = []
    result.reserveCapacity(groups.count)
    for place in groups.indices {
      result.append(try tree.evaluate(on: .null, in: context(known, place)))
    }
    return result
  }

  private func values(
    ofVariable name: String, at groups: [Int]?
  ) throws(Diagnostic) -> [Value]? {
    if let values = aggregates[name] { return groups.map { $0.map { values[$0] } } ?? values.all }
    guard let key = keys.first(where: { $0.name == name }) else { return nil }
    return try request.values(of: key.tree, groups.map { $0.map { firstRows[$0] } } ?? firstRows)
  }

  func passing(_ predicate: PredicateTree, _ rows: [Int]) throws(Diagnostic) -> [Int] {
    if let found = quicklyPassing(predicate, rows) { return found }
    let known = try variables(predicate.variables, at: rows)
    var result: [Int] = []
    for (place, group) in rows.enumerated()
    where try predicate.evaluate(on: .null, in: context(known, place)) {
      result.append(group)
    }
    return result
  }

  /// The values of those variables that are keys and aggregates, for some groups.
  private func variables(
    _ names: [String], at groups: [Int]
  ) throws(Diagnostic) -> [(name: String, values: [Value])] {
    var known: [(name: String, values: [Value])] = []
    for name in names {
      if let values = try values(ofVariable: name, at: groups) { known.append((name, values)) }
    }
    return known
  }

  private func context(
    _ variables: [(name: String, values: [Value])], _ place: Int
  ) -> EvaluationContext {
    var context = context
    for (name, values) in variables { context.variables[name] = values[place] }
    return context
  }
}

/// Of the objects whose columns are equal the first, in the order of their first.
struct DistinctRows: GroupedRows {
  private let request: BoundRequest
  private let rows: [UInt32]
  /// Whether these are all of them: the first few are found without a look at all objects.
  let isComplete: Bool

  init(_ request: BoundRequest, _ selection: CheckedSelection) throws(Diagnostic) {
    self.request = request
    let passing = try request.passingRows()
    let trees = selection.columns.map(\.tree)
    var chunks = request.firstDistinct == nil ? passing.count : 1
    while true {
      let some = passing.indices.map { number in
        number < chunks ? passing[number] : Bitmap(count: passing[number].count)
      }
      let rows = try Groups(request, by: trees, of: some).firstRows
      if chunks >= passing.count || rows.count >= request.firstDistinct ?? .max {
        (self.rows, isComplete) = (rows, chunks >= passing.count)
        return
      }
      chunks *= 8
    }
  }

  var count: Int { rows.count }
  var naturalOrder: [ExpressionTree] { [] }

  func sorted(
    _ places: [Int], by trees: [SortTree], first wanted: Int?
  ) throws(Diagnostic) -> [Int]? {
    try request.sorted(places, of: rows, by: trees, first: wanted)
  }

  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value] {
    try request.values(of: tree, rows)
  }

  func values(of tree: ExpressionTree, at places: [Int]) throws(Diagnostic) -> [Value] {
    try request.values(of: tree, places.map { rows[$0] })
  }

  func passing(_ predicate: PredicateTree, _ rows: [Int]) -> [Int] { rows }
}

extension BoundRequest {
  /// How many distinct rows are wanted, where they come in the order of the objects; nil: all.
  fileprivate var firstDistinct: Int? { sort.isEmpty && section == nil ? needed : nil }
}

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

extension GroupedRows {
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]? { nil }
}

// Of many groups a few are wanted, by a count or a sum: which they are needs no other key.
extension GroupRows {
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]? {
    guard wanted > 0, rows.count >= BoundRequest.manyGroups, wanted < rows.count / 4,
      case .variable(let name) = key.expression.kind,
      let words = aggregates[name]?.orderedWords(
        rows, isAscending: key.isAscending, nullsFirst: key.putsNullsFirst)
    else { return nil }
    var first = FirstWords<UInt64>(wanted: wanted)
    first.add(words)
    // Whoever has the last word may be among them by the keys behind it.
    let last = first.last()
    return rows.indices.filter { words[$0] <= last }.map { rows[$0] }
  }
}
