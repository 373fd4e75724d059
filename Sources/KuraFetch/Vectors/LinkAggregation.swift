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
  /// Instead of the integers, those of decimals of 128 bits; empty without such decimals.
  private var longIntegers: [Int128] = []
  /// For decimals, the number of digits of the integers after the decimal point.
  private var places = 0
  private var doubles: [Double] = []
  /// All texts; each row keeps the number of its best one.
  private var texts = Vector.none(.text)
  private var hasValue: Bitmap
  private var fallback: Bitmap
  /// Of mixed numbers, the rows whose result is an integer.
  private var integral: Bitmap
  /// The rows with nil instead of a list.
  private var withoutList: Bitmap?
  /// The numbers of all objects, for an aggregate that needs them at once.
  private var gathered: GatheredNumbers?

  init(
    _ operation: SummaryNode.Operation, _ kind: VectorKind, _ elements: SummaryNode.Elements,
    _ inner: (any VectorNode)?
  ) {
    (self.operation, self.kind, self.elements) = (operation, kind, elements)
    self.inner = inner
    let rows = elements.here.count
    hasValue = Bitmap(count: rows)
    fallback = Bitmap(count: rows)
    integral = Bitmap(count: rows, filledWith: operation == .sum)
    gathered = GatheredNumbers(operation, inner?.kind)
    if operation == .count || operation == .avg { counts = Array(repeating: 0, count: rows) }
    switch operation.isGathered ? nil : inner?.kind {
    case .double?, .mixed?: doubles = Array(repeating: 0, count: rows)
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
    if let inner, inner.kind.hasTexts {
      // One more text, for rows without a text.
      texts = inner.whole(elements.there).adding(.null, inner.kind)
    }
    switch elements.link {
    case .toMany(.inverse(let column)): addInverse(column)
    case .toMany(.lists(let column)):
      addLists(elements.here.columns[column].chunks.map(\.linkLists))
    case .path(let path): addPath(path)
    case .json(let list): addElements(list)
    }
  }

  private mutating func addInverse(_ column: Int) {
    let empty = self
    let parts = Workers.states(
      count: elements.there.chunkCount, inParallel: isInAnyOrder && elements.there.count > 200_000,
      { empty }
    ) { part, number in
      let rows = part.elements.there.liveChunk(number)
      if !part.elements.cancel.isRequested, let linked = LinkedRows(rows.chunk(column)) {
        part.add(rows, linked)
      }
    }
    for (number, part) in parts.enumerated() {
      if number == 0 { self = part } else { add(part) }
    }
  }

  /// Whether the objects can be visited in any order. Doubles cannot: their sum must equal the reference evaluator's.
  private var isInAnyOrder: Bool {
    if kind.hasTexts || kind.hasDecimals || inner?.kind == .mixed || operation.isGathered {
      return false
    }
    return doubles.isEmpty || operation == .min || operation == .max
  }

  /// Adds the result of another core: a value for each row.
  private mutating func add(_ other: LinkAggregation) {
    fallback.formUnion(other.fallback)
    for row in counts.indices { counts[row] &+= other.counts[row] }
    let rows = LinkedRows.links((0..<hasValue.count).map { UInt32(truncatingIfNeeded: $0) })
    let values: Vector.Numbers =
      doubles.isEmpty ? .integers(.each(other.integers)) : .doubles(.each(other.doubles))
    add(Vector(values), of: other.hasValue, rows)
  }

  /// Adds the rows that pass the filter.
  private mutating func add(_ rows: ChunkRows, _ linked: LinkedRows) {
    let objects = passing(elements.filter?.kernelAnswer(rows), rows.candidates, linked)
    count(objects, linked)
    if var values = kind.hasTexts ? texts.chunk(rows) : inner?.vector(rows) {
      align(&values, rows.count)
      add(values, of: objects, linked, from: rows.number << ColumnChunk.shift)
    }
  }

  private mutating func addElements(_ list: JSONList) {
    var nils = Bitmap(count: elements.here.count)
    for number in 0..<elements.here.chunkCount where !elements.cancel.isRequested {
      let first = number << ColumnChunk.shift
      guard let keyed = list.keyed(number), let owners = keyed.rowsOfElements(from: first) else {
        elements.here.liveRows(inChunk: number).eachRow { fallback.insert(first + $0) }
        continue
      }
      keyed.unlisted?.eachRow { fallback.insert(first + $0) }
      keyed.withoutList?.eachRow { nils.insert(first + $0) }
      let all = Bitmap(count: owners.count, filledWith: true)
      let rows = ChunkRows(table: elements.there, number: number, candidates: all)
      add(rows, .links(owners))
    }
    if !elements.nilIsEmpty { withoutList = nils }
  }

  private mutating func addPath(_ path: LinkPath) {
    let found = path.lists
    // Nil changes neither a sum nor what is least or greatest.
    let ignoresNil =
      elements.filter == nil && inner != nil && operation != .count && operation != .avg
    for (number, part) in found.enumerated() {
      let open = part.open.union(ignoresNil ? nil : part.withNil)
      open.eachRow { fallback.insert(number << ColumnChunk.shift + $0) }
    }
    addLists(found.map(\.lists))
  }

  private mutating func addLists(_ all: [LinkLists?]) {
    if inner == nil, elements.filter == nil { return countLists(all) }
    var tally = FilterTally()
    let answer = elements.filter?.whole(elements.there, elements.cancel, &tally)
    let objects = Bitmap(count: elements.there.count, filledWith: true)
    var values = kind.hasTexts ? texts : inner?.whole(elements.there)
    if var aligned = values {
      align(&aligned, elements.there.count)
      values = aligned
    }
    for (number, lists) in all.enumerated() where !elements.cancel.isRequested {
      guard let lists else { continue }
      let linked = LinkedRows.ownLists(
        lists, of: elements.here.liveRows(inChunk: number), from: number << ColumnChunk.shift,
        elements.cancel)
      let passing = passing(answer, objects, linked)
      count(passing, linked)
      if let values { add(values, of: passing, linked) }
    }
  }

  /// Returns the objects that pass the filter; leaves the rows of undecided objects to the reference evaluator.
  private mutating func passing(
    _ answer: KernelAnswer?, _ all: Bitmap, _ linked: LinkedRows
  ) -> Bitmap {
    if let open = answer?.fallback { linked.forEach(of: open) { fallback.insert($1) } }
    return answer?.passing ?? all
  }

  private var isLong: Bool { !longIntegers.isEmpty }

  /// The results that are decimals.
  private var decimals: Vector.Numbers {
    isLong
      ? .longDecimals(.each(longIntegers), places: places)
      : .decimals(.each(integers), places: places)
  }

  /// Aligns the sums and the next values to one scale.
  private mutating func align(_ values: inout Vector, _ count: Int) {
    guard kind.hasDecimals, !operation.isGathered else { return }
    let (mine, others) = Vector.aligned((Vector(decimals), hasValue.count), (values, count))
    fallback = fallback.union(mine.fallback)
    switch mine.values {
    case .decimals(.each(let aligned), let aligns) where aligns != places:
      (integers, places) = (aligned, aligns)
    case .longDecimals(.each(let aligned), let aligns) where aligns != places || !isLong:
      (integers, longIntegers, places) = ([], aligned, aligns)
    default: break
    }
    let integral = values.integral
    values = others
    values.integral = integral
  }
}

