import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension FilterCompiler {
  mutating func attributeLeaf(
    _ question: LeafComparison, _ column: Int, _ type: AttributeType, _ scope: FilterScope
  ) -> Filter? {
    let table = graph.tables[scope.place.table]
    if type == .string, !question.literal.isNull, table.columns[column].dictionary != nil {
      return encodedLeaf(question.predicate, scope)
    }
    return kernel(question, column, type, scope).map { node(question.predicate, .kernel($0)) }
  }

  private mutating func kernel(
    _ question: LeafComparison, _ column: Int, _ type: AttributeType, _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    let operation = question.comparison.operation
    let table = graph.tables[scope.place.table]
    let key = table.layout.columns[column].key
    if question.literal.isNull {
      return operation.family == .equality
        ? NullKernel(column: column, key: key, isNegated: operation == .notEqual) : nil
    }
    let compared = ComparedColumn(
      column: column, type: type, key: key, table: table, isUnique: isUnique(key, scope.entity))
    if compared.isUnique, let kernel = indexKernel(question, compared) { return kernel }
    if let kernel = declaredIndexKernel(question, compared, scope) { return kernel }
    switch type {
    case .integer, .integer16, .integer32, .date, .boolean:
      guard let ranges = question.literal.integerRanges(operation) else { return nil }
      return IntegerRangeKernel(
        column: column, key: key, ranges: ranges, isNegated: operation == .notEqual)
    case .double, .float:
      guard let ranges = question.literal.doubleRanges(operation) else { return nil }
      return DoubleRangeKernel(
        column: column, key: key, ranges: ranges, isNegated: operation == .notEqual)
    case .string:
      return indexKernel(question, compared) ?? textKernel(question, column, key)
    case .uuid, .uri, .binary:
      if let kernel = indexKernel(question, compared) { return kernel }
      return VectorKind(textsOf: type).flatMap(question.ofStoredTexts)
        .flatMap { textKernel($0, column, key) }
    case .decimal:
      return ColumnNode(column, type).flatMap {
        vectorKernel(question.comparison, question.predicate, left: $0, scope)
      }
    case .json: return nil
    }
  }

  func textKernel(
    _ question: LeafComparison, _ column: Int, _ key: String
  ) -> (any ChunkKernel)? {
    let options = TextOptions(rawValue: question.comparison.options.rawValue)
    if let order = TextOrderKernel(question, column, key, options) { return order }
    // An empty needle is found nowhere, and equals only the empty text: the reference evaluator handles it.
    guard case .string(let text) = question.literal, !text.isEmpty else { return nil }
    let test: TextTest
    switch question.comparison.operation {
    case .like: return PatternKernel(column: column, key: key, like: text, options)
    case .matches:
      return PatternKernel(column: column, key: key, matching: text, options, environment.cancel)
    case .contains: test = .contains
    case .beginsWith: test = .begins
    case .endsWith: test = .ends
    case .equal, .notEqual: test = .equals
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between, .selector, .unsupported:
      return nil
    }
    return TextKernel(
      column: column, key: key, needle: TextNeedle(text, options, locale: environment.locale),
      test: test, isNegated: question.comparison.operation == .notEqual,
      cancel: environment.cancel)
  }
}

extension FilterCompiler {
  /// Compiles `home == Category/2`, `home != nil`, `home IN {Category/1, Category/2}`
  mutating func linkLeaf(
    _ question: LeafComparison, _ column: Int, _ destination: Int, _ key: String,
    _ scope: FilterScope
  ) -> Filter? {
    let operation = question.comparison.operation
    guard let objects = question.objects else { return nil }
    var targets: Set<UInt32> = []
    for object in objects {
      guard let id = object else {
        // A nil in a list equals nothing.
        if operation != .in { targets.insert(noRow) }
        continue
      }
      if let place = graph.find(id), place.table == destination {
        targets.insert(UInt32(truncatingIfNeeded: place.row))
      }
    }
    if operation != .notEqual, !targets.contains(noRow), targets.count <= 64,
      let rows = graph.fewRows(source: scope.place.table, column: column, leadingTo: targets)
    {
      let kernel = RowsKernel(
        ranges: SortedRanges(rows: rows), isNegated: false, method: localized("index of \(key)"))
      return node(question.predicate, .kernel(kernel))
    }
    return node(
      question.predicate,
      .kernel(
        LinkKernel(
          column: column, key: key, targets: targets, isNegated: operation == .notEqual)))
  }

  /// Compiles `SELF == Item/7`, `objectID IN {Item/7}`
  mutating func selfLeaf(_ question: LeafComparison, _ scope: FilterScope) -> Filter? {
    guard question.comparison.modifier == .direct, let objects = question.objects else {
      return nil
    }
    let rows = objects.compactMap { id -> Int? in
      guard let id, let place = graph.find(id), place.table == scope.place.table else {
        return nil
      }
      return place.row
    }
    return rowsLeaf(SortedRanges(rows: rows), question)
  }

  /// Compiles `objectID > 20` to a range of rows if they are ordered by objectID.
  mutating func numberLeaf(_ question: LeafComparison, _ scope: FilterScope) -> Filter? {
    let table = graph.tables[scope.place.table]
    guard table.identifiers.isAscending, !question.literal.isNull,
      let ranges = question.literal.integerRanges(question.comparison.operation)
    else { return nil }
    let rows = ranges.map { table.identifiers.rows(of: $0) }
    return rowsLeaf(SortedRanges(rows), question)
  }

