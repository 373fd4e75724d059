import KuraGraph
import KuraModel
import KuraValues

/// The objects of a fetch that a change concerns: those that it changed, and those from which the
/// fetch's paths lead to changed ones.
struct TouchedRows {
  /// By number; with the keys of each that have other values, as far as they are shown.
  private(set) var keys: [Int64: Set<String>] = [:]
  private let graph: Graph
  private let table: Int

  init(_ touched: TouchedKeys, inTable table: Int, _ paths: Set<WatchedPath>, of graph: Graph) {
    (self.graph, self.table) = (graph, table)
    for (number, keys) in touched.tables[table] ?? [:] { self.keys[number] = own(keys, number) }
    for path in paths { follow(path, touched) }
  }

  private func own(_ keys: TouchedKeys.Keys, _ number: Int64) -> Set<String> {
    switch keys {
    case .some(let keys): keys
    // It may have become another entity's; otherwise it came or went, and nobody asks.
    case .all:
      graph.identity(of: number, inTable: table).map { Set(graph.model.keys(of: $0.entity)) } ?? []
    }
  }
}

extension TouchedRows {
  /// From the end of a path back to its beginning, by the inverses.
  private mutating func follow(_ path: WatchedPath, _ touched: TouchedKeys) {
    let hops = path.hops.compactMap { ResolvedHop($0, graph) }
    guard hops.count == path.hops.count else { return }
    var rows: Set<Int> = []
    for (i, hop) in hops.enumerated().reversed() {
      let key = i + 1 < hops.count ? path.hops[i + 1].key : path.key
      rows.formUnion(changed(touched.tables[hop.destination] ?? [:], key, hop.destination))
      rows = Set(rows.flatMap { graph.sources(hop.slot, hop.table, of: $0) })
    }
    for row in rows {
      let number = graph.tables[table].identifiers[row]
      keys[number, default: []].formUnion(path.isShown ? [path.text] : [])
    }
  }

  /// The rows of which a key has another value, and those that came or went.
  private func changed(
    _ touched: [Int64: TouchedKeys.Keys], _ key: String?, _ table: Int
  ) -> [Int] {
    touched.compactMap { number, keys in
      let isChanged =
        switch keys {
        case .all: true
        case .some(let keys): key.map(keys.contains) ?? false
        }
      return isChanged ? graph.tables[table].identifiers.row(of: number) : nil
    }
  }
}

/// A relationship where the graph keeps it.
private struct ResolvedHop {
  let slot: KeySlot
  let table: Int
  let destination: Int

  init?(_ hop: WatchedHop, _ graph: Graph) {
    guard let place = graph.place(of: hop.entity),
      let slot = graph.tables[place.table].layout.slots[place.code][hop.key],
      let destination = graph.destination(slot)
    else { return nil }
    (self.slot, table, self.destination) = (slot, place.table, destination)
  }
}

extension WatchedPath {
  /// `parentCategory.name`
  var text: String { (hops.map(\.key) + [key].compactMap(\.self)).joined(separator: ".") }
}

extension Graph {
  /// An object by its number, one too that was deleted; nil where the table never had one.
  func identity(of number: Int64, inTable table: Int) -> ObjectID? {
    tables[table].identifiers.row(of: number).map(tables[table].objectID)
  }
}
