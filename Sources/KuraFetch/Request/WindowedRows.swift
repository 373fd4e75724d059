import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraValues

// `select title, rank() per category, runningSum(cost)`
extension BoundRequest {
  /// Returns the rows with their window functions, which are computed before the offset and the limit.
  func windowedAnswer(_ windows: CheckedWindows) throws(Diagnostic) -> FetchAnswer {
    let answer = try ofInputs(windows).answer()
    guard case .values(let inputs) = answer.rows else { return answer }
    var rows = WindowedRows(inputs, environment)
    for call in windows.calls {
      if call.isShare {
        rows.addShares(call, of: try totals(call, windows, rows))
      } else {
        try rows.add(call, sortKeys: Array(zip(sort, windows.sortKeys)))
      }
    }
    let kept = page(rows, windows)
    let columns = try selection?.columns.map { column throws(Diagnostic) in
      ResultColumn(column, try rows.values(of: column.tree, at: kept))
    }
    let result = FetchAnswer.Rows.values(RowResult(columns: columns ?? [], count: kept.count))
    let keys = windows.section.map { rows.values(of: $0, at: kept) }
    return FetchAnswer(
      rows: result, objects: answer.objects.map { $0.at(kept) },
      sections: try sections(result, keys), total: answer.total)
  }

  /// Returns a request for the rows from which window functions are computed. A rank and a running sum depend only on
  /// earlier rows, a share on all rows unless their sums are aggregates.
  private func ofInputs(_ windows: CheckedWindows) -> BoundRequest {
    var request = self
    let needsAll = !hasSums(windows) && windows.calls.contains { $0.isShare }
    (request.limitKeys, request.limit, request.offset) = ([], needsAll ? nil : needed, 0)
    if let section, sort.isEmpty { request.sort = [SortTree(section.tree)] }
    request.section = nil
    request.selection?.columns = windows.inputs
    request.selection?.windows = nil
    return request
  }

