package import KuraDiagnostics
package import KuraValues

/// How the answer of a watched fetch changed with one step of the graph.
///
/// Places are as in batch updates of a table: what goes, and where a move begins, by the old answer;
/// what comes, where a move ends and what was updated by the new one. Deletions and beginnings of
/// moves in descending order, then insertions and ends of moves in ascending order, make the old
/// answer the new one.
package struct ResultsChange: Sendable, Equatable {
  package var events: [ResultsEvent] = []

  package init(_ events: [ResultsEvent] = []) { self.events = events }

  package var isEmpty: Bool { events.isEmpty }
}

/// What became of one row, or one section, of a watched fetch.
package enum ResultsEvent: Sendable, Equatable {
  case delete(ResultsRow, from: ResultsPlace)
  case sectionDelete(heading: Value, at: Int)
  case sectionInsert(heading: Value, at: Int)
  case insert(ResultsRow, at: ResultsPlace)
  /// With the keys that have other values; none where others made it move.
  case move(ResultsRow, from: ResultsPlace, to: ResultsPlace, keys: [String])
  case update(ResultsRow, at: ResultsPlace, keys: [String])
}

/// A row of a watched fetch, which tells it from the others.
package enum ResultsRow: Sendable, Hashable {
  case object(ObjectID)
  /// The row of a group: its columns by their names.
  case values(ValueDictionary)
}

/// Where a row stands, both from 0: what Cocoa calls an index path.
package struct ResultsPlace: Sendable, Hashable {
  package var section: Int
  package var row: Int

  package init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }
}

/// A section of a watched fetch.
package struct ResultsRun: Sendable, Hashable {
  package var heading: Value
  package var count: Int

  init(_ heading: Value, count: Int) {
    self.heading = heading
    self.count = count
  }
}

/// Why a watched fetch has ended.
package enum ResultsEnd: Sendable {
  /// The fetch can be asked no more.
  case failed(Diagnostic)
  /// Another store is open.
  case otherStore
}
