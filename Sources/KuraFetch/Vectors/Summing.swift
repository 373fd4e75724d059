import KuraGraph
import KuraValues

/// The summaries of all rows, as they come to be.
struct Summing {
  let operation: SummaryNode.Operation
  let kind: VectorKind
  private let elements: SummaryNode.Elements
  private let inner: (any VectorNode)?
  /// How many objects each row has, those without a value too.
  var counts: [UInt32]
  var integers: [Int64] = []
  /// Of decimals: how many digits of the integers stand after the point.
  private var places = 0
  private var doubles: [Double] = []
  /// All texts, of which each row keeps the number of its best.
  private var texts = Vector.none(.text)
  var hasValue: Bitmap
  var unsure: Bitmap

  init(
    _ operation: SummaryNode.Operation, _ kind: VectorKind, _ elements: SummaryNode.Elements,
    _ inner: (any VectorNode)?
  ) {
    (self.operation, self.kind, self.elements) = (operation, kind, elements)
    self.inner = inner
    let rows = elements.here.count
    counts = Array(repeating: 0, count: rows)
    hasValue = Bitmap(count: rows)
    unsure = Bitmap(count: rows)
    switch inner?.kind {
    case .double?: doubles = Array(repeating: 0, count: rows)
    case nil: break
    default: integers = Array(repeating: 0, count: rows)
    }
  }
}

extension Summing {
  /// Goes over all links, in the order in which each row has its objects.
  mutating func addAll() {
    if let inner, inner.kind == .text {
      // One more, so that a row without any has something to stand at.
      texts = inner.whole(elements.there).adding(.null, .text)
    }
    switch elements.link {
    case .inverse(let column): addInverse(column)
    case .lists(let column): addLists(column)
    case .toOne: break
    }
  }

  private mutating func addInverse(_ column: Int) {
    let there = elements.there
    for number in 0..<there.chunkCount {
      let first = number << ColumnChunk.shift
      let rows = ChunkRows(
        table: there, number: number, candidates: there.liveRows(inChunk: number))
      var values = inner?.vector(rows)
      if kind == .text { values = texts }
      align(&values, rows.count)
      var wanted = rows.candidates
      if let answer = elements.filter?.kernelAnswer(rows) {
        leaveOpen(answer, rows, column)
        wanted.formIntersection(answer.passing)
      }
      if addPlain(values, rows.chunk(column), wanted) { continue }
      let base = kind == .text ? first : 0
      rows.chunk(column).forEachPair(from: wanted) { add($0 + base, values, to: $1) }
    }
  }

  /// Brings what was added and what is to be added to one scale.
  private mutating func align(_ values: inout Vector?, _ count: Int) {
    guard let next = values, kind.hasDecimals else { return }
    let known = Vector(.decimals(.each(integers), places: places))
    let (mine, others) = Vector.aligned((known, integers.count), (next, count))
    if let open = mine.unsure { unsure.formUnion(open) }
    if case .decimals(.each(let aligned), let aligns) = mine.values, aligns != places {
      (integers, places) = (aligned, aligns)
    }
    values = others
  }

  /// Whoever has an object of which only the reference evaluator knows whether it counts is open.
  private mutating func leaveOpen(_ answer: KernelAnswer, _ rows: ChunkRows, _ column: Int) {
    guard var open = answer.unsure else { return }
    open.formIntersection(rows.candidates)
    rows.chunk(column).forEachLink(from: open) { unsure.insert($0) }
  }

  private mutating func addLists(_ column: Int) {
    var values = kind == .text ? texts : inner?.whole(elements.there)
    align(&values, elements.there.count)
    let answer = elements.filter?.whole(elements.there)
    for number in 0..<elements.here.chunkCount {
      let first = number << ColumnChunk.shift
      let live = elements.here.liveRows(inChunk: number)
      elements.here.columns[column].chunks[number].forEachPair(from: live) { row, element in
        if answer?.unsure?.has(element) == true { unsure.insert(first + row) }
        if answer?.passing.has(element) != false { add(element, values, to: first + row) }
      }
    }
  }

  @inline(__always)
  private mutating func add(_ row: Int, _ values: Vector?, to owner: Int) {
    counts[owner] &+= 1
    guard let values else { return }
    if values.unsure?.has(row) == true { return unsure.insert(owner) }
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
      if overflow { unsure.insert(owner) }
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
    if !doubles[owner].isFinite || !number.isFinite { unsure.insert(owner) }
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

extension Summing {
  var vector: Vector {
    let open = unsure.isEmpty ? nil : unsure
    var empty = hasValue
    empty.invert()
    let nulls = empty.isEmpty ? nil : empty
    switch (operation, kind) {
    case (.count, _): return Vector(.integers(.each(counts.map { Int64($0) })), unsure: open)
    case (.sum, .integer): return Vector(.integers(.each(integers)), unsure: open)
    case (.sum, .exact): return Vector(.decimals(.each(integers), places: places), unsure: open)
    case (_, .decimal):
      return Vector(.decimals(.each(integers), places: places), nulls: nulls, unsure: open)
    case (.sum, _): return Vector(.doubles(.each(doubles)), unsure: open)
    case (.avg, _): return Vector(.doubles(.each(means)), unsure: open)
    case (_, .text): return best(nulls, open)
    case (_, .double): return Vector(.doubles(.each(doubles)), nulls: nulls, unsure: open)
    default: return Vector(.integers(.each(integers)), nulls: nulls, unsure: open)
    }
  }

  /// The mean of nothing is 0; objects without a value count.
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
      unsure: open)
  }
}

extension ColumnChunk {
  /// Calls the body with each of some rows and each row that it leads to.
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

extension Filter {
  /// What its kernels say of all rows of a table.
  func whole(_ table: Table) -> KernelAnswer {
    var (passing, unsure) = (Bitmap(count: table.count), Bitmap(count: table.count))
    for number in 0..<table.chunkCount {
      let rows = ChunkRows(
        table: table, number: number, candidates: table.liveRows(inChunk: number))
      let answer = kernelAnswer(rows)
      let first = number << ColumnChunk.shift
      answer.passing.eachRow { passing.insert(first + $0) }
      answer.unsure?.eachRow { unsure.insert(first + $0) }
    }
    return KernelAnswer(passing: passing, unsure: unsure.isEmpty ? nil : unsure)
  }
}