/// The links between objects and the rows that aggregate them.
enum LinkedRows {
  /// The row of each object; `noRow` for none.
  case links([UInt32])
  /// The rows of each object.
  case lists(LinkLists)
  /// The objects of each of some rows, numbered from a first one.
  case ownLists(LinkLists, of: Bitmap, from: Int, CancelFlag)

  /// Creates the links of a chunk of objects.
  init?(_ chunk: ColumnChunk) {
    if let links = chunk.links {
      self = .links(links)
    } else if let lists = chunk.linkLists {
      self = .lists(lists)
    } else {
      return nil
    }
  }

  /// Calls the body with each of some objects and each of its rows.
  @inline(__always)
  func forEach(of objects: Bitmap, _ body: (_ object: Int, _ row: Int) -> Void) {
    switch self {
    case .links(let links):
      links.withUnsafeBufferPointer { links in
        objects.eachRow { if links[$0] != noRow { body($0, Int(links[$0])) } }
      }
    case .lists(let lists):
      lists.rows.withUnsafeBufferPointer { rows in
        objects.eachRow { object in
          for place in lists.range(object) { body(object, Int(rows[place])) }
        }
      }
    case .ownLists(let lists, let owners, let first, let cancel):
      lists.rows.withUnsafeBufferPointer { elements in
        owners.eachRow { row in
          if cancel.isRequested { return }
          for place in lists.range(row) where objects.has(Int(elements[place])) {
            body(Int(elements[place]), first + row)
          }
        }
      }
    }
  }
}

