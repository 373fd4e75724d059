import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// The result of a watched fetch that runs again after each step and is compared with the previous result.
struct ComparedResults: Sendable {
  /// The identity of a row.
  enum Key: Hashable, Sendable {
    case object(Int64)
    /// The values by which objects were grouped or, if not all are shown, all columns; with a counter for equal rows.
    case group([Value], Int)
  }

  private(set) var keys: [Key] = []
  private(set) var runs: [ResultsRun]?
  /// The columns of each row; empty without columns.
  private var rows: [Key: ValueDictionary] = [:]

  /// Creates the results from the visible part of results that were updated step by step.
  init(_ results: IncrementalResults) {
    keys = results.order[results.window].map(Key.object)
    runs = results.runs
  }

  init(_ request: BoundRequest) throws(Diagnostic) {
    let answer = try request.answer()
    (keys, runs) = (answer.numbers.map(Key.object), answer.runs)
    guard case .values(let values) = answer.rows else { return }
    if request.selection?.hidesObjects == true {
      keys = []
      add(values, identity: request.selection?.identity)
      return
    }
    for (row, key) in keys.enumerated() { rows[key] = Self.columns(of: values, row) }
  }

  private mutating func add(_ values: RowResult, identity: [Int]?) {
    var seen: [[Value]: Int] = [:]
    for row in 0..<values.count {
      let columns = Self.columns(of: values, row)
      let own = identity.map { $0.map { columns.values[$0] } } ?? columns.values
      let key = Key.group(own, seen[own, default: 0])
      seen[own, default: 0] += 1
      keys.append(key)
      rows[key] = columns
    }
  }

  private static func columns(of values: RowResult, _ row: Int) -> ValueDictionary {
    ValueDictionary(values.columns.map { ($0.name, $0.value(row).detached) })
  }
}

extension CheckedSelection {
  /// Whether groups or distinct rows replace the objects.
  var hidesObjects: Bool { grouping != nil || isDistinct || windows != nil }

  /// The columns that show the grouping keys; nil if one is not shown.
  fileprivate var identity: [Int]? {
    guard let grouping else { return nil }
    return grouping.keys.mapAll { key in
      columns.firstIndex { $0.tree.kind == .variable(key.name) }
    }
  }
}

// A step
extension ComparedResults {
  typealias Step = ListStep<Key>

  /// Returns the step from this answer to another; `changed` are objects with other values.
  func step(to new: ComparedResults, changed: Set<Int64>) -> Step {
    let (old, now) = (headings, new.headings)
    let most = min(keys.count, new.keys.count)
    func isSame(_ i: Int, _ j: Int) -> Bool {
      keys[i] == new.keys[j] && (old.isEmpty || now.isEmpty || old[i] == now[j])
    }
    let same = (0..<most).prefix { isSame($0, $0) }.count
    let tail = (0..<most - same).prefix {
      isSame(keys.count - 1 - $0, new.keys.count - 1 - $0)
    }.count
    func side(_ results: ComparedResults) -> Step.Side {
      let spots = results.keys.enumerated().filter { i, key in
        i >= same && i < results.keys.count - tail || isChanged(key, new, changed)
      }
      return Step.Side(
        spots: spots.map { Step.Spot(key: $1, index: $0) }, count: results.keys.count,
        window: 0..<results.keys.count, runs: results.runs)
    }
    return Step(from: side(self), to: side(new))
  }

  /// The heading of each row; a row that stays in place may get another heading.
  private var headings: [Value] {
    runs?.flatMap { Array(repeating: $0.heading, count: $0.count) } ?? []
  }

  private func isChanged(_ key: Key, _ new: ComparedResults, _ changed: Set<Int64>) -> Bool {
    switch key {
    case .object(let number) where rows[key] == nil || new.rows[key] == nil:
      changed.contains(number)
    case .object, .group: rows[key] != new.rows[key]
    }
  }

  /// Whether the rows have columns, so that a row changes only with them.
  var hasColumns: Bool { !rows.isEmpty }

  /// Returns the columns of a row that differ in another answer.
  func changedColumns(of key: Key, in new: ComparedResults) -> [String] {
    guard let old = rows[key], let now = new.rows[key] else { return [] }
    return now.keys.filter { old[$0] != now[$0] }
  }

  func group(_ key: Key) -> ResultsRow? { rows[key].map(ResultsRow.values) }
}
