import KuraValues

/// A list before and after a step, of which only the rows are named that a step concerns: the others
/// are there before and after it, in the same order.
struct ListStep<Key: Hashable> {
  struct Spot {
    var key: Key
    var index: Int
  }

  /// What of a list is shown: all of it, or what a limit leaves.
  struct Side {
    /// The concerned rows, in their order.
    var spots: [Spot]
    var count: Int
    var window: Range<Int>
    /// The sections of the whole list; nil where there are none.
    var runs: [ResultsRun]?
  }

  let old: Side
  let new: Side
  /// Rows that are in both lists, with their places there, by their new places.
  private var pieces: [Piece] = []
  private let sections: SectionStep

  private struct Piece {
    var old: Int
    var new: Int
    var count = 1
    /// Nil: rows that the step does not concern.
    var key: Key?
  }

  init(from old: Side, to new: Side) {
    (self.old, self.new) = (old, new)
    sections = SectionStep(old.runs, new.runs)
    pieces = (changedPieces + unchangedPieces).sorted { $0.new < $1.new }
  }
}

// Pieces
extension ListStep {
  private var changedPieces: [Piece] {
    let places = Dictionary(
      old.spots.map { ($0.key, $0.index) }, uniquingKeysWith: { first, _ in first })
    return new.spots.compactMap { spot in
      places[spot.key].map { Piece(old: $0, new: spot.index, key: spot.key) }
    }
  }

  /// The rows that are not concerned, cut wherever something happens on either side.
  private var unchangedPieces: [Piece] {
    let (gone, come) = (old.ranks, new.ranks)
    let count = old.count - gone.count
    var cuts = Set(gone + come + [0, count])
    cuts.formUnion([old.rank(of: old.window.lowerBound), old.rank(of: old.window.upperBound)])
    cuts.formUnion([new.rank(of: new.window.lowerBound), new.rank(of: new.window.upperBound)])
    cuts.formUnion(sections.borders.map(old.rank))
    let ranks = cuts.sorted()
    var (before, after) = (0, 0)
    return zip(ranks, ranks.dropFirst()).map { rank, next in
      while before < gone.count, gone[before] <= rank { before += 1 }
      while after < come.count, come[after] <= rank { after += 1 }
      return Piece(old: rank + before, new: rank + after, count: next - rank)
    }
  }
}

extension ListStep.Side {
  /// How many unconcerned rows stand before each concerned one.
  fileprivate var ranks: [Int] { spots.enumerated().map { $1.index - $0 } }

  /// How many unconcerned rows stand before a place.
  fileprivate func rank(of index: Int) -> Int {
    var (low, high) = (0, spots.count)
    while low < high {
      let middle = (low + high) / 2
      if spots[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return index - low
  }

  fileprivate func shows(_ index: Int) -> Bool { window.contains(index) }
}

/// A row's event, before it is known what the row is called.
enum RowEvent<Key> {
  case delete(Key, from: ResultsPlace)
  case insert(Key, at: ResultsPlace)
  case move(Key, from: ResultsPlace, to: ResultsPlace)
  /// It is where it was, and concerned.
  case stay(Key, at: ResultsPlace)
}

// Events
extension ListStep {
  /// What happens to rows: deletions by their old places, descending, insertions, moves and rows that
  /// stay by their new ones, ascending. `key` gives the row at a place of the new list.
  func events(_ key: (Int) -> Key) -> [RowEvent<Key>] {
    deletions(key) + insertions(key) + kept(key)
  }

  private func deletions(_ key: (Int) -> Key) -> [RowEvent<Key>] {
    let there = Set(new.spots.map(\.key))
    var gone = old.spots.filter { !there.contains($0.key) && old.shows($0.index) }
    for piece in pieces where old.shows(piece.old) && !new.shows(piece.new) {
      for i in 0..<piece.count {
        gone.append(Spot(key: piece.key ?? key(piece.new + i), index: piece.old + i))
      }
    }
    return gone.sorted { $0.index > $1.index }.map { .delete($0.key, from: oldPlace($0.index)) }
  }

  private func insertions(_ key: (Int) -> Key) -> [RowEvent<Key>] {
    let there = Set(old.spots.map(\.key))
    var come = new.spots.filter { !there.contains($0.key) && new.shows($0.index) }
    for piece in pieces where new.shows(piece.new) && !old.shows(piece.old) {
      for i in 0..<piece.count {
        come.append(Spot(key: piece.key ?? key(piece.new + i), index: piece.new + i))
      }
    }
    return come.sorted { $0.index < $1.index }.map { .insert($0.key, at: newPlace($0.index)) }
  }

  private func kept(_ key: (Int) -> Key) -> [RowEvent<Key>] {
    let kept = pieces.filter { old.shows($0.old) && new.shows($0.new) }
    let mayStay = kept.map(isInItsSection)
    var stays = heaviestRun(
      zip(kept, mayStay).filter(\.1).map { WeighedPlace(old: $0.0.old, weight: weight(of: $0.0)) }
    ).makeIterator()
    var (moves, staying): ([RowEvent<Key>], [RowEvent<Key>]) = ([], [])
    for (piece, mayStay) in zip(kept, mayStay) {
      if mayStay, stays.next() == true {
        if let key = piece.key { staying.append(.stay(key, at: newPlace(piece.new))) }
        continue
      }
      for i in 0..<piece.count {
        moves.append(
          .move(
            piece.key ?? key(piece.new + i), from: oldPlace(piece.old + i),
            to: newPlace(piece.new + i)))
      }
    }
    return moves + staying
  }

  /// Of as few moves as can be, those are best that leave alone what the step does not concern.
  private func weight(of piece: Piece) -> Int {
    piece.count * (new.count + 1) + (piece.key == nil ? piece.count : 0)
  }

  private func isInItsSection(_ piece: Piece) -> Bool {
    guard old.runs != nil else { return true }
    return sections.staying[oldPlace(piece.old).section] == newPlace(piece.new).section
  }
}

// Places
extension ListStep {
  private func oldPlace(_ index: Int) -> ResultsPlace {
    sections.old.place(of: index) ?? ResultsPlace(row: index - old.window.lowerBound)
  }

  private func newPlace(_ index: Int) -> ResultsPlace {
    sections.new.place(of: index) ?? ResultsPlace(row: index - new.window.lowerBound)
  }

  var sectionDeletions: [ResultsEvent] { sections.deletions }
  var sectionInsertions: [ResultsEvent] { sections.insertions }
}
