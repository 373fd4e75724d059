/// A set of rows of tables: single ones, and many that were added together.
struct PlaceSet {
  private var single: Set<GraphPlace> = []
  /// Ascending rows, by table.
  private var many: [Int: [UInt32]] = [:]

  var isEmpty: Bool { single.isEmpty && many.isEmpty }

  func contains(_ place: GraphPlace) -> Bool {
    if single.contains(place) { return true }
    guard let rows = many[place.table] else { return false }
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(rows[middle]) < place.row { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && Int(rows[low]) == place.row
  }

  /// Adds a row; returns false if the set already contains it.
  @discardableResult mutating func insert(_ place: GraphPlace) -> Bool {
    !contains(place) && single.insert(place).inserted
  }

  /// Adds ascending rows of a table of which the set has none.
  mutating func insert(_ rows: [UInt32], of table: Int) { many[table] = rows }

  mutating func remove(_ place: GraphPlace) {
    single.remove(place)
    guard contains(place) else { return }
    many[place.table]?.removeAll { Int($0) == place.row }
  }

  /// The rows by table, both ascending.
  var byTable: [(table: Int, rows: [UInt32])] {
    var rows = many
    for place in single {
      rows[place.table, default: []].append(UInt32(truncatingIfNeeded: place.row))
    }
    return rows.map { ($0, $1.sorted()) }.sorted { $0.table < $1.table }
  }
}
