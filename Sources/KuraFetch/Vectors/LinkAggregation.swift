import KuraBytes
import KuraGraph
import KuraValues

/// The aggregates of the objects of all rows, computed in a pass over the links.
struct LinkAggregation: Sendable {
  private let operation: SummaryNode.Operation
  private let kind: VectorKind
  private let elements: SummaryNode.Elements
  private let inner: (any VectorNode)?
  /// The number of objects per row, including those without a value; empty if nothing is counted.
  private var counts: [UInt32] = []
  private var integers: [Int64] = []
  /// For decimals, the number of digits of the integers after the decimal point.
  private var places = 0
  private var doubles: [Double] = []
  /// All texts; each row keeps the number of its best one.
  private var texts = Vector.none(.text)
  private var hasValue: Bitmap
  private var fallback: Bitmap

  init(
    _ operation: SummaryNode.Operation, _ kind: VectorKind, _ elements: SummaryNode.Elements,
    _ inner: (any VectorNode)?
  ) {
    (self.operation, self.kind, self.elements) = (operation, kind, elements)
    self.inner = inner
    let rows = elements.here.count
    hasValue = Bitmap(count: rows)
    fallback = Bitmap(count: rows)
    if operation == .count || operation == .avg { counts = Array(repeating: 0, count: rows) }
    switch inner?.kind {
    case .double?: doubles = Array(repeating: 0, count: rows)
    case nil: break
    default: integers = Array(repeating: 0, count: rows)
    }
  }
}

extension LinkAggregation {
  /// Follows all links, in the order of each row's objects.
  mutating func addAll() {
    inner?.prepare()
    elements.filter?.prepare()
    if let inner, inner.kind == .text {
      // One more text, for rows without a text.
      texts = inner.whole(elements.there).adding(.null, .text)
    }
    switch elements.link {
    case .inverse(let column): addInverse(column)
    case .lists(let column): addLists(column)
    }
  }

  private mutating func addInverse(_ column: Int) {
    let empty = self
    let parts = Workers.states(
      count: elements.there.chunkCount, inParallel: isInAnyOrder && elements.there.count > 200_000,
      { empty }
    ) { $0.addChunk($1, column) }
    for (number, part) in parts.enumerated() {
      if number == 0 { self = part } else { add(part) }
    }
  }

  /// Whether the objects can be visited in any order. Doubles cannot: their sum must equal the reference evaluator's.
  private var isInAnyOrder: Bool {
    if kind == .text || kind.hasDecimals { return false }
    return doubles.isEmpty || operation == .min || operation == .max
  }

  /// Adds the result of another core.
  private mutating func add(_ other: LinkAggregation) {
    fallback.formUnion(other.fallback)
    for owner in counts.indices { counts[owner] &+= other.counts[owner] }
    let doublesOfOther = !doubles.isEmpty
    other.hasValue.eachRow { owner in
      if doublesOfOther {
        addDouble(other.doubles[owner], to: owner)
      } else {
        addInteger(other.integers[owner], to: owner)
      }
      hasValue.insert(owner)
    }
  }

  private mutating func addChunk(_ number: Int, _ column: Int) {
    if elements.cancel.isRequested { return }
    let there = elements.there
    let rows = ChunkRows(
      table: there, number: number, candidates: there.liveRows(inChunk: number))
    var values = kind == .text ? texts : inner?.vector(rows)
    align(&values, rows.count)
    var wanted = rows.candidates
    if let answer = elements.filter?.kernelAnswer(rows) {
      wanted = answer.passing
      if let open = answer.fallback {
        wanted.subtract(open)
        rows.chunk(column).forEachLink(from: open) { fallback.insert($0) }
      }
    }
    if addPlain(values, rows.chunk(column), wanted) { return }
    let base = kind == .text ? number << ColumnChunk.shift : 0
    rows.chunk(column).forEachPair(from: wanted) { add($0 + base, values, to: $1) }
  }

