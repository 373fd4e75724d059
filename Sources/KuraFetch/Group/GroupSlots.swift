import KuraBytes
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
  init(
    _ request: BoundRequest, _ passing: [Bitmap], by trees: [ExpressionTree]
  ) throws(Diagnostic) {
    let columns = GroupColumn.all(trees, request, passing)
    if let columns {
      if let coder = SlotCoder(columns, of: passing) {
        self = .coded(coder, passing: passing)
        return
      }
      if let packing = KeyPacking(columns) {
        self = packing.slots(passing)
        return
      }
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

  /// The rows, where there are no keys and all are one group.
  var soleRows: [Bitmap]? {
    if case .coded(let coder, let passing) = self, coder.hasNoKeys { passing } else { nil }
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
  var hasNoKeys: Bool { keys.isEmpty }

  /// More slots than this cost more than what they save.
  static let limit = 65_536

  /// Nil where there would be too many slots. The numbers of one key are slots, as long as they are
  /// not more than the rows that are set.
  init?(_ columns: [GroupColumn], of rows: [Bitmap] = []) {
    let limit =
      columns.count == 1 ? max(Self.limit, rows.reduce(2) { $0 + 2 * $1.popcount }) : Self.limit
    var keys: [(column: GroupColumn, stride: UInt32)] = []
    var product = 1
    for column in columns {
      keys.append((column, UInt32(truncatingIfNeeded: product)))
      let (next, overflow) = product.multipliedReportingOverflow(by: column.bound)
      guard !overflow, next <= limit else { return nil }
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
      let count = min(64, slots.count - start)
      // Where few do not pass, these alone are looked at.
      var others = ~word & (count == 64 ? .max : (1 << UInt64(count)) - 1)
      if others.nonzeroBitCount <= 20 {
        while others != 0 {
          slots[start + others.trailingZeroBitCount] = 0
          others &= others - 1
        }
        continue
      }
      for bit in 0..<count {
        slots[start + bit] &= 0 &- UInt32(truncatingIfNeeded: word >> UInt64(bit) & 1)
      }
    }
  }
}

/// The numbers of several keys as one word for each row, to which slots are given as they come.
struct KeyPacking {
  private let keys: [(column: GroupColumn, bits: UInt64)]

  /// Nil where a word is too short for all of them.
  init?(_ columns: [GroupColumn]) {
    keys = columns.map { ($0, UInt64(UInt64($0.bound).bitWidthUsed)) }
    guard keys.reduce(0, { $0 + $1.bits }) <= 64 else { return nil }
  }

  /// The slots of the rows that are set, chunk by chunk.
  func slots(_ passing: [Bitmap]) -> GroupSlots {
    let keys = keys
    let words = Workers.map(count: passing.count, inParallel: passing.count > 2) { number in
      var words = [UInt64](repeating: 0, count: passing[number].count)
      guard !passing[number].isEmpty else { return words }
      for key in keys { key.column.append(number, bits: key.bits, to: &words) }
      for row in words.indices { words[row] = words[row].mixed }
      return words
    }
    let numbered = NumberedWords(words, passing)
    let slots = Workers.map(count: passing.count, inParallel: passing.count > 2) { number in
      var slots = [UInt32](repeating: 0, count: passing[number].count)
      passing[number].eachRow { slots[$0] = numbered.codes[number][$0] &+ 1 }
      return slots
    }
    return .stored(slots, count: Int(numbered.count) + 1)
  }
}