  /// Returns the sum of a call's argument for each value of its key; a call without a key has one sum, for nil.
  private func totals(
    _ call: CheckedWindow, _ windows: CheckedWindows, _ rows: WindowedRows
  ) throws(Diagnostic) -> [Value: Value] {
    guard hasSums(windows),
      let argument = windows.inputs.first(where: { $0.name == call.argument })
    else { return try rows.totals(call) }
    let key = windows.inputs.first { $0.name == call.key }?.tree
    let sum = CheckedAggregate(
      call.name, BuiltInFunction.sum.entry, of: argument.tree, at: call.span)
    let request = asking(predicate)
    let groups = try Groups(request, by: key.map { [$0] } ?? [], [sum])
    let sums = try groups.values(of: sum, request, isWhole: key == nil).all
    guard let key else { return [.null: sums[0]] }
    let keys = try request.values(of: key, groups.firstRows)
    return Dictionary(zip(keys, sums), uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether sums are aggregates, so that not all objects have to be rows: each row is an object, and no input is
  /// random.
  private func hasSums(_ windows: CheckedWindows) -> Bool {
    selection?.grouping == nil && selection?.isDistinct != true
      && !windows.inputs.contains { $0.tree.dependsOnChance }
  }

  /// Returns the places of the rows between the offset and the limit.
  private func page(_ rows: WindowedRows, _ windows: CheckedWindows) -> [Int] {
    let keys = rows.groups(of: windows.limitKeys)
    var counter = KeyCounter(self, count: keys.count)
    return (0..<rows.count).filter { counter.keeps(keys.numbers[$0]) }
  }
}

extension CheckedWindow {
  fileprivate var isShare: Bool { function.builtIn == .share }
}

extension FetchResult {
  /// Returns the objects at some places.
  fileprivate func at(_ places: [Int]) -> FetchResult {
    FetchResult(
      snapshot: snapshot, entity: entity, table: table, rows: places.map { rows[$0] }, total: total)
  }
}

/// Rows in their order, and the window functions that have been computed for them.
private struct WindowedRows {
  let count: Int
  private let inputs: [String: ResultColumn]
  /// The results of the functions.
  private var results: [String: [Value]] = [:]
  private let environment: FetchEnvironment

  init(_ inputs: RowResult, _ environment: FetchEnvironment) {
    count = inputs.count
    self.inputs = Dictionary(
      inputs.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.environment = environment
  }

  /// Returns a number for each combination of values, per row, and how many numbers there are.
  func groups(of names: [String]) -> (numbers: [Int], count: Int) {
    switch names.count {
    case 0: return (Array(repeating: 0, count: count), 1)
    case 1: return numbered(values(of: names[0]))
    default:
      let keys = names.map(values)
      return numbered((0..<count).map { row in keys.map { $0[row] } })
    }
  }

  private func numbered<Key: Hashable>(_ keys: [Key]) -> (numbers: [Int], count: Int) {
    var known = Numbering<Key>()
    return (keys.map { Int(known.number(of: $0)) }, known.count)
  }

  /// Returns the values of an input for all rows.
  private func values(of name: String) -> [Value] { inputs[name]?.values ?? [] }

  /// Computes a window function.
  mutating func add(
    _ call: CheckedWindow, sortKeys: [(SortTree, String)]
  ) throws(Diagnostic) {
    try environment.checkStopped()
    let groups = groups(of: call.key.map { [$0] } ?? [])
    let argument = numbers(call.argument.map(values) ?? [], call.span)
    do throws(ValueError) {
      results[call.name] =
        call.function.builtIn == .rank
        ? ranks(groups, sortKeys) : try runningSums(argument, groups).sums
    } catch { throw Diagnostic(EvaluationError(error), at: call.span) }
  }

  /// Replaces JSON that is not a number by nil, if the fetch counts it as nil.
  private func numbers(_ values: [Value], _ span: SourceSpan) -> [Value] {
    guard let kinds = environment.evaluationOfObjects.otherKinds else { return values }
    return values.map { value in
      if value.isNull || (try? value.number()) != nil { return value }
      kinds.note(.notANumber(value.kind), at: span, in: nil)
      return .null
    }
  }

  private func ranks(
    _ groups: (numbers: [Int], count: Int), _ sortKeys: [(SortTree, String)]
  ) -> [Value] {
    let keys = sortKeys.map { (tree: $0.0, values: values(of: $0.1)) }
    var last = Array(repeating: (row: -1, rank: 0, count: 0), count: groups.count)
    return (0..<count).map { row in
      var before = last[groups.numbers[row]]
      before.count += 1
      if before.row < 0 || !isTie(before.row, row, keys) { before.rank = before.count }
      before.row = row
      last[groups.numbers[row]] = before
      return .integer(Int64(before.rank))
    }
  }

  /// Returns whether the sort keys of two rows are equal. Without sort keys, the objectID decides.
  private func isTie(_ a: Int, _ b: Int, _ keys: [(tree: SortTree, values: [Value])]) -> Bool {
    !keys.isEmpty
      && keys.allSatisfy { key in
        let (a, b) = (key.values[a], key.values[b])
        return a == b || isEqual(a, b, key.tree.options)
      }
  }

  /// Returns whether two texts are equal under options such as `[cd]`.
  private func isEqual(_ a: Value, _ b: Value, _ options: ComparisonOptions) -> Bool {
    guard !options.isEmpty, case .string = a, case .string = b else { return false }
    let comparison = Comparison(
      ExpressionTree(.constant(Constant(a))), .equal, options: options,
      ExpressionTree(.constant(Constant(b))))
    let tree = PredicateTree(.comparison(comparison))
    return (try? tree.evaluate(on: .null, in: environment.evaluation)) ?? false
  }

  /// Computes each value divided by the sum for its key; nil for nil, and if the sum is 0.
  mutating func addShares(_ call: CheckedWindow, of totals: [Value: Value]) {
    let keys = call.key.map(values)
    results[call.name] = (call.argument.map(values) ?? []).enumerated().map { row, value in
      guard let total = totals[keys?[row] ?? .null]?.approximateNumber, total != 0,
        let number = value.approximateNumber
      else { return .null }
      return .double(number / total)
    }
  }

  /// Returns the sum of a call's argument for each value of its key; a call without a key has one sum, for nil.
  func totals(_ call: CheckedWindow) throws(Diagnostic) -> [Value: Value] {
    let keys = call.key.map(values) ?? Array(repeating: .null, count: count)
    let groups = numbered(keys)
    do throws(ValueError) {
      let totals = try runningSums(numbers(call.argument.map(values) ?? [], call.span), groups)
        .totals
      return Dictionary(
        zip(keys, groups.numbers).map { ($0, totals[$1]) }, uniquingKeysWith: { first, _ in first })
    } catch { throw Diagnostic(EvaluationError(error), at: call.span) }
  }

  /// Returns the sum up to each row, and the sum of each group. Nil counts as 0.
  private func runningSums(
    _ values: [Value], _ groups: (numbers: [Int], count: Int)
  ) throws(ValueError) -> (sums: [Value], totals: [Value]) {
    var totals = Array(repeating: Value.integer(0), count: groups.count)
    var sums: [Value] = []
    sums.reserveCapacity(values.count)
    for (row, value) in values.enumerated() {
      let group = groups.numbers[row]
      if !value.isNull { totals[group] = try Value.compute(.add, totals[group], value) }
      sums.append(totals[group])
    }
    return (sums, totals)
  }

  func values(of name: String, at rows: [Int]) -> [Value] {
    if let column = results[name] { return rows.map { column[$0] } }
    return inputs[name].map { column in rows.map(column.value) } ?? []
  }

  /// Returns the value of a column for some rows.
  func values(of tree: ExpressionTree, at rows: [Int]) throws(Diagnostic) -> [Value] {
    if case .variable(let name) = tree.kind { return values(of: name, at: rows) }
    let names = tree.variables.filter { results[$0] != nil || inputs[$0] != nil }
    var context = environment.evaluation
    return try rows.enumerated().map { place, row throws(Diagnostic) in
      if place & 255 == 0 { try environment.checkStopped() }
      for name in names {
        context.variables[name] = results[name]?[row] ?? inputs[name]?.value(row)
      }
      return try tree.evaluate(on: .null, in: context)
    }
  }
}
