import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The groups of a fetch, with their keys and aggregates as variables.
///
/// The value of a key is computed from the group's first row, and only on demand, because often only the first groups
/// are shown.
struct GroupRows: GroupedRows {
  let count: Int
  var isComplete: Bool { true }
  let request: BoundRequest
  /// The first row of each group, ascending.
  let firstRows: [UInt32]
  let keys: [CheckedColumn]
  /// The values of the aggregates, per variable.
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
    // Aggregates without keys cover all objects, even if there are none.
    count = keys.isEmpty ? 1 : groups.firstRows.count
    (self.request, self.keys, self.aggregates) = (request, keys, known)
    firstRows = groups.firstRows
    context = request.environment.evaluationOfObjects
  }
}

extension GroupRows {
  var naturalOrder: [ExpressionTree] { keys.map { ExpressionTree(.variable($0.name)) } }

  /// Computes all groups, so that an error in a group that is not shown is reported too. Keys cannot fail here.
  func values(of tree: ExpressionTree, at groups: [Int]) throws(Diagnostic) -> [Value] {
    if case .variable(let name) = tree.kind, let values = try values(ofVariable: name, at: groups) {
      return values
    }
    let known = try variables(tree.variables, at: Array(0..<count))
    let values = try (0..<count).map { group throws(Diagnostic) in
      try tree.evaluate(on: .null, in: context(known, group))
    }
    return groups.map { values[$0] }
  }

  private func values(
    ofVariable name: String, at groups: [Int]
  ) throws(Diagnostic) -> [Value]? {
    if let values = aggregates[name] { return groups.map { values[$0] } }
    guard let key = keys.first(where: { $0.name == name }) else { return nil }
    return try request.values(of: key.tree, groups.map { firstRows[$0] })
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

  /// Returns the values of those variables that are keys and aggregates, for some groups.
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

/// The first object of each set with equal columns, in the order of the objects.
struct DistinctRows: GroupedRows {
  private let request: BoundRequest
  private let rows: [UInt32]
  /// Whether these are all distinct rows; the first ones are found without reading all objects.
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

  func values(of tree: ExpressionTree, at places: [Int]) throws(Diagnostic) -> [Value] {
    try request.values(of: tree, places.map { rows[$0] })
  }

  func passing(_ predicate: PredicateTree, _ rows: [Int]) -> [Int] { rows }
}

extension BoundRequest {
  /// The number of distinct rows to find, if they keep the order of the objects; nil for all.
  fileprivate var firstDistinct: Int? { sort.isEmpty && section == nil ? needed : nil }
}

// Filters and sorts many groups by means of the first row of each.
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

  /// Returns the groups that match a predicate; nil if it has no kernels.
  func quicklyPassing(_ predicate: PredicateTree, _ groups: [Int]) -> [Int]? {
    guard groups.count >= BoundRequest.manyGroups, let request = asRows(predicate.variables)
    else { return nil }
    var folding = ConstantFolding(request.environment)
    var compiler = request.compiler
    let filter = compiler.filter(folding.folded(keyed(predicate)), request.scope)
    guard filter.isOfKernels, filter.cannotFail else { return nil }
    let table = request.table
    var passing: [Int] = []
    var next = 0
    for (number, rows) in request.table.bitmaps(of: groups.map { firstRows[$0] }).enumerated()
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

  /// Returns the request with the values of aggregates as columns, at the groups' first rows; nil if a column cannot
  /// hold them.
  private func asRows(_ variables: [String]) -> BoundRequest? {
    let table = request.table
    var result = request
    for name in variables where result.given[name] == nil {
      guard let values = aggregates[name] else { continue }
      guard let column = values.column(at: firstRows, of: table) else { return nil }
      result.given[name] = column
    }
    return result
  }

  /// Returns the expression for the first row of a group: keys replace their variables.
  private func keyed(_ tree: ExpressionTree) -> ExpressionTree {
    if case .variable(let name) = tree.kind, let key = keys.first(where: { $0.name == name }) {
      return key.tree
    }
    return tree.mapParts(
      predicate: { part, _ in keyed(part) }, expression: { part, _ in keyed(part) })
  }

  private func keyed(_ tree: PredicateTree) -> PredicateTree {
    tree.mapParts(predicate: keyed, expression: keyed)
  }
}

extension BoundRequest {
  /// From this number of groups on, columns of their values save time.
  static let manyGroups = 512

  /// Sorts places of rows by keys, and returns at least the first `wanted`; nil if there are few
  /// places, or if a key has no words. Places and rows are ascending.
  func sorted(
    _ places: [Int], of rows: [UInt32], by trees: [SortTree], first wanted: Int?
  ) throws(Diagnostic) -> [Int]? {
    // Rows with equal keys keep their places.
    guard places.count >= Self.manyGroups, table.identifiers.isAscending else { return nil }
    var request = self
    request.sort = trees
    let wantedRows = request.table.bitmaps(of: places.map { rows[$0] })
    guard let sorted = try request.quicklySorted(wantedRows, wanted.map { 0..<$0 })
    else { return nil }
    return sorted.rows.map { row in rows.indices.partitioningIndex { rows[$0] >= row } }
  }
}

/// Numbers at some rows of a table, as bits.
struct ScatteredNumbers {
  private var words: [[UInt64]]
  private var nulls: [Bitmap?]

  init(_ table: Table) {
    words = (0..<table.chunkCount).map { Array(repeating: 0, count: table.rows(inChunk: $0).count) }
    nulls = words.map { _ in nil }
  }

  /// Stores a number's bits, or null.
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

extension GroupedRows {
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]? { nil }
}

// Finds the first of many groups by a count or a sum, without the other keys.
extension GroupRows {
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]? {
    guard wanted > 0, rows.count >= BoundRequest.manyGroups, wanted < rows.count / 4,
      case .variable(let name) = key.expression.kind,
      let words = aggregates[name]?.orderedWords(
        rows, isAscending: key.isAscending, nullsFirst: key.putsNullsFirst)
    else { return nil }
    var first = TopNWithTies(wanted: wanted, of: words.count)
    for (place, word) in words.enumerated() { first.add(word, place) }
    // Rows equal to the last may be among the first according to the keys that follow.
    let ties = first.sorted()
    let last = ties[wanted - 1].word
    return ties.prefix { $0.word <= last }.map { Int($0.row) }.sorted().map { rows[$0] }
  }
}
