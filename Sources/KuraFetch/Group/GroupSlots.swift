import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// Which of the groups each row belongs to, as a small number, its slot.
///
/// Slot 0 is that of the rows that do not pass, so that a loop over a chunk needs no branch.
enum GroupSlots: Sendable {
  /// Made of the codes that columns hold, when they are wanted.
  case coded(SlotCoder, passing: [Bitmap])
  /// Made once, chunk by chunk, by the values of the keys.
  case stored([[UInt32]], count: Int)
}

extension GroupSlots {
  /// Slots of the rows that pass, by the values of some trees; without trees all have one.
  init(_ request: BoundRequest, by trees: [ExpressionTree]) throws(Diagnostic) {
    let passing = try request.passingRows()
    if let coder = SlotCoder(trees, request) {
      self = .coded(coder, passing: passing)
      return
    }
    var numbering = GroupNumbering(trees, request)
    var slots: [[UInt32]] = []
    slots.reserveCapacity(passing.count)
    for (chunk, rows) in passing.enumerated() {
      try request.environment.checkStopped()
      slots.append(try numbering.slots(chunk, rows))
    }
    self = .stored(slots, count: numbering.count)
  }

  var chunkCount: Int {
    switch self {
    case .coded(_, let passing): passing.count
    case .stored(let slots, _): slots.count
    }
  }

  /// How many slots there are, with slot 0.
  var count: Int {
    switch self {
    case .coded(let coder, _): coder.count
    case .stored(_, let count): count
    }
  }

  /// The slots of a chunk's rows.
  func slots(_ chunk: Int) -> [UInt32] {
    switch self {
    case .coded(let coder, let passing): coder.slots(chunk, passing[chunk])
    case .stored(let slots, _): slots[chunk]
    }
  }
}

/// Makes slots of columns whose cells are small numbers already.
struct SlotCoder: Sendable {
  private let keys: [(column: GroupColumn, stride: UInt32)]
  /// How many slots there are, with slot 0.
  let count: Int

  /// More slots than this cost more than what they save.
  private static let limit = 65_536

  /// Nil where a key has no codes, or there would be too many slots.
  init?(_ trees: [ExpressionTree], _ request: BoundRequest) {
    var keys: [(column: GroupColumn, stride: UInt32)] = []
    var product = 1
    for tree in trees {
      guard let column = GroupColumn(tree, request) else { return nil }
      keys.append((column, UInt32(truncatingIfNeeded: product)))
      let (next, overflow) = product.multipliedReportingOverflow(by: column.bound)
      guard !overflow, next < Self.limit else { return nil }
      product = next
    }
    self.keys = keys
    count = product + 1
  }
}

extension SlotCoder {
  /// The slots of a chunk's rows: 0 for those that do not pass.
  func slots(_ chunk: Int, _ passing: Bitmap) -> [UInt32] {
    let rows = passing.count
    return [UInt32](unsafeUninitializedCapacity: rows) { slots, filled in
      slots.initialize(repeating: 1)
      filled = rows
      for key in keys { key.column.add(chunk, times: key.stride, to: slots) }
      SlotCoder.clear(slots, outside: passing)
    }
  }

  /// Sets the slots of the rows to 0 that do not pass, word by word.
  private static func clear(_ slots: UnsafeMutableBufferPointer<UInt32>, outside passing: Bitmap) {
    for (place, word) in passing.words.enumerated() where word != .max {
      let start = place << 6
      for bit in 0..<min(64, slots.count - start) {
        slots[start + bit] &= 0 &- UInt32(truncatingIfNeeded: word >> UInt64(bit) & 1)
      }
    }
  }
}
