/// The difference between the lines of a text and those of an earlier one.
///
///     LineDifference(from: ["a", "b"], to: ["a", "c"]).changes    // [.removed("b"), .added("c")]
///
/// Linear in the lines: if many lines differ, the result has all old lines and all new lines from
/// the first difference to the last.
struct LineDifference {
  enum Change: Equatable {
    case removed(String)
    case added(String)
  }

  /// The number of equal lines before the first change.
  let firstLine: Int
  /// The changes from the first line to the last.
  let changes: [Change]

  /// The number of changes up to which the shortest difference is computed.
  private static let most = 200

  init(from old: [String], to new: [String]) {
    let shorter = min(old.count, new.count)
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.reversed(), new.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
    let (old, new) = (old[start..<old.count - end], new[start..<new.count - end])
    firstLine = start
    changes =
      EditPath(Array(old), Array(new), most: Self.most)?.changes
      ?? old.map(Change.removed) + new.map(Change.added)
  }
}

/// The shortest edit path from one list of lines to another, according to Myers' algorithm.
///
/// A diagonal is a place in the old list minus one in the new list. After n changes every second
/// diagonal has been followed to its furthest place.
private struct EditPath {
  private let old: [String]
  private let new: [String]
  /// The furthest places before each number of changes; diagonal 0 is in the middle.
  private var furthest: [[Int]] = []
  private let middle: Int

  /// Finds the path; nil if there are more than `most` changes.
  init?(_ old: [String], _ new: [String], most: Int) {
    (self.old, self.new) = (old, new)
    middle = most + 1
    let (before, after) = Self.numbered(old, new)
    var places = [Int](repeating: 0, count: 2 * middle + 1)
    for count in 0...most {
      furthest.append(places)
      for diagonal in stride(from: -count, through: count, by: 2) {
        let origin = Self.origin(of: diagonal, count, places, middle)
        var place = places[middle + origin] + (origin < diagonal ? 1 : 0)
        while place < old.count, place - diagonal < new.count,
          before[place] == after[place - diagonal]
        {
          place += 1
        }
        places[middle + diagonal] = place
        if place >= old.count, place - diagonal >= new.count { return }
      }
    }
    return nil
  }

  /// Numbers the lines, so that equal lines have equal numbers.
  private static func numbered(_ old: [String], _ new: [String]) -> ([Int], [Int]) {
    var numbers: [String: Int] = [:]
    for line in old + new where numbers[line] == nil { numbers[line] = numbers.count }
    return (old.map { numbers[$0] ?? 0 }, new.map { numbers[$0] ?? 0 })
  }

  /// Returns the diagonal from which a change leads to another; a removal comes from the one below.
  private static func origin(
    of diagonal: Int, _ count: Int, _ places: [Int], _ middle: Int
  ) -> Int {
    let isAddition =
      diagonal == -count
      || diagonal != count && places[middle + diagonal - 1] < places[middle + diagonal + 1]
    return isAddition ? diagonal + 1 : diagonal - 1
  }

  var changes: [LineDifference.Change] {
    var changes: [LineDifference.Change] = []
    var (place, other) = (old.count, new.count)
    for count in furthest.indices.reversed() where count > 0 {
      let (places, diagonal) = (furthest[count], place - other)
      let origin = Self.origin(of: diagonal, count, places, middle)
      place = places[middle + origin]
      other = place - origin
      changes.append(origin > diagonal ? .added(new[other]) : .removed(old[place]))
    }
    return changes.reversed()
  }
}
