import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A small number per row, its slot, that identifies the group of the row.
///
/// Rows that do not pass have slot 0, so that a loop over a chunk needs no branch.
enum GroupSlots: Sendable {
  /// Computed on demand from the codes of columns.
  case coded(SlotCoder, passing: [Bitmap])
  /// Computed once per chunk, from the values of the keys.
  case stored([[UInt32]], count: Int)
}

extension GroupSlots {
  /// Assigns slots to the rows that pass, according to expressions; without expressions, all have one slot.
  init(
    _ request: BoundRequest, _ passing: [Bitmap], by trees: [ExpressionTree]
  ) throws(Diagnostic) {
    if let columns = trees.mapAll({ GroupColumn($0, request, passing) }) {
      if let coder = SlotCoder(columns, of: passing) {
        self = .coded(coder, passing: passing)
        return
      }
      if let normalizedKey = NormalizedGroupKey(columns) {
        self = normalizedKey.slots(passing)
        return
      }
    }
    var numbering = GroupNumbering(trees, request)
    let slots = try passing.enumerated().map { chunk, rows throws(Diagnostic) in
      try request.environment.checkStopped()
      return try numbering.slots(chunk, rows)
    }
    self = .stored(slots, count: numbering.count)
  }

  var chunkCount: Int {
    switch self {
    case .coded(_, let passing): passing.count
    case .stored(let slots, _): slots.count
    }
  }

  /// The number of slots, including slot 0.
  var count: Int {
    switch self {
    case .coded(let coder, _): coder.count
    case .stored(_, let count): count
    }
  }

  /// The rows that pass, if there are no keys and thus a single group.
  var soleRows: [Bitmap]? {
    if case .coded(let coder, let passing) = self, coder.hasNoKeys { passing } else { nil }
  }

  /// Returns the slots of a chunk's rows.
  func slots(_ chunk: Int) -> [UInt32] {
    switch self {
    case .coded(let coder, let passing): coder.slots(chunk, passing[chunk])
    case .stored(let slots, _): slots[chunk]
    }
  }
}

/// Computes slots from columns of small numbers.
struct SlotCoder: Sendable {
  private let keys: [(column: GroupColumn, stride: UInt32)]
  /// The number of slots, including slot 0.
  let count: Int
  var hasNoKeys: Bool { keys.isEmpty }

  /// More slots than this cost more than they save.
  static let limit = 65_536

  /// Returns nil if there would be too many slots. Numbers of a single key are slots if they do not exceed the set rows
  /// or this limit.
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
  /// Returns the slots of a chunk's rows: 0 for rows that do not pass.
  func slots(_ chunk: Int, _ passing: Bitmap) -> [UInt32] {
    let rows = passing.count
    return [UInt32](unsafeUninitializedCapacity: rows) { slots, filled in
      slots.initialize(repeating: 1)
      filled = rows
      for key in keys { key.column.add(chunk, times: key.stride, to: slots) }
      SlotCoder.clear(slots, outside: passing)
    }
  }

