import KuraDiagnostics

/// The widths of the columns of a table, and how many of them fit.
///
/// Long text is cut first, the longest most; then columns on the right are left out. Objects of one
/// entity are shown as numbers if other columns gain space.
struct TableLayout {
  /// The widths of the visible columns, from the left.
  let widths: [Int]
  /// Whether objects in the first column are shown as numbers.
  let showsNumbers: Bool
  /// Whether most columns do not fit, so that a list is better.
  let isList: Bool

  /// Creates the layout. Without `room`, every column has its full width; a heading over all
  /// columns can widen the last one.
  init(_ measures: [ColumnMeasure], room: Int?, heading: Int = 0) {
    let whole = measures.map(\.cells)
    guard let room = room.map({ max(0, $0) }) else {
      (widths, showsNumbers, isList) = (Self.widened(whole, to: heading), false, false)
      return
    }
    let plain = Self.isFitting(whole, room) ? whole : Self.fitted(measures, to: room)
    let numbered = plain == whole ? nil : Self.numbered(measures).map { Self.fitted($0, to: room) }
    showsNumbers = numbered.map { Self.shows($0, more: plain) } ?? false
    let fitted = showsNumbers ? numbered ?? plain : plain
    widths = Self.widened(fitted, to: min(heading, max(4, room) - 4))
    isList = widths.count * 2 < measures.count && room >= Self.leastList
  }
}

extension TableLayout {
  /// The minimum width of a text column.
  private static let least = 8
  /// The minimum useful width of a list.
  private static let leastList = 20

  private static func isFitting(_ widths: [Int], _ room: Int) -> Bool {
    widths.reduce(1) { $0 + $1 + 3 } <= room
  }

  /// Returns the measures with numbers instead of objects; nil if that gains nothing.
  private static func numbered(_ measures: [ColumnMeasure]) -> [ColumnMeasure]? {
    guard let numbers = measures.first?.numbers, numbers.cells < measures[0].cells else {
      return nil
    }
    var measures = measures
    measures[0].cells = numbers.cells
    return measures
  }

  /// Returns whether some widths cut less than others, except in the first column.
  private static func shows(_ widths: [Int], more others: [Int]) -> Bool {
    if widths.count != others.count { return widths.count > others.count }
    return zip(widths, others).dropFirst().contains { $0 > $1 }
  }

  private static func widened(_ widths: [Int], to heading: Int) -> [Int] {
    var widths = widths
    let inside = widths.reduce(0) { $0 + $1 + 3 } - 3
    if let last = widths.indices.last, inside < heading { widths[last] += heading - inside }
    return widths
  }

  private static func fitted(_ measures: [ColumnMeasure], to room: Int) -> [Int] {
    for count in stride(from: measures.count, to: 0, by: -1) {
      if let widths = shrunk(measures.prefix(count), to: room - 3 * count - 1) { return widths }
    }
    return measures.prefix(1).map { min($0.cells, max(1, room - 4)) }
  }

  /// Returns widths with text cut to a common width, the largest possible; nil if they do not fit.
  private static func shrunk(_ measures: ArraySlice<ColumnMeasure>, to room: Int) -> [Int]? {
    guard total(measures, least) <= room else { return nil }
    guard total(measures, room) > room else { return measures.map { width($0, room) } }
    var (low, high) = (least, max(least, room))
    while low < high {
      let middle = (low + high + 1) / 2
      if total(measures, middle) <= room { low = middle } else { high = middle - 1 }
    }
    return spread(room - total(measures, low), over: measures, low)
  }

  /// Distributes the remaining cells to the first columns that were cut.
  private static func spread(
    _ rest: Int, over measures: ArraySlice<ColumnMeasure>, _ level: Int
  ) -> [Int] {
    var rest = rest
    return measures.map { measure in
      let width = self.width(measure, level)
      guard width < measure.cells, rest > 0 else { return width }
      rest -= 1
      return width + 1
    }
  }

  private static func width(_ measure: ColumnMeasure, _ level: Int) -> Int {
    measure.isText ? min(measure.cells, level) : measure.cells
  }

  private static func total(_ measures: ArraySlice<ColumnMeasure>, _ level: Int) -> Int {
    measures.reduce(0) { $0 + width($1, level) }
  }
}
