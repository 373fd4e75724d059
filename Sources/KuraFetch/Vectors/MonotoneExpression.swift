import KuraGraph
import KuraModel

/// An expression of one column of doubles that never goes down where the column goes up, or never goes up:
/// `sqrt(cost)`, `100 - cost / 12`, `round(cost) * 2`.
///
/// Which of the column's values make it lie in a range is a range too, whose ends are found by trying values:
/// no rule of arithmetic is turned round, so that rounding is the expression's own.
struct MonotoneExpression: Sendable {
  let column: Int
  private let node: any VectorNode
  private let isUp: Bool

  /// Nil for other expressions.
  init?(_ node: any VectorNode) {
    guard let trend = node.trend else { return nil }
    (self.node, column, isUp) = (node, trend.column, trend.isUp)
  }
}

extension MonotoneExpression {
  /// The values within bounds of the column that make it lie between two numbers: nil where it has no
  /// value at one of the bounds, and `.some(nil)` where none of them does.
  ///
  /// Some thousand values are tried.
  func values(
    of bounds: ClosedRange<Double>, between range: ClosedRange<Double>
  ) -> ClosedRange<Double>?? {
    let words = bounds.lowerBound.orderedBits...bounds.upperBound.orderedBits
    guard tried([words.lowerBound, words.upperBound]).unsure == nil else { return nil }
    let (low, high) = (range.lowerBound, range.upperBound)
    let first = first(in: words) { isUp ? $0 >= low : $0 <= high }
    let behind = self.first(in: words) { isUp ? $0 > high : $0 < low }
    guard first < behind else { return .some(nil) }
    return .some(Double(orderedBits: first)...Double(orderedBits: behind - 1))
  }

  /// The first word from which on a test holds; the one behind all where it does nowhere.
  private func first(in words: ClosedRange<UInt64>, where test: (Double) -> Bool) -> UInt64 {
    var (low, count) = (words.lowerBound, words.upperBound - words.lowerBound + 1)
    while count > 0 {
      let step = max(1, count / Self.tries)
      let tries = (0..<min(Self.tries, count)).map { low + $0 * step }
      let values = tried(tries).doubles.spread(tries.count)
      let failed = UInt64(values.firstIndex(where: test) ?? values.count)
      if failed == 0 { return low }
      // It holds somewhere behind the last that failed.
      let last = low + (failed - 1) * step
      let end = failed < values.count ? low + failed * step : low + count
      (low, count) = (last + 1, end - last - 1)
    }
    return low
  }

  private static let tries: UInt64 = 256

  /// What the expression is worth for some values of the column.
  private func tried(_ words: [UInt64]) -> Vector {
    let chunk = ColumnChunk(.doubles(words.map { Double(orderedBits: $0) }))
    let columns = (0...column).map {
      Column(.attribute(.double), chunks: $0 == column ? [chunk] : [])
    }
    let table = Table(
      layout: TableLayout(root: "", entities: [], columns: [], slots: []), columns: columns)
    let all = Bitmap(count: words.count, filledWith: true)
    return node.vector(ChunkRows(table: table, number: 0, candidates: all))
  }
}

extension Double {
  /// The number whose `orderedBits` these are.
  fileprivate init(orderedBits bits: UInt64) {
    self.init(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }
}
