/// A part of a list: where it stood, and how many rows it has.
struct WeighedPlace {
  var old: Int
  var weight: Int
}

/// Of parts in their new order those that may stay where they are: the ones that ascend by their old
/// places too and have the most rows together. All others move.
///
/// O(n log n), and linear where nothing has to move.
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
  /// For each prefix of the ranks the last part of the heaviest run in it: a Fenwick tree.
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