  /// Aligns the sums and the next values to one scale.
  private mutating func align(_ values: inout Vector?, _ count: Int) {
    guard let next = values, kind.hasDecimals else { return }
    let known = Vector(.decimals(.each(integers), places: places))
    let (mine, others) = Vector.aligned((known, integers.count), (next, count))
    if let open = mine.fallback { fallback.formUnion(open) }
    if case .decimals(.each(let aligned), let aligns) = mine.values, aligns != places {
      (integers, places) = (aligned, aligns)
    }
    values = others
  }

  private mutating func addLists(_ column: Int) {
    if inner == nil, elements.filter == nil { return countLists(column) }
    var values = kind == .text ? texts : inner?.whole(elements.there)
    align(&values, elements.there.count)
    var tally = FilterTally()
    let answer = elements.filter?.whole(elements.there, elements.cancel, &tally)
    for number in 0..<elements.here.chunkCount {
      let first = number << ColumnChunk.shift
      let live = elements.here.liveRows(inChunk: number)
      elements.here.columns[column].chunks[number].forEachPair(from: live) { row, element in
        if answer?.fallback?.has(element) == true { fallback.insert(first + row) }
        if answer?.passing.has(element) != false { add(element, values, to: first + row) }
      }
    }
  }
}

// Lengths of lists
extension LinkAggregation {
  private mutating func countLists(_ column: Int) {
    let here = elements.here
    for (number, chunk) in here.columns[column].chunks.enumerated() {
      guard case .linkLists(let lists) = chunk.values else { continue }
      let first = number << ColumnChunk.shift
      counts.withUnsafeMutableBufferPointer { counts in
        lists.ends.withUnsafeBufferPointer { ends in
          here.liveRows(inChunk: number).eachRow { row in
            counts[first + row] = ends[row] &- (row == 0 ? 0 : ends[row - 1])
          }
        }
      }
    }
  }
}

// Adding value by value
extension LinkAggregation {
  @inline(__always)
  private mutating func add(_ row: Int, _ values: Vector?, to owner: Int) {
    if !counts.isEmpty { counts[owner] &+= 1 }
    guard let values else { return }
    if values.fallback?.has(row) == true { return fallback.insert(owner) }
    if values.nulls?.has(row) == true { return }
    switch values.values {
    case .integers(let lane), .decimals(let lane, _): addInteger(lane[row], to: owner)
    case .doubles(let lane): addDouble(lane[row], to: owner)
    case .texts: addText(row, to: owner)
    }
    hasValue.insert(owner)
  }

  private mutating func addInteger(_ number: Int64, to owner: Int) {
    switch operation {
    case .min where hasValue.has(owner): integers[owner] = min(integers[owner], number)
    case .max where hasValue.has(owner): integers[owner] = max(integers[owner], number)
    case .min, .max, .count: integers[owner] = number
    case .sum, .avg:
      let (sum, overflow) = integers[owner].addingReportingOverflow(number)
      integers[owner] = sum
      if overflow { fallback.insert(owner) }
    }
  }

  private mutating func addDouble(_ number: Double, to owner: Int) {
    switch operation {
    case .min where hasValue.has(owner):
      if number < doubles[owner] { doubles[owner] = number }
    case .max where hasValue.has(owner):
      if number > doubles[owner] { doubles[owner] = number }
    case .min, .max, .count: doubles[owner] = number
    case .sum, .avg: doubles[owner] += number
    }
    if !number.isFinite { fallback.insert(owner) }
  }

  private mutating func addText(_ place: Int, to owner: Int) {
    guard hasValue.has(owner) else {
      integers[owner] = Int64(place)
      return
    }
    let order = texts.texts.texts.withAccess { Bytes.compare($0[place], $0[Int(integers[owner])]) }
    if order == (operation == .min ? .before : .after) { integers[owner] = Int64(place) }
  }
}

