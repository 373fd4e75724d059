import KuraBytes

/// Writes independent rows: all cores create bytes for pieces, which are passed on in order.
///
/// The first pieces are available before the last is begun.
struct RowPieces {
  let count: Int

  private static let rows = 1024
  private static let piecesAtOnce = 16

  /// The output of a run of rows.
  enum Body {
    /// Row by row
    case rows((_ row: Int, _ bytes: inout [UInt8]) throws -> Void)
    /// The complete run
    case bytes([UInt8])
  }

  /// Writes the rows that the body creates. If it throws, the previous rows are written.
  func write(
    to out: inout OutputBuffer,
    _ append: @escaping @Sendable (_ row: Int, _ bytes: inout [UInt8]) throws -> Void
  ) throws {
    try write(runsTo: &out) { _ in .rows(append) }
  }

  /// Writes rows with a body for each run of rows.
  func write(
    to out: inout OutputBuffer,
    _ append: @Sendable (Range<Int>) throws -> (_ row: Int, _ bytes: inout [UInt8]) throws -> Void
  ) throws {
    try write(runsTo: &out) { .rows(try append($0)) }
  }

  /// Writes runs of rows that may be created together.
  func write(
    runsTo out: inout OutputBuffer, _ append: @Sendable (Range<Int>) throws -> Body
  ) throws {
    let pieces = (count + Self.rows - 1) / Self.rows
    for first in stride(from: 0, to: pieces, by: Self.piecesAtOnce) {
      let some = min(Self.piecesAtOnce, pieces - first)
      let encoded = Workers.map(count: some, inParallel: some > 2) { piece((first + $0), append) }
      for piece in encoded {
        try out.append(rows: piece.bytes)
        if let failure = piece.failure { throw failure }
      }
    }
  }

  private struct Piece: Sendable {
    var bytes: [UInt8] = []
    var failure: (any Error)?
  }

  private func piece(_ number: Int, _ body: @Sendable (Range<Int>) throws -> Body) -> Piece {
    var piece = Piece()
    let first = number * Self.rows
    let rows = first..<min(count, first + Self.rows)
    var whole = 0
    do {
      switch try body(rows) {
      case .bytes(let bytes): piece.bytes = bytes
      case .rows(let append):
        piece.bytes.reserveCapacity(rows.count * 64)
        for row in rows {
          whole = piece.bytes.count
          try append(row, &piece.bytes)
        }
      }
    } catch {
      piece.bytes.removeSubrange(whole...)
      piece.failure = error
    }
    return piece
  }
}
