import KuraValues

/// A list before and after a step that names only the affected rows; the others keep their order.
struct ListStep<Key: Hashable> {
  struct Spot {
    var key: Key
    var index: Int
  }

  /// A list, and its visible window.
  struct Side {
    /// The affected rows, in their order.
    var spots: [Spot]
    var count: Int
    var window: Range<Int>
    /// The sections of the whole list; nil without sections.
    var runs: [ResultsRun]?
  }

  let old: Side
  let new: Side
  /// Runs of rows that are in both lists, with their places, ordered by new place.
  private var pieces: [Piece] = []
  let sections: SectionStep

  private struct Piece {
    var old: Int
    var new: Int
    var count = 1
    /// The affected row; nil for unaffected rows.
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

  /// The unaffected rows, cut at each change of either list.
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
  /// The number of unaffected rows before each affected one.
  fileprivate var ranks: [Int] { spots.enumerated().map { $1.index - $0 } }

  /// Returns the number of unaffected rows before a place.
  fileprivate func rank(of index: Int) -> Int {
    index - spots.indices.partitioningIndex { spots[$0].index >= index }
  }

  fileprivate func shows(_ index: Int) -> Bool { window.contains(index) }
}

enum RowEvent<Key> {
  case delete(Key, from: ResultsPlace)
  case insert(Key, at: ResultsPlace)
  case move(Key, from: ResultsPlace, to: ResultsPlace)
  /// It stays in place, but is affected.
  case stay(Key, at: ResultsPlace)
}

// Events
extension ListStep {
  /// Returns the events of rows: deletions by old place, descending; insertions, moves and staying rows by new place,
  /// ascending. `key` gives the row at a place of the new list.
  func events(_ key: (Int) -> Key) -> [RowEvent<Key>] {
    let gone = shown(by: old, \.old, butNotBy: new, \.new, key).reversed()
    let come = shown(by: new, \.new, butNotBy: old, \.old, key)
    return gone.map { .delete($0.key, from: oldPlace($0.index)) }
      + come.map { .insert($0.key, at: newPlace($0.index)) } + kept(key)
  }

  /// Returns the rows that only one side shows, in their order.
  private func shown(
    by side: Side, _ place: KeyPath<Piece, Int>, butNotBy other: Side,
    _ otherPlace: KeyPath<Piece, Int>, _ key: (Int) -> Key
  ) -> [Spot] {
    let there = Set(other.spots.map(\.key))
    var found = side.spots.filter { !there.contains($0.key) && side.shows($0.index) }
    for piece in pieces
    where side.shows(piece[keyPath: place]) && !other.shows(piece[keyPath: otherPlace]) {
      for i in 0..<piece.count {
        let index = piece[keyPath: place] + i
        found.append(Spot(key: piece.key ?? key(piece.new + i), index: index))
      }
    }
    return found.sorted { $0.index < $1.index }
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

  /// Among the solutions with the fewest moves, prefers those that do not move unaffected rows.
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
}

/// A part of a list: its old place, and its weight.
struct WeighedPlace {
  var old: Int
  var weight: Int
}

/// Returns which parts, given in their new order, can stay: the heaviest subsequence with ascending old places. All
/// others move.
///
/// O(*n* log *n*), and O(*n*) if nothing has to move.
func heaviestRun(_ places: [WeighedPlace]) -> [Bool] {
  if zip(places, places.dropFirst()).allSatisfy({ $0.old < $1.old }) {
    return places.map { _ in true }
  }
  let order = places.indices.sorted { places[$0].old < places[$1].old }
  var ranks = [Int](repeating: 0, count: places.count)
  for (rank, place) in order.enumerated() { ranks[place] = rank + 1 }
  return HeaviestRun(places, ranks).stays
}

private struct HeaviestRun {
  /// The last part of the heaviest run per prefix of the ranks: a Fenwick tree.
  private var best: [Int?]
  private var weights: [Int]
  private var previous: [Int?]
  private var last: Int?