// To-one links and numbers without exceptions
extension LinkAggregation {
  /// Adds the numbers of some rows of a chunk to the rows to which their links lead, in a loop without other tests;
  /// returns false without adding any if more tests are necessary.
  private mutating func addPlain(_ values: Vector?, _ chunk: ColumnChunk, _ rows: Bitmap) -> Bool {
    guard case .links(let links) = chunk.values else { return false }
    var known = rows
    if let values {
      guard values.fallback == nil else { return false }
      if let nulls = values.nulls { known.subtract(nulls) }
      switch (values.values, operation) {
      case (.integers(.each(let numbers)), .sum), (.integers(.each(let numbers)), .avg),
        (.decimals(.each(let numbers), _), .sum):
        sum(numbers, links, known)
      case (.integers(.each(let numbers)), .min), (.decimals(.each(let numbers), _), .min):
        Self.best(numbers, links, known, &integers, &hasValue, <)
      case (.integers(.each(let numbers)), .max), (.decimals(.each(let numbers), _), .max):
        Self.best(numbers, links, known, &integers, &hasValue, >)
      case (.doubles(.each(let numbers)), .sum), (.doubles(.each(let numbers)), .avg):
        Self.eachPair(numbers, links, known, &doubles, &hasValue) { sums, owner, number, _ in
          sums[owner] += number
        }
      case (.doubles(.each(let numbers)), .min) where numbers.areFinite:
        Self.best(numbers, links, known, &doubles, &hasValue, <)
      case (.doubles(.each(let numbers)), .max) where numbers.areFinite:
        Self.best(numbers, links, known, &doubles, &hasValue, >)
      case (.integers, _), (.doubles, _), (.decimals, _), (.texts, _): return false
      }
    }
    if !counts.isEmpty { count(links, rows) }
    return true
  }

  private mutating func count(_ links: [UInt32], _ rows: Bitmap) {
    links.withUnsafeBufferPointer { links in
      counts.withUnsafeMutableBufferPointer { counts in
        rows.eachRow { if links[$0] != noRow { counts[Int(links[$0])] &+= 1 } }
      }
    }
  }

  private mutating func sum(_ numbers: [Int64], _ links: [UInt32], _ rows: Bitmap) {
    var overflown: [Int] = []
    Self.eachPair(numbers, links, rows, &integers, &hasValue) { sums, owner, number, _ in
      let (sum, overflow) = sums[owner].addingReportingOverflow(number)
      sums[owner] = sum
      if overflow { overflown.append(owner) }
    }
    for owner in overflown { fallback.insert(owner) }
  }

  @inline(__always)
  private static func best<Number: BitwiseCopyable>(
    _ numbers: [Number], _ links: [UInt32], _ rows: Bitmap, _ best: inout [Number],
    _ hasValue: inout Bitmap, _ isBetter: (Number, Number) -> Bool
  ) {
    eachPair(numbers, links, rows, &best, &hasValue) { best, owner, number, isFirst in
      if isFirst || isBetter(number, best[owner]) { best[owner] = number }
    }
  }

  /// Calls the body with the results so far, the row to which a link leads, a number for it, and whether it is the
  /// row's first.
  @inline(__always)
  private static func eachPair<Number: BitwiseCopyable>(
    _ numbers: [Number], _ links: [UInt32], _ rows: Bitmap, _ results: inout [Number],
    _ hasValue: inout Bitmap,
    _ body: (UnsafeMutableBufferPointer<Number>, Int, Number, Bool) -> Void
  ) {
    links.withUnsafeBufferPointer { links in
      numbers.withUnsafeBufferPointer { numbers in
        results.withUnsafeMutableBufferPointer { results in
          hasValue.words.withUnsafeMutableBufferPointer { known in
            rows.eachRow { row in
              guard links[row] != noRow else { return }
              let (owner, bit) = (Int(links[row]), UInt64(1) << UInt64(links[row] & 63))
              body(results, owner, numbers[row], known[owner >> 6] & bit == 0)
              known[owner >> 6] |= bit
            }
          }
        }
      }
    }
  }
}

extension [Double] {
  fileprivate var areFinite: Bool {
    var areFinite = true
    for number in self { areFinite = areFinite && number.isFinite }
    return areFinite
  }
}