  /// Sets the slots of rows that do not pass to 0, word by word.
  private static func clear(_ slots: UnsafeMutableBufferPointer<UInt32>, outside passing: Bitmap) {
    for (place, word) in passing.words.enumerated() where word != .max {
      let start = place << 6
      let count = min(64, slots.count - start)
      // Visits the rows that do not pass one by one if there are few.
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

/// The numbers of several keys, packed into one word per row. Words get slots in order of appearance.
struct NormalizedGroupKey {
  private let keys: [(column: GroupColumn, bits: UInt64)]

  /// Returns nil if they do not fit into a word.
  init?(_ columns: [GroupColumn]) {
    keys = columns.map { ($0, UInt64(UInt64($0.bound).bitWidthUsed)) }
    guard keys.reduce(0, { $0 + $1.bits }) <= 64 else { return nil }
  }

  /// Returns the slots of the set rows, per chunk.
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

/// Assigns slots to groups according to the values of their keys, in order of appearance.
struct GroupNumbering {
  private let trees: [ExpressionTree]
  private let request: BoundRequest
  /// The numbers of the values, per key, and of their combinations.
  private var numbers: [Numbering<Value>]
  private var combinations = Numbering<[UInt32]>()

  init(_ trees: [ExpressionTree], _ request: BoundRequest) {
    self.trees = trees
    self.request = request
    numbers = trees.map { _ in Numbering() }
  }

  /// The number of slots, including slot 0.
  var count: Int { (trees.count == 1 ? numbers[0].count : combinations.count) + 1 }
}

extension GroupNumbering {
  /// Returns the slots of a chunk's rows: 0 for rows that do not pass.
  mutating func slots(_ chunk: Int, _ passing: Bitmap) throws(Diagnostic) -> [UInt32] {
    let first = UInt32(truncatingIfNeeded: chunk << ColumnChunk.shift)
    var rows: [UInt32] = []
    passing.forEachSet { rows.append(first + UInt32(truncatingIfNeeded: $0)) }
    var keys: [[UInt32]] = []
    for key in trees.indices {
      let values = try request.values(of: trees[key], rows)
      keys.append(values.map { numbers[key].number(of: $0) })
    }
    var result = [UInt32](repeating: 0, count: passing.count)
    for (place, row) in rows.enumerated() {
      result[Int(row - first)] =
        1 + (keys.count == 1 ? keys[0][place] : combinations.number(of: keys.map { $0[place] }))
    }
    return result
  }
}

/// Numbers for keys, from 0 in order of appearance.
struct Numbering<Key: Hashable> {
  private var numbers: [Key: UInt32] = [:]
  var count: Int { numbers.count }

  mutating func number(of key: Key) -> UInt32 {
    if let known = numbers[key] { return known }
    let number = UInt32(truncatingIfNeeded: numbers.count)
    numbers[key] = number
    return number
  }
}

extension GatherNode {
  /// A number per code, equal for equal values, and the number of null; nil if the reference evaluator must compute a
  /// value.
  var groupNumbers: (numbers: [UInt32], null: UInt32)? {
    let worth = values
    let all = Bitmap(count: worth.count, filledWith: true)
    guard worth.fallback == nil, let type = kind.attributeType(true),
      let aligned = AlignedVectors([worth], [all])
    else { return nil }
    let column = Column(.attribute(type), chunks: [aligned.vectors[0].chunk(all, type)])
    if VectorKind(textsOf: type) != nil {
      let texts = NumberedTexts(column, [all])
      return (texts.codes[0], texts.count)
    }
    let cells = NumberedCells(column, [all])
    return (cells.codes[0], cells.count)
  }
}

/// The counts and aggregates of each slot over some chunks.
struct GroupState: Sendable {
  private(set) var sizes: [Int]
  private(set) var aggregates: [ColumnAggregate]

  /// Creates an empty state.
  init(slots: Int, _ aggregates: [ColumnAggregate]) {
    sizes = Array(repeating: 0, count: slots)
    self.aggregates = aggregates.map { $0.emptied(slots: slots) }
  }
}

extension GroupState {
  /// With more slots than this, a state per chunk takes more time than it saves.
  static let sharedLimit = 1024

  /// Returns the state of all chunks. Chunks have separate states, combined in order, so that sums of doubles do not
  /// depend on the number of cores. Many slots have one state, or one for each half if they are far fewer than rows.
  func filled(by slots: GroupSlots) -> GroupState {
    let chunks = slots.chunkCount
    let isApart = sizes.count <= Self.sharedLimit
    let isHalved = sizes.count * 4 <= chunks * ColumnChunk.capacity && chunks > 1
    let ends = isApart ? Array(0...chunks) : isHalved ? [0, chunks / 2, chunks] : [0, chunks]
    let cost = Double(chunks * ColumnChunk.capacity) * Double(aggregates.count + 2)
    let states = Workers.map(
      count: ends.count - 1, inParallel: isApart ? cost > 1_000_000 : isHalved
    ) { part in
      var state = self
      for chunk in ends[part]..<ends[part + 1] { state.add(chunk, slots) }
      return state
    }
    return states.dropFirst().reduce(into: states.first ?? self) { $0.add($1) }
  }

  private mutating func add(_ chunk: Int, _ slots: GroupSlots) {
    if let rows = slots.soleRows?[chunk] {
      sizes[1] += rows.popcount
      for i in aggregates.indices { aggregates[i].add(chunk, sole: rows) }
      return
    }
    slots.slots(chunk).withUnsafeBufferPointer { slots in
      count(slots)
      for i in aggregates.indices { aggregates[i].add(chunk, slots) }
    }
  }

  /// Alternates between four counts per slot, so that no addition waits for the previous one.
  private mutating func count(_ slots: UnsafeBufferPointer<UInt32>) {
    let width = sizes.count
    // Repeated slots are rare if there are many, and four counts would be longer than a chunk.
    guard width <= Self.sharedLimit else {
      return sizes.withUnsafeMutableBufferPointer { sizes in
        for slot in slots { sizes[Int(slot)] &+= 1 }
      }
    }
    var lanes = [UInt32](repeating: 0, count: width * 4)
    lanes.withUnsafeMutableBufferPointer { lanes in
      let whole = slots.count & ~3
      for row in stride(from: 0, to: whole, by: 4) {
        lanes[Int(slots[row])] &+= 1
        lanes[Int(slots[row + 1]) + width] &+= 1
        lanes[Int(slots[row + 2]) + 2 * width] &+= 1
        lanes[Int(slots[row + 3]) + 3 * width] &+= 1
      }
      for row in whole..<slots.count { lanes[Int(slots[row])] &+= 1 }
    }
    for slot in 0..<width {
      let sum =
        lanes[slot] + lanes[slot + width] + lanes[slot + 2 * width] + lanes[slot + 3 * width]
      sizes[slot] += Int(sum)
    }
  }

  private mutating func add(_ other: GroupState) {
    for slot in sizes.indices { sizes[slot] += other.sizes[slot] }
    for i in aggregates.indices { aggregates[i].add(other.aggregates[i]) }
  }
}