  private mutating func rowsLeaf(_ ranges: SortedRanges, _ question: LeafComparison) -> Filter {
    let kernel = RowsKernel(
      ranges: ranges, isNegated: question.comparison.operation == .notEqual)
    return node(question.predicate, .kernel(kernel))
  }

  /// Compiles `entity.name == "Task"`, which is computed once per entity.
  mutating func entityLeaf(_ question: LeafComparison, _ scope: FilterScope) -> Filter? {
    graph.tables[scope.place.table].layout.entities
      .mapAll { answer(question.comparison, .string($0)) }
      .map { node(question.predicate, .kernel(EntityKernel(passes: $0))) }
  }
}

extension LeafComparison {
  /// The objects that the comparison is with, with nil for null; nil for other literals.
  fileprivate var objects: [ObjectID?]? {
    switch (comparison.operation, literal) {
    case (.equal, .null), (.notEqual, .null): return [nil]
    case (.equal, .object(let object)), (.notEqual, .object(let object)):
      return object.id.map { [$0] }
    case (.in, .list), (.in, .set):
      var ids: [ObjectID?] = []
      for element in literal.elements ?? [] {
        switch element {
        case .null: ids.append(nil)
        case .object(let object):
          guard let id = object.id else { return nil }
          ids.append(id)
        default: return nil
        }
      }
      return ids
    default: return nil
    }
  }
}

extension IdentifierColumn {
  /// Returns the rows with objectIDs in a range; rows are ordered by objectID.
  fileprivate func rows(of range: ClosedRange<Int64>) -> Range<Int> {
    let rows = 0..<count
    let low = rows.partitioningIndex { self[$0] >= range.lowerBound }
    return low..<max(low, rows.partitioningIndex { self[$0] > range.upperBound })
  }
}

extension FilterCompiler {
  /// Orders tests that cannot fail first, starting with the test that settles the most rows for its cost. The other
  /// tests keep their order.
  ///
  /// Each test gets only the rows that the previous ones left open. A test settles the rows that it rejects in an AND,
  /// or accepts in an OR.
  mutating func ordered(_ links: [Filter], _ scope: FilterScope, isOr: Bool) -> [Filter] {
    let movable = links.filter(\.isMovable)
    let ranks = ranks(of: movable, scope, isOr: isOr)
    let order = movable.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    return order.map { movable[$0] } + links.filter { !$0.isMovable }
  }

  /// Returns the cost per row that a test settles; for a small table only the cost.
  private mutating func ranks(of tests: [Filter], _ scope: FilterScope, isOr: Bool) -> [Double] {
    let costs = tests.map(\.cost)
    let table = scope.place.table
    guard let cheapest = costs.min(), tests.count > 1, let sample = sample(of: table),
      (costs.reduce(0, +) - cheapest) * Double(sample.table.count) > FilterCompiler.leastGain
    else { return costs }
    return zip(tests, costs).map { test, cost in
      let share = share(passing: test, table) ?? 0.5
      return cost / max(0.001, isOr ? share : 1 - share)
    }
  }

  /// The number of nanoseconds that reordering must affect before rows are sampled.
  private static let leastGain = 100_000.0

  /// Returns the share of a table's rows that pass; nil if unknown.
  private mutating func share(passing test: Filter, _ table: Int) -> Double? {
    if let known = shares[test.node] { return known }
    let share = sampledShare(passing: test, table)
    shares[test.node] = share
    return share
  }

  private mutating func sampledShare(passing test: Filter, _ table: Int) -> Double? {
    switch test.kind {
    case .constant(let answer): return answer ? 1 : 0
    case .kernel(let kernel as EncodedKernel):
      if let link = kernel.link { return share(passing: link.filter, link.table) }
      return sample(of: table).flatMap(kernel.share)
    case .kernel(let kernel): return sample(of: table).flatMap(kernel.share)
    case .not(let inner): return share(passing: inner, table).map { 1 - $0 }
    case .and(let parts):
      return parts.reduce(1) { $0 * (share(passing: $1, table) ?? 0.5) }
    case .or(let parts):
      return 1 - parts.reduce(1) { $0 * (1 - (share(passing: $1, table) ?? 0.5)) }
    case .reference: return nil
    }
  }

  private func sample(of table: Int) -> RowSample? { RowSample(graph.tables[table]) }
}

extension Filter {
  /// Whether it may be reordered. A constant ends its chain in place, after parts that may fail.
  fileprivate var isMovable: Bool {
    if case .constant = kind { false } else { cannotFail }
  }
}

/// A sample of a large table's rows, for estimating how many pass a test.
///
/// The sample is always the same, so that a request has a stable plan.
struct RowSample {
  let table: Table
  let rows: [Int]

  /// The number of rows from which a better order saves more time than the sample takes.
  static let least = 1 << 15
  static let size = 256

  /// Returns nil for a small table.
  init?(_ table: Table) {
    guard table.count >= RowSample.least else { return nil }
    self.table = table
    let step = table.count / RowSample.size
    // Steps vary, because the data may have a period.
    rows = (0..<RowSample.size).map { $0 * step + ($0 &* 2_654_435_761) % step }
  }
}

extension RowSample {
  /// Returns the share of the rows that pass a test of a column.
  func share(passing kernel: some ColumnKernel) -> Double? {
    var small = table
    guard
      let column = table.columns[kernel.column].gathered(
        rows.map { UInt32(truncatingIfNeeded: $0) })
    else { return nil }
    small.columns[kernel.column] = column
    let all = Bitmap(count: rows.count, filledWith: true)
    let answer = kernel.answer(ChunkRows(table: small, number: 0, candidates: all))
    return Double(answer.passing.popcount) / Double(rows.count)
  }
}
