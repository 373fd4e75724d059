/// Cells of a column, of some rows one behind the other, as they are to be written: of numbers and
/// texts no value is made.
package struct CellPiece: Sendable {
  package var cells: Cells
  /// For each row whether it has no value; empty: all have one.
  package var nulls: [Bool] = []

  package enum Cells: Sendable {
    case integers([Int64])
    case doubles([Double])
    case booleans([Bool])
    /// Microseconds since 1970
    case dates([Int64])
    /// UTF-8, and where each row's ends in it
    case texts([UInt8], ends: [Int])
    case values([Value])
  }

  package init(_ cells: Cells, nulls: [Bool] = []) { (self.cells, self.nulls) = (cells, nulls) }
}