// Lengths of lists
extension LinkAggregation {
  private mutating func countLists(_ all: [LinkLists?]) {
    let here = elements.here
    for (number, lists) in all.enumerated() {
      guard let lists else { continue }
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

// Adding values
extension LinkAggregation {
  private mutating func count(_ objects: Bitmap, _ linked: LinkedRows) {
    if counts.isEmpty { return }
    counts.withUnsafeMutableBufferPointer { counts in
      linked.forEach(of: objects) { counts[$1] &+= 1 }
    }
  }

  /// Adds the values of some objects to their rows; `first`: the number of the first text.
  private mutating func add(
    _ values: Vector, of objects: Bitmap, _ linked: LinkedRows, from first: Int = 0
  ) {
    var known = objects.subtracting(values.nulls)
    let unclear = inner?.kind == .mixed ? inexact(values, known.count) : nil
    if let open = values.fallback.union(unclear).union(unordered(values, known.count))?
      .intersection(known)
    {
      known.subtract(open)
      linked.forEach(of: open) { fallback.insert($1) }
    }
    if gathered?.add(values, of: known, linked) != nil { return }
    let isLeast = operation == .min
    switch (values.values, operation) {
    case (.integers(let lane), .sum), (.integers(let lane), .avg), (.decimals(let lane, _), .sum):
      Self.addUp(lane, known, linked, &integers, &hasValue, .max, &fallback)
      if inner?.kind == .exact { noteIntegers(values, known, linked) }
    case (.longDecimals(let lane, _), .sum):
      // The reference evaluator rounds greater sums.
      let greatest = Int128.power(Int128.mostPlaces) - 1
      Self.addUp(lane, known, linked, &longIntegers, &hasValue, greatest, &fallback)
      if inner?.kind == .exact { noteIntegers(values, known, linked) }
    case (.doubles(let lane), .sum), (.doubles(let lane), .avg):
      Self.forEach(lane, known, linked, &doubles, &hasValue) { sums, row, number, _, _ in
        sums[row] += number
      }
      if inner?.kind == .mixed { noteIntegers(values, known, linked) }
    case (.integers(let lane), _), (.decimals(let lane, _), _):
      best(lane, of: known, linked, \.integers, values.integral)
    case (.longDecimals(let lane, _), _):
      best(lane, of: known, linked, \.longIntegers, values.integral)
    case (.doubles(let lane), _): best(lane, of: known, linked, \.doubles, values.integral)
    case (.texts, _):
      let numbers = Lane.each((first..<first + known.count).map { Int64($0) })
      let views = texts.texts.texts
      views.withAccess { texts in
        let isLess = { (a: Int64, b: Int64) in
          Bytes.compare(texts[Int(a)], texts[Int(b)]) == .before
        }
        Self.best(numbers, known, linked, &integers, &hasValue, isLeast, isLess) { _, _ in }
      }
    }
  }

  /// Adds numbers to the sums of their rows; rows with a sum beyond the greatest are left to the reference evaluator.
  @inline(__always)
  private static func addUp<Number: DecimalInteger>(
    _ lane: Lane<Number>, _ objects: Bitmap, _ linked: LinkedRows, _ sums: inout [Number],
    _ hasValue: inout Bitmap, _ greatest: Number, _ fallback: inout Bitmap
  ) {
    forEach(lane, objects, linked, &sums, &hasValue) { sums, row, number, _, _ in
      let (sum, overflow) = sums[row].addingReportingOverflow(number)
      sums[row] = sum
      if overflow || Number.bitWidth > 64 && sum.magnitude > greatest.magnitude {
        fallback.insert(row)
      }
    }
  }

  /// Records the least or greatest numbers, and which of them are integers.
  private mutating func best<Number: BitwiseCopyable & Sendable & Comparable>(
    _ lane: Lane<Number>, of objects: Bitmap, _ linked: LinkedRows,
    _ bests: WritableKeyPath<Self, [Number]>, _ integers: Bitmap?
  ) {
    var (marks, results) = (Bitmap(count: 0), [Number]())
    swap(&marks, &integral)
    swap(&results, &self[keyPath: bests])
    Self.best(lane, objects, linked, &results, &hasValue, operation == .min, <) { row, object in
      if let integers { marks[row] = integers.has(object) }
    }
    swap(&results, &self[keyPath: bests])
    swap(&marks, &integral)
  }

  /// Records which sums are integers.
  private mutating func noteIntegers(_ values: Vector, _ objects: Bitmap, _ linked: LinkedRows) {
    linked.forEach(of: objects.subtracting(values.integral)) { integral[$1] = false }
  }

  /// Returns the rows of mixed numbers that may be integers whose sum is not exact as a double.
  private func inexact(_ values: Vector, _ count: Int) -> Bitmap? {
    guard let integers = values.integral else { return Bitmap(count: count, filledWith: true) }
    if operation == .min || operation == .max { return nil }
    return values.doubles.rows(count) { $0.magnitude > Self.mostExact }.intersection(integers)
  }

  /// The sums of two million integers up to this one are exact as doubles.
  private static let mostExact = Double(1 << 32)

  /// Returns the rows whose values the loop cannot order: NaN and the infinities, and -0 for aggregates that choose one
  /// of several equal values.
  private func unordered(_ values: Vector, _ count: Int) -> Bitmap? {
    guard case .doubles(let lane) = values.values, operation != .sum, operation != .avg else {
      return nil
    }
    let isGathered = operation.isGathered
    return lane.rows(count) { !$0.isFinite || isGathered && $0 == 0 && $0.sign == .minus }
  }

  @inline(__always)
  private static func best<Number: BitwiseCopyable & Sendable>(
    _ numbers: Lane<Number>, _ objects: Bitmap, _ linked: LinkedRows, _ best: inout [Number],
    _ hasValue: inout Bitmap, _ isLeast: Bool, _ isLess: (Number, Number) -> Bool,
    _ chosen: (_ row: Int, _ object: Int) -> Void
  ) {
    forEach(numbers, objects, linked, &best, &hasValue) { best, row, number, object, isFirst in
      if isFirst || (isLeast ? isLess(number, best[row]) : isLess(best[row], number)) {
        best[row] = number
        chosen(row, object)
      }
    }
  }

  /// Calls the body with the results so far, a row, the number of one of its objects, that object, and whether it is the
  /// row's first.
  @inline(__always)
  private static func forEach<Number: BitwiseCopyable & Sendable>(
    _ numbers: Lane<Number>, _ objects: Bitmap, _ linked: LinkedRows, _ results: inout [Number],
    _ hasValue: inout Bitmap,
    _ body: (UnsafeMutableBufferPointer<Number>, Int, Number, Int, Bool) -> Void
  ) {
    numbers.spread(objects.count).withUnsafeBufferPointer { numbers in
      results.withUnsafeMutableBufferPointer { results in
        hasValue.words.withUnsafeMutableBufferPointer { known in
          linked.forEach(of: objects) { object, row in
            let bit = UInt64(1) << UInt64(row & 63)
            body(results, row, numbers[object], object, known[row >> 6] & bit == 0)
            known[row >> 6] |= bit
          }
        }
      }
    }
  }
}

extension LinkAggregation {
  var vector: Vector {
    var result = vector(without: hasValue.negated(true))
    result.nulls = result.nulls.union(withoutList)
    return result
  }

  private func vector(without empty: Bitmap) -> Vector {
    let open = left
    if let gathered {
      var result = gathered.vector(count: empty.count, elements.cancel)
      result.fallback = result.fallback.union(open)
      return result
    }
    let nulls = empty.nonEmpty
    switch (operation, kind) {
    case (.count, _): return Vector(.integers(.each(counts.map { Int64($0) })), fallback: open)
    case (.sum, .integer): return Vector(.integers(.each(integers)), fallback: open)
    case (_, .exact):
      let integral = inner?.kind == .exact ? integral : empty
      var result = mixed(decimals, integral: integral, open)
      if operation != .sum { result.nulls = nulls }
      return result.leavingLong(hasValue.count)
    case (_, .decimal):
      return Vector(decimals, nulls: nulls, fallback: open)
    case (.sum, _):
      let integral = inner?.kind == .mixed ? integral : empty
      return mixed(.doubles(.each(doubles)), integral: integral, open)
    case (.avg, _): return mixed(.doubles(.each(means)), integral: Bitmap(counts) { $0 == 0 }, open)
    case _ where kind.hasTexts: return best(nulls, open)
    case (_, .double): return Vector(.doubles(.each(doubles)), nulls: nulls, fallback: open)
    case (_, .mixed):
      var result = mixed(.doubles(.each(doubles)), integral: integral, open)
      result.nulls = nulls
      return result
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
    return left.nonEmpty
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

/// An aggregate of the objects of a row: `items.@count`, `items.@max.dueDate`, `SUBQUERY(items, $i, $i.done ==
/// NO).@sum.estimate`.
///
/// All rows of the table are computed in one pass over the links, on first use.
struct SummaryNode: VectorNode {
  let kind: VectorKind
  private let worth: LazyValue<Vector>
  private let inner: (any VectorNode)?
  let costForAll: Double
  let linksForAll: Double

  /// The aggregate of the related objects.
  enum Operation: Sendable, Equatable {
    case count, sum, avg, min, max
    case median, deviation
    case percentile(Double)
  }

  /// The related objects, and a filter for them.
  struct Elements: Sendable {
    var link: Link
    let here: Table
    let there: Table
    /// The number of objects.
    let count: Int
    let cancel: CancelFlag
    /// A filter of the objects; nil for all.
    var filter: Filter?
    /// Whether nil instead of a list in JSON is a list without elements.
    var nilIsEmpty = false

    enum Link {
      case toMany(ToManyLink)
      case path(LinkPath)
      /// Lists in JSON. The other table is empty: the elements have no columns.
      case json(JSONList)
    }
  }

  init?(_ operation: Operation, _ elements: Elements, _ inner: (any VectorNode)?) {
    guard let kind = SummaryNode.kind(operation, inner?.kind) else { return nil }
    if case .json = elements.link, kind.hasTexts { return nil }
    (self.kind, self.inner) = (kind, inner)
    let each = 6 + (inner?.cost ?? 0) + (elements.filter?.cost ?? 0)
    costForAll = (inner?.costForAll ?? 0) + Double(elements.count) * each
    linksForAll = (inner?.linksForAll ?? 0) + Double(elements.count)
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
    case (.median, .integer?), (.percentile, .integer?): .mixed
    case (.median, let kind?), (.percentile, let kind?):
      kind == .double || kind == .decimal ? kind : nil
    case (.deviation, let kind): kind == .integer || kind == .double ? .double : nil
    // Without values, these are an integer.
    case (.sum, .double?), (.avg, .integer?), (.avg, .double?): .mixed
    case (_, .mixed?) where operation != .count: .mixed
    case (.sum, .decimal?), (.sum, .exact?), (.min, .exact?), (.max, .exact?): .exact
    case (.min, .integer?), (.max, .integer?): .integer
    case (.min, .decimal?), (.max, .decimal?): .decimal
    case (.min, .date?), (.max, .date?): .date
    case (.min, .double?), (.max, .double?): .double
    case (.min, let kind?) where kind.hasOrderOfTexts, (.max, let kind?) where kind.hasOrderOfTexts:
      kind
    default: nil
    }
  }

  var parts: [any VectorNode] { inner.map { [$0] } ?? [] }
  var cost: Double { 2 }
  var neverFallsBack: Bool { false }

  func prepare() { _ = worth.value }
  func vector(_ rows: ChunkRows) -> Vector { worth.value.chunk(rows) }
}
