import KuraChecking
import KuraDiagnostics
package import KuraGraph
import KuraSentences

/// Where the orders of answers may be kept, or why nowhere.
package enum OrderKeeping: Sendable {
  case nowhere(OrderObstacle)
  case at(any OrderCache)
}

/// Why the order of a request is not kept.
package enum OrderObstacle: Sendable {
  /// There is no store in a file.
  case noStore
  /// It belongs to what was saved.
  case unsavedChanges
  /// `.cache off`
  case off
  /// `group by`, `distinct`, aggregates
  case rowsWithoutObjects
  /// `fetch $home.items`, `fetch _`
  case namedObjects
  /// `random()`, a function or a block of a program
  case changing
}

extension OrderObstacle {
  fileprivate var sentence: String {
    switch self {
    case .noStore: localized("there is no store in a file that it could stand beside")
    case .unsavedChanges: localized("there are unsaved changes, and it belongs to what was saved")
    case .off: localized(".cache is off")
    case .rowsWithoutObjects: localized("its rows are no objects")
    case .namedObjects: localized("its source is a list of objects")
    case .changing: localized("what it asks is another thing each time")
    }
  }
}

// The order that is kept
extension BoundRequest {
  /// The answer's objects and their sections as they are kept; nil where none of this request are.
  func keptObjects() throws(Diagnostic) -> (FetchResult, [ResultSection]?)? {
    // Who measures wants to see the work.
    guard meter == nil, let cacheName, case .at(let cache) = orderKeeping,
      case .order(let order) = found(cacheName, in: cache),
      let rows = rows(of: order.numbers)
    else { return nil }
    let found = FetchResult(
      snapshot: snapshot, entity: entity, table: place.table, rows: rows, total: order.total)
    guard let section else { return (found, nil) }
    guard let kept = order.sections, kept.counts.allSatisfy({ $0 > 0 }),
      kept.counts.reduce(0, &+) == rows.count
    else { return nil }
    return (found, try sections(rows, kept.counts, section))
  }

  /// What is kept of this request, with its headings.
  private func found(_ name: String, in cache: any OrderCache) -> KeptOrderFound {
    let found = cache.order(name, of: requestText)
    guard case .order(let order) = found, section != nil else { return found }
    return order.sections?.key == sectionText ? found : .another
  }

  /// Keeps the order of an answer that was just found.
  func keep(_ found: FetchResult, _ sections: [ResultSection]?) {
    guard meter == nil, let cacheName, case .at(let cache) = orderKeeping else { return }
    let identifiers = snapshot.graph.tables[place.table].identifiers
    let order = KeptOrder(
      numbers: found.rows.map { identifiers[Int($0)] }, total: found.total,
      sections: sections.map { KeptOrder.Sections(by: sectionText, counts: $0.map(\.rows.count)) })
    cache.keep(order, cacheName, of: requestText)
  }

  private func rows(of numbers: [Int64]) -> [UInt32]? {
    let table = snapshot.graph.tables[place.table]
    var rows: [UInt32] = []
    rows.reserveCapacity(numbers.count)
    for number in numbers {
      guard let row = table.row(of: number) else { return nil }
      rows.append(UInt32(truncatingIfNeeded: row))
    }
    return rows
  }

  private func sections(
    _ rows: [UInt32], _ counts: [Int], _ section: CheckedColumn
  ) throws(Diagnostic) -> [ResultSection] {
    let starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let headings = try values(of: section.tree, starts.dropLast().map { rows[$0] })
    return headings.indices.map {
      ResultSection(heading: headings[$0], rows: starts[$0]..<starts[$0 + 1])
    }
  }
}

// What is said of it
extension BoundRequest {
  /// Whether the order comes from the cache, for who asks how the request is answered; nil where it names
  /// none. `isMeasured`: where it is run now to be measured.
  func cacheStep(isMeasured: Bool) -> FetchExplanation? {
    cacheName.map { name in
      FetchExplanation("cache \"\(name)\"", cacheMethod(name, isMeasured: isMeasured))
    }
  }

  private func cacheMethod(_ name: String, isMeasured: Bool) -> String {
    switch orderKeeping {
    case .nowhere(let obstacle): return localized("not used: \(obstacle.sentence)")
    case .at(let cache):
      switch found(name, in: cache) {
      case .nothing: return localized("nothing is kept yet; whoever fetches keeps it")
      case .another:
        return localized("what is kept is of another state or request; whoever fetches keeps anew")
      case .order where isMeasured: return localized("fits, and is left aside to measure the rest")
      case .order(let order):
        return localized("used: \(order.numbers.count) objects in their order, none is asked")
      }
    }
  }
}