  init(_ places: [WeighedPlace], _ ranks: [Int]) {
    best = Array(repeating: nil, count: places.count + 1)
    weights = places.map(\.weight)
    previous = Array(repeating: nil, count: places.count)
    for (i, rank) in ranks.enumerated() {
      previous[i] = heaviest(below: rank)
      weights[i] += previous[i].map { weights[$0] } ?? 0
      note(i, rank)
      if last.map({ weights[$0] < weights[i] }) ?? true { last = i }
    }
  }

  private func heaviest(below rank: Int) -> Int? {
    var found: Int?
    var i = rank - 1
    while i > 0 {
      if let place = best[i], found.map({ weights[$0] < weights[place] }) ?? true { found = place }
      i &= i - 1
    }
    return found
  }

  private mutating func note(_ place: Int, _ rank: Int) {
    var i = rank
    while i < best.count {
      if best[i].map({ weights[$0] < weights[place] }) ?? true { best[i] = place }
      i += i & -i
    }
  }

  var stays: [Bool] {
    var result = previous.map { _ in false }
    var place = last
    while let i = place {
      result[i] = true
      place = previous[i]
    }
    return result
  }
}

/// The sections of a list before and after a step.
struct SectionStep {
  let old: SectionPlaces
  let new: SectionPlaces
  /// The new index of each old section; nil if it was deleted or moved.
  let staying: [Int?]

  init(_ old: [ResultsRun]?, _ new: [ResultsRun]?) {
    self.old = SectionPlaces(old)
    self.new = SectionPlaces(new)
    staying = SectionStep.staying(self.old.runs, self.new.runs)
  }

  /// The bounds of old sections that do not stay.
  var borders: [Int] {
    staying.indices.filter { staying[$0] == nil }.flatMap { [old.starts[$0], old.starts[$0 + 1]] }
  }

  var deletions: [ResultsEvent] {
    staying.indices.reversed().filter { staying[$0] == nil }
      .map { .sectionDelete(heading: old.runs[$0].heading, at: $0) }
  }

  var insertions: [ResultsEvent] {
    let stayed = Set(staying.compactMap(\.self))
    return new.runs.indices.filter { !stayed.contains($0) }
      .map { .sectionInsert(heading: new.runs[$0].heading, at: $0) }
  }

  private static func staying(_ old: [ResultsRun], _ new: [ResultsRun]) -> [Int?] {
    let first = zip(old, new).prefix { $0.heading == $1.heading }.count
    let last = zip(old[first...].reversed(), new[first...].reversed())
      .prefix { $0.heading == $1.heading }.count
    var staying: [Int?] = old.indices.map { i in
      i < first ? i : i >= old.count - last ? i + new.count - old.count : nil
    }
    let places = Dictionary(
      (first..<old.count - last).map { (old[$0].heading, $0) },
      uniquingKeysWith: { first, _ in first })
    let common = (first..<new.count - last).compactMap { i in
      places[new[i].heading].map { (old: $0, new: i) }
    }
    let stays = heaviestRun(
      common.map { WeighedPlace(old: $0.old, weight: min(old[$0.old].count, new[$0.new].count)) })
    for (section, stays) in zip(common, stays) where stays { staying[section.old] = section.new }
    return staying
  }
}

/// Sections with their start places; empty for a list without sections.
struct SectionPlaces {
  let runs: [ResultsRun]
  /// The starts, followed by the end of the last section.
  let starts: [Int]
  private let hasSections: Bool

  init(_ runs: [ResultsRun]?) {
    self.runs = runs ?? []
    hasSections = runs != nil
    var starts = [0]
    for run in self.runs { starts.append((starts.last ?? 0) + run.count) }
    self.starts = starts
  }

  func place(of index: Int) -> ResultsPlace? {
    guard hasSections else { return nil }
    let section = runs.indices.partitioningIndex { starts[$0 + 1] > index }
    return ResultsPlace(section: section, row: index - starts[section])
  }
}
