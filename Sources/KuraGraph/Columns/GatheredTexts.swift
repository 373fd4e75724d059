/// The texts of some rows of a column, one behind the other: no string is made before somebody asks for it.
package final class GatheredTexts: Sendable {
  private let cells: GatheredCells

  /// The rows ascend.
  init(_ column: Column, _ rows: [UInt32]) {
    var cells = GatheredCells(rows.count)
    column.eachChunk(of: rows[...]) { cells.addTexts($0, $1, column.dictionary) }
    self.cells = cells
  }

  var count: Int { cells.ends.count }

  subscript(place: Int) -> ChangeValue {
    if !cells.nulls.isEmpty, cells.nulls[place] { return .null }
    let start = place == 0 ? 0 : cells.ends[place - 1]
    return .text(String(decoding: cells.bytes[start..<cells.ends[place]], as: UTF8.self))
  }

  /// How many texts must be gathered before they are worth more than themselves.
  static let fewest = 64
}
