import KuraBytes
import KuraGraph
import KuraValues

/// A number made of the objects that each row has: `items.@count`, `items.@max.dueDate`,
/// `SUBQUERY(items, $i, $i.done == NO).@sum.estimate`.
///
/// All rows of the table get theirs in one pass over the links, when the first is wanted.
struct SummaryNode: VectorNode {
  let kind: VectorKind
  private let worth: Once<Vector>
  private let inner: (any VectorNode)?
  let costForAll: Double

  /// What is asked of the objects at the other end.
  enum Operation: String, Sendable {
    case count, sum, avg, min, max
  }

  /// Where the objects are, and which of them count.
  struct Elements: Sendable {
    let link: ToManyLink
    let here: Table
    let there: Table
    let cancel: CancelFlag
    /// Nil: all
    var filter: Filter?
  }

  init?(_ operation: Operation, _ elements: Elements, _ inner: (any VectorNode)?) {
    guard let kind = SummaryNode.kind(operation, inner?.kind) else { return nil }
    (self.kind, self.inner) = (kind, inner)
    let each = 6 + (inner?.cost ?? 0) + (elements.filter?.cost ?? 0)
    costForAll = (inner?.costForAll ?? 0) + Double(elements.there.count) * each
    worth = Once {
      var summing = Summing(operation, kind, elements, inner)
      summing.addAll()
      return summing.vector
    }
  }

  private static func kind(_ operation: Operation, _ inner: VectorKind?) -> VectorKind? {
    switch (operation, inner) {
    case (.count, nil), (.sum, .integer?): .integer
    // Of nothing these are an integer.
    case (.sum, .double?), (.avg, .integer?), (.avg, .double?): .mixed
    case (.sum, .decimal?): .exact
    case (.min, .integer?), (.max, .integer?): .integer
    case (.min, .decimal?), (.max, .decimal?): .decimal
    case (.min, .date?), (.max, .date?): .date
    case (.min, .double?), (.max, .double?): .double
    case (.min, .text?), (.max, .text?): .text
    default: nil
    }
  }

  var parts: [any VectorNode] { inner.map { [$0] } ?? [] }
  var cost: Double { 2 }
  var isSure: Bool { false }

  func prepare() { _ = worth.value }
  func vector(_ rows: ChunkRows) -> Vector { worth.value.chunk(rows) }
}
