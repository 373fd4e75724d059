import KuraDiagnostics
import KuraGraph
import KuraValues

/// The result of a watched fetch in which a step updates only the affected objects: the matching objectIDs in their
/// order, including those beyond a limit.
struct IncrementalResults: Sendable {
  let reader: WatchedReader
  let paths: Set<WatchedPath>
  let offset: Int
  let limit: Int?
  private(set) var order: OrderedNumbers
  private(set) var runs: [ResultsRun]?

  init(_ request: BoundRequest, paths: Set<WatchedPath>) throws(Diagnostic) {
    reader = WatchedReader(request)
    self.paths = paths
    (offset, limit) = (request.offset, request.limit)
    // All matching objects, without offset and limit.
    var all = request.asking(request.predicate)
    (all.sort, all.section) = (request.sort, request.section)
    let answer = try all.answer()
    (order, runs) = (OrderedNumbers(answer.numbers), answer.runs)
  }

  var window: Range<Int> {
    let first = min(offset, order.count)
    return
      first..<(limit.map { min(order.count, first + min($0, order.count - first)) } ?? order.count)
  }
}

extension FetchAnswer {
  var numbers: [Int64] {
    guard let objects else { return [] }
    let identifiers = objects.snapshot.graph.tables[objects.table].identifiers
    return objects.rows.map { identifiers[Int($0)] }
  }

  var runs: [ResultsRun]? {
    sections?.map { ResultsRun($0.heading.detached, count: $0.rows.count) }
  }
}

extension Value {
  /// The value with objects replaced by their identities, so that it does not retain the graph.
  var detached: Value {
    mapObjects { reference in
      reference.id.map { .object(ObjectReference(NamedObject(objectID: $0))) } ?? .object(reference)
    }
  }
}

/// A heading reappears later.
private struct BrokenSection: Error {}

// A step
extension IncrementalResults {
  typealias Step = ListStep<Int64>

  /// Removes the affected objects, and inserts those that match at their places.
  ///
  /// If it throws, the results are unchanged.
  mutating func step(_ touched: TouchedRows, _ graph: Graph) throws -> Step {
    let arrivals = try arrivals(touched, GraphSnapshot(graph))
    let old = side(spots(touched.keys.keys))
    for spot in old.spots.reversed() { remove(spot) }
    do {
      for arrival in arrivals { try insert(arrival, GraphSnapshot(graph)) }
    } catch {
      restore(old, arrivals)
      throw error
    }
    return Step(from: old, to: side(spots(arrivals.map(\.keys.number))))
  }

  private mutating func restore(_ old: Step.Side, _ arrivals: [Arrival]) {
    for arrival in arrivals { order.remove(arrival.keys.number) }
    for spot in old.spots { order.insert(spot.key, at: spot.index) }
    runs = old.runs
  }

  private func side(_ spots: [Step.Spot]) -> Step.Side {
    Step.Side(spots: spots, count: order.count, window: window, runs: runs)
  }

  private func spots(_ numbers: some Sequence<Int64>) -> [Step.Spot] {
    numbers.compactMap { number in
      order.index(of: number).map { Step.Spot(key: number, index: $0) }
    }.sorted { $0.index < $1.index }
  }
}

/// An object that matches, with its sort keys.
private struct Arrival {
  let keys: WatchedKeys
  var heading: Value?
}

// One object
extension IncrementalResults {
  private func arrivals(
    _ touched: TouchedRows, _ snapshot: GraphSnapshot
  ) throws(Diagnostic) -> [Arrival] {
    var arrivals: [Arrival] = []
    for number in touched.keys.keys {
      guard let row = try reader.row(of: number, in: snapshot) else { continue }
      var arrival = Arrival(keys: try reader.keys(of: number, at: row, in: snapshot))
      if let section = reader.section {
        arrival.heading = try reader.value(of: section, at: row, in: snapshot).detached
      }
      arrivals.append(arrival)
    }
    return arrivals
  }

  private mutating func remove(_ spot: Step.Spot) {
    order.remove(spot.key)
    guard let place = SectionPlaces(runs).place(of: spot.index) else { return }
    runs?[place.section].count -= 1
    if runs?[place.section].count == 0 { runs?.remove(at: place.section) }
  }

  private mutating func insert(_ arrival: Arrival, _ snapshot: GraphSnapshot) throws {
    try order.insert(arrival.keys.number) { [reader] other throws(Diagnostic) in
      try reader.precedes(arrival.keys, other, in: snapshot)
    }
    guard let heading = arrival.heading, let index = order.index(of: arrival.keys.number) else {
      return
    }
    try place(heading, index)
  }

  /// Counts a new row in its section, which may be new.
  private mutating func place(_ heading: Value, _ index: Int) throws(BrokenSection) {
    let places = SectionPlaces(runs)
    let last = places.place(of: max(0, index - 1))?.section ?? 0
    for section in [last, last + 1] where section < places.runs.count {
      let touches = places.starts[section]...places.starts[section + 1]
      guard places.runs[section].heading == heading, touches.contains(index) else { continue }
      runs?[section].count += 1
      return
    }
    let section = places.starts.firstIndex { $0 >= index } ?? places.runs.count
    guard places.starts[section] == index, !places.runs.contains(where: { $0.heading == heading })
    else { throw BrokenSection() }
    runs?.insert(ResultsRun(heading, count: 1), at: section)
  }
}