extension LinkAggregation {
  var vector: Vector {
    let open = left
    var empty = hasValue
    empty.invert()
    let nulls = empty.isEmpty ? nil : empty
    switch (operation, kind) {
    case (.count, _): return Vector(.integers(.each(counts.map { Int64($0) })), fallback: open)
    case (.sum, .integer): return Vector(.integers(.each(integers)), fallback: open)
    case (.sum, .exact):
      return mixed(.decimals(.each(integers), places: places), integral: empty, open)
    case (_, .decimal):
      return Vector(.decimals(.each(integers), places: places), nulls: nulls, fallback: open)
    case (.sum, _): return mixed(.doubles(.each(doubles)), integral: empty, open)
    case (.avg, _): return mixed(.doubles(.each(means)), integral: Bitmap(counts) { $0 == 0 }, open)
    case (_, .text): return best(nulls, open)
    case (_, .double): return Vector(.doubles(.each(doubles)), nulls: nulls, fallback: open)
    default: return Vector(.integers(.each(integers)), nulls: nulls, fallback: open)
    }
  }

  /// Returns a mixed vector: without values, sums and means are the integer 0.
  private func mixed(_ values: Vector.Numbers, integral: Bitmap, _ fallback: Bitmap?) -> Vector {
    var result = Vector(values, fallback: fallback)
    result.integral = integral
    return result
  }

  /// The rows that are left to the reference evaluator.
  private var left: Bitmap? {
    var left = fallback
    if operation == .sum || operation == .avg {
      for owner in doubles.indices where !doubles[owner].isFinite { left.insert(owner) }
    }
    return left.isEmpty ? nil : left
  }

  /// The mean without values is 0; objects without a value count.
  private var means: [Double] {
    counts.indices.map { row in
      if counts[row] == 0 { return 0 }
      let sum = integers.isEmpty ? doubles[row] : Double(integers[row])
      return sum / Double(counts[row])
    }
  }

  private func best(_ nulls: Bitmap?, _ open: Bitmap?) -> Vector {
    let numbers = integers.map { UInt32(truncatingIfNeeded: $0) }
    return Vector(
      .texts(TextLane(texts: texts.texts.texts, places: .numbered(numbers))), nulls: nulls,
      fallback: open)
  }
}

extension ColumnChunk {
  /// Calls the body with each of some rows and each row to which it leads.
  @inline(__always)
  fileprivate func forEachPair(from rows: Bitmap, _ body: (Int, Int) -> Void) {
    switch values {
    case .links(let links):
      rows.eachRow { if links[$0] != noRow { body($0, Int(links[$0])) } }
    case .linkLists(let lists):
      rows.eachRow { row in for place in lists.range(row) { body(row, Int(lists.rows[place])) } }
    case .integers, .doubles, .bytes, .codes, .text: break
    }
  }
}

/// An aggregate of the objects of a row: `items.@count`, `items.@max.dueDate`, `SUBQUERY(items, $i, $i.done ==
/// NO).@sum.estimate`.
///
/// All rows of the table are computed in one pass over the links, on first use.
struct SummaryNode: VectorNode {
  let kind: VectorKind
  private let worth: LazyValue<Vector>
  private let inner: (any VectorNode)?
  let costForAll: Double

  /// The aggregate of the related objects.
  enum Operation: String, Sendable {
    case count, sum, avg, min, max
  }

  /// The related objects, and a filter for them.
  struct Elements: Sendable {
    let link: ToManyLink
    let here: Table
    let there: Table
    let cancel: CancelFlag
    /// A filter of the objects; nil for all.
    var filter: Filter?
  }

  init?(_ operation: Operation, _ elements: Elements, _ inner: (any VectorNode)?) {
    guard let kind = SummaryNode.kind(operation, inner?.kind) else { return nil }
    (self.kind, self.inner) = (kind, inner)
    let each = 6 + (inner?.cost ?? 0) + (elements.filter?.cost ?? 0)
    costForAll = (inner?.costForAll ?? 0) + Double(elements.there.count) * each
    worth = LazyValue {
      var summing = LinkAggregation(operation, kind, elements, inner)
      summing.addAll()
      return summing.vector
    }
  }

  /// Returns the kind of an aggregate of values, or of objects; nil if it has none.
  static func kind(_ operation: Operation, _ inner: VectorKind?) -> VectorKind? {
    switch (operation, inner) {
    case (.count, nil), (.sum, .integer?): .integer
    // Without values, these are an integer.
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
  var neverFallsBack: Bool { false }

  func prepare() { _ = worth.value }
  func vector(_ rows: ChunkRows) -> Vector { worth.value.chunk(rows) }
}
