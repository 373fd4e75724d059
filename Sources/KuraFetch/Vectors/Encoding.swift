import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Synchronization

/// Codes that represent the values of a table's rows: dictionary codes, distances from a base, destination rows of
/// links, or combinations of these.
///
/// A predicate or an expression that depends only on encoded values is evaluated once per code, in a table in which
/// each code is a row, and its results are gathered by code.
struct Encoding: Sendable {
  let source: Source
  /// The number of codes. The last code represents rows without a value, and links that lead to no object.
  let count: Int

  indirect enum Source: Sendable {
    case cells(Column)
    /// Integers or dates as distances from a common base.
    case frame(FrameOfReference)
    /// All combinations of the codes of several encodings.
    case product([Encoding])
  }

  /// Uses the cells of a column as codes, from 0 to `values` - 1.
  init(cells column: Column, values: Int) { (source, count) = (.cells(column), values + 1) }

  init(_ frame: FrameOfReference) { (source, count) = (.frame(frame), frame.count + 1) }

  /// Encodes the entity of each row by its place in the layout.
  init(entitiesOf table: Table) {
    let chunks = (0..<table.chunkCount).map { number -> ColumnChunk in
      let rows = table.rows(inChunk: number)
      let sole = UInt16(truncatingIfNeeded: table.soleEntity)
      return ColumnChunk(
        .codes(
          table.entityCodes.map { Array($0[rows]) } ?? Array(repeating: sole, count: rows.count)))
    }
    self.init(
      cells: Column(.attribute(.string), chunks: chunks), values: table.layout.entities.count)
  }

  init(product parts: [Encoding]) {
    (source, count) = (.product(parts), parts.reduce(1) { $0 * $1.count })
  }

  /// The approximate number of nanoseconds that a row takes.
  var cost: Double {
    switch source {
    case .cells: 0.5
    case .frame: 1
    case .product: 4
    }
  }
}

extension Encoding {
  func codes(_ chunk: Int) -> ChunkCodes {
    let last = UInt32(truncatingIfNeeded: count - 1)
    switch source {
    case .cells(let column): return ChunkCodes(column.chunks[chunk], last: last)
    case .frame(let frame): return frame.codes(chunk)
    case .product(let parts):
      var codes = parts[0].codes(chunk).numbers
      for part in parts.dropFirst() {
        let size = UInt32(truncatingIfNeeded: part.count)
        codes.withUnsafeMutableBufferPointer { codes in
          for row in codes.indices { codes[row] = codes[row] &* size }
          part.codes(chunk).add(nil, times: 1, to: codes)
        }
      }
      return ChunkCodes(.numbers(codes), last: last)
    }
  }

  func code(of row: Int) -> Int {
    let (chunk, place) = (row >> ColumnChunk.shift, row & ColumnChunk.mask)
    switch source {
    case .product(let parts): return parts.reduce(0) { $0 * $1.count + $1.code(of: row) }
    case .frame(let frame): return frame.code(chunk, place)
    case .cells(let column):
      let cells = column.chunks[chunk]
      if case .links = cells.compactValues { return min(column.link(row) ?? count - 1, count - 1) }
      guard let kept = cells.place(of: place) else { return count - 1 }
      switch cells.compactValues {
      case .bytes(let codes): return min(Int(codes[kept]), count - 1)
      case .codes(let codes): return min(Int(codes[kept]), count - 1)
      case .integers, .doubles, .text, .links, .linkLists: return count - 1
      }
    }
  }
}

/// The codes of a chunk's rows as they are stored, each a distance from `offset`.
struct ChunkCodes {
  private let cells: Cells
  let offset: UInt32
  /// The rows with the last code, regardless of their cell.
  let nulls: Bitmap?
  /// The last code; greater cells are equivalent to it.
  let last: UInt32

  enum Cells {
    case bytes([UInt8])
    case words([UInt16])
    case numbers([UInt32])
  }

  init(_ cells: Cells, offset: UInt32 = 0, nulls: Bitmap? = nil, last: UInt32) {
    (self.cells, self.offset, self.nulls, self.last) = (cells, offset, nulls, last)
  }

  /// Uses the cells of a chunk as codes. Links need no nulls: a link without an object has no row.
  fileprivate init(_ chunk: ColumnChunk, last: UInt32) {
    switch chunk.values {
    case .bytes(let codes): self.init(.bytes(codes), nulls: chunk.nulls, last: last)
    case .codes(let codes): self.init(.words(codes), nulls: chunk.nulls, last: last)
    case .links(let links): self.init(.numbers(links), last: last)
    case .integers, .doubles, .text, .linkLists:
      self.init(.numbers(Array(repeating: last, count: chunk.count)), last: last)
    }
  }
}

extension ChunkCodes {
  /// One code per row.
  var numbers: [UInt32] { mapped { $0 } }

  /// Returns the element of each row's code; `elements` has one per code.
  func gathered<Element: BitwiseCopyable>(_ elements: [Element]) -> [Element] {
    elements.withUnsafeBufferPointer { elements in mapped { elements[Int($0)] } }
  }

  @inline(__always)
  private func mapped<Element>(_ element: (UInt32) -> Element) -> [Element] {
    switch cells {
    case .bytes(let cells): mapped(cells, element)
    case .words(let cells): mapped(cells, element)
    case .numbers(let cells): mapped(cells, element)
    }
  }

  @inline(__always)
  private func mapped<Cell: FixedWidthInteger & UnsignedInteger, Element>(
    _ cells: [Cell], _ element: (UInt32) -> Element
  ) -> [Element] {
    let (offset, last) = (offset, last)
    var result = [Element](unsafeUninitializedCapacity: cells.count) { result, filled in
      guard let start = result.baseAddress else { return }
      cells.withUnsafeBufferPointer { cells in
        for row in cells.indices {
          let code = min(UInt32(truncatingIfNeeded: cells[row]) &+ offset, last)
          (start + row).initialize(to: element(code))
        }
      }
      filled = cells.count
    }
    nulls?.eachRow { result[$0] = element(last) }
    return result
  }

  /// Returns the rows with a code that passes a test.
  @inline(__always)
  func rows(where test: (UInt32) -> Bool) -> Bitmap {
    let (offset, last) = (offset, last)
    let rows =
      switch cells {
      case .bytes(let cells): Bitmap(cells) { test(min(UInt32($0) &+ offset, last)) }
      case .words(let cells): Bitmap(cells) { test(min(UInt32($0) &+ offset, last)) }
      case .numbers(let cells): Bitmap(cells) { test(min($0 &+ offset, last)) }
      }
    return nulls == nil ? rows : rows.settingNulls(nulls, to: test(last))
  }

  /// Returns the rows with a code that has the flag 1.
  func rows(of flags: [UInt8]) -> Bitmap {
    flags.withUnsafeBufferPointer { flags in rows { flags[Int($0)] == 1 } }
  }

  /// Returns the rows with a code in one of a few ranges; `nullPasses` is the answer for the last code.
  func rows(in ranges: [ClosedRange<Int64>], nullPasses: Bool) -> Bitmap {
    let low = Int64(offset)
    let cellRanges = ranges.filter { $0.upperBound >= low }.map {
      max(0, $0.lowerBound - low)...($0.upperBound - low)
    }
    let rows =
      switch cells {
      case .bytes(let cells): Bitmap(cells, in: cellRanges.clamped())
      case .words(let cells): Bitmap(cells, in: cellRanges.clamped())
      case .numbers: self.rows { code in ranges.contains { $0 ~= Int64(code) } }
      }
    return rows.settingNulls(nulls, to: nullPasses)
  }

  /// Adds each row's code, or the value that the code has, times a stride to a number per row.
  func add(
    _ values: [UInt32]?, times stride: UInt32, to slots: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard let values else { return add(times: stride, to: slots) { $0 } }
    values.withUnsafeBufferPointer { values in
      add(times: stride, to: slots) { values[Int($0)] }
    }
  }

  @inline(__always)
  private func add(
    times stride: UInt32, to slots: UnsafeMutableBufferPointer<UInt32>,
    _ value: (UInt32) -> UInt32
  ) {
    switch cells {
    case .bytes(let cells): add(cells, stride, slots, value)
    case .words(let cells): add(cells, stride, slots, value)
    case .numbers(let cells): add(cells, stride, slots, value)
    }
  }

  @inline(__always)
  private func add<Cell: FixedWidthInteger & UnsignedInteger>(
    _ cells: [Cell], _ stride: UInt32, _ slots: UnsafeMutableBufferPointer<UInt32>,
    _ value: (UInt32) -> UInt32
  ) {
    let (offset, last) = (offset, last)
    cells.withUnsafeBufferPointer { cells in
      for row in 0..<min(cells.count, slots.count) {
        let code = min(UInt32(truncatingIfNeeded: cells[row]) &+ offset, last)
        slots[row] &+= value(code) &* stride
      }
      nulls?.eachRow { row in
        guard row < slots.count else { return }
        let code = min(UInt32(truncatingIfNeeded: cells[row]) &+ offset, last)
        slots[row] &+= (value(last) &- value(code)) &* stride
      }
    }
  }

  /// Calls the body with the place of each of some rows and the row's code.
  @inline(__always)
  func forEach(_ rows: [UInt16], _ body: (Int, UInt32) -> Void) {
    switch cells {
    case .bytes(let cells): forEach(rows, cells, body)
    case .words(let cells): forEach(rows, cells, body)
    case .numbers(let cells): forEach(rows, cells, body)
    }
  }

  @inline(__always)
  private func forEach<Cell: FixedWidthInteger & UnsignedInteger>(
    _ rows: [UInt16], _ cells: [Cell], _ body: (Int, UInt32) -> Void
  ) {
    let (offset, last) = (offset, last)
    cells.withUnsafeBufferPointer { cells in
      rows.withUnsafeBufferPointer { rows in
        guard let nulls else {
          for place in rows.indices {
            body(place, min(UInt32(truncatingIfNeeded: cells[Int(rows[place])]) &+ offset, last))
          }
          return
        }
        for place in rows.indices {
          let cell = UInt32(truncatingIfNeeded: cells[Int(rows[place])]) &+ offset
          body(place, nulls.has(Int(rows[place])) ? last : min(cell, last))
        }
      }
    }
  }
}

/// A column of integers or dates as distances from a base: `value == base + step * code`; or the days of dates in a
/// zone, with the start of each day as its value.
///
/// The days of a century are 40,000 codes, however many rows there are.
struct FrameOfReference: Sendable {
  let column: Column
  /// The number of codes that represent values.
  let count: Int
  private let base: Int64
  private let step: Int64
  /// The zone of days, of which `base` and `step` are local times; nil for values.
  private let zone: ZoneRules?
  private let parts: [FrameOfReferenceIntegers]
  /// The offset that is added to the codes of each chunk.
  private let offsets: [UInt32]

  /// Returns nil until a second use, which creates the codes of the chunks, and if the codes have no common scale.
  init?(_ column: Column) {
    guard case .integers? = column.chunks.first?.values else { return nil }
    let chunks = column.chunks
    let parts = Workers.map(
      count: chunks.count, inParallel: chunks.count > 8 && !chunks[0].hasFrameOfReference
    ) {
      chunks[$0].frameOfReference
    }
    self.init(column, parts, zone: nil)
  }

  /// Encodes the days of dates; returns nil until a second use, and if they are too many.
  init?(daysOf column: Column, in zone: ZoneRules) {
    let chunks = column.chunks
    let parts = Workers.map(count: chunks.count, inParallel: chunks.count > 8) {
      chunks[$0].days(in: zone) { moments in
        var clock = LocalClock(zone)
        return moments.map { moment in
          let local = clock.local(moment)
          return local &- local.timeOfDay
        }
      }
    }
    self.init(column, parts, zone: zone)
  }

  private init?(_ column: Column, _ found: [FrameOfReferenceIntegers?], zone: ZoneRules?) {
    guard let parts = found.unwrapped(), let base = parts.map(\.base).min(),
      let step = parts.first(where: { $0.last > 0 })?.step
    else { return nil }
    var (offsets, last): ([UInt32], Int64) = ([], 0)
    for part in parts {
      let (distance, overflow) = part.base.subtractingReportingOverflow(base)
      guard !overflow, distance % step == 0, part.last == 0 || part.step == step else {
        return nil
      }
      last = max(last, distance / step + part.last)
      offsets.append(UInt32(truncatingIfNeeded: distance / step))
    }
    guard last < Int64(UInt32.max) - 1 else { return nil }
    (self.column, self.parts, self.offsets) = (column, parts, offsets)
    (self.base, self.step, count, self.zone) = (base, step, Int(last) + 1, zone)
    // If the first and the last day have a start between the years 1 and 9999, all days do.
    if let zone {
      var clock = LocalClock(zone)
      guard clock.moment(base) != nil, clock.moment(base &+ step &* last) != nil else { return nil }
    }
  }
}

extension FrameOfReference {
  func codes(_ chunk: Int) -> ChunkCodes {
    let cells: ChunkCodes.Cells =
      switch parts[chunk].codes {
      case .bytes(let codes): .bytes(codes)
      case .words(let codes): .words(codes)
      }
    return ChunkCodes(
      cells, offset: offsets[chunk], nulls: column.chunks[chunk].nulls,
      last: UInt32(truncatingIfNeeded: count))
  }

  func code(_ chunk: Int, _ place: Int) -> Int {
    if column.chunks[chunk].isNull(place) { return count }
    return switch parts[chunk].codes {
    case .bytes(let codes): Int(codes[place]) + Int(offsets[chunk])
    case .words(let codes): Int(codes[place]) + Int(offsets[chunk])
    }
  }

  /// Returns the values of codes; 0 for the last code.
  func values(of codes: ArraySlice<Int>) -> [Int64] {
    guard let zone else { return codes.map { $0 == count ? 0 : base &+ step &* Int64($0) } }
    var clock = LocalClock(zone)
    return codes.map { $0 == count ? 0 : clock.moment(base &+ step &* Int64($0)) ?? 0 }
  }

  /// Returns whether the codes are so few that evaluating something once per code is faster than once per row.
  /// Computing with a date takes longer for a code, whose first moment must be found, than for a row.
  func areFew(of rows: Int) -> Bool {
    count <= 1 << 17 && count * (zone == nil ? 4 : 16) <= rows
  }
}

/// An expression of encoded values, evaluated once per code and gathered by code: `parentCategory.name`,
/// `lowercase(category)`, `year(date)`.
struct GatherNode: VectorNode {
  let encoding: Encoding
  let kind: VectorKind
  let neverFallsBack: Bool
  let costForAll: Double
  private let worth: LazyValue<Vector>
  private let inner: (any VectorNode)?

  /// Evaluates a node for the table of codes. `missing`: the value for the last code of a link, for which that table
  /// has no row; nil if the reference evaluator must compute it.
  init(_ inner: any VectorNode, _ encoded: EncodedScope, missing: Value?) {
    (encoding, kind, self.inner) = (encoded.encoding, inner.kind, inner)
    let (table, isLink) = (encoded.table, encoded.links != nil)
    neverFallsBack = inner.neverFallsBack && (!isLink || missing != nil)
    costForAll = inner.costForAll + inner.cost * Double(table.count)
    worth = LazyValue {
      let values = inner.whole(table)
      return (isLink ? values.adding(missing, inner.kind) : values).knowingOddTexts
    }
  }

  /// Creates a node from the values of all codes; nil if they have several kinds. A nil value is left to the reference
  /// evaluator.
  init?(_ values: [Value?], _ encoding: Encoding) {
    guard let kind = VectorKind.of(values) else { return nil }
    (self.encoding, self.kind, inner, costForAll) = (encoding, kind, nil, 0)
    neverFallsBack = !values.contains { $0 == nil }
    let none = Vector.none(kind)
    worth = LazyValue { values.reduce(none) { $0.adding($1, kind) } }
  }

  var values: Vector { worth.value }

  var parts: [any VectorNode] { inner.map { [$0] } ?? [] }
  var cost: Double { 3 }
  /// Does not prepare the values: there may be no candidates left when the node is used.
  func prepare() {}
  func vector(_ rows: ChunkRows) -> Vector { worth.value.gathered(encoding.codes(rows.number)) }
}

extension GatherNode {
  /// Up to this number of texts, equal texts share a code.
  private static let mostTexts = 60_000

  /// Returns the column of its texts as dictionary codes; nil if they are too many, or if a row is left to the
  /// reference evaluator.
  func coded(_ table: Table, _ rows: [Bitmap]) -> Column? {
    guard kind == .text, encoding.count <= Self.mostTexts,
      encoding.count * 4 < max(64, table.count)
    else { return nil }
    let (dictionary, texts) = values.dictionary
    let chunks = Workers.map(count: rows.count, inParallel: rows.count > 8) { number in
      coded(number, rows[number], texts)
    }
    return chunks.unwrapped().map {
      Column(.attribute(.string), chunks: $0, dictionary: dictionary)
    }
  }

  private func coded(_ number: Int, _ rows: Bitmap, _ texts: [UInt16]) -> ColumnChunk? {
    if rows.isEmpty { return ColumnChunk(.codes([])) }
    let codes = encoding.codes(number)
    if let fallback = values.fallback,
      !codes.rows(where: { fallback.has(Int($0)) }).intersection(rows).isEmpty
    {
      return nil
    }
    let nulls = values.nulls.map { nulls in codes.rows { nulls.has(Int($0)) } }
    return ColumnChunk(.codes(codes.gathered(texts)), nulls: nulls)
  }
}

extension Vector {
  /// Returns the value of each row's code.
  func gathered(_ codes: ChunkCodes) -> Vector {
    func bits(_ bits: Bitmap?) -> Bitmap? {
      bits.flatMap { bits in codes.rows { bits.has(Int($0)) }.nonEmpty }
    }
    let gathered: Numbers =
      switch values {
      case .integers(.each(let x)): .integers(.each(codes.gathered(x)))
      case .doubles(.each(let x)): .doubles(.each(codes.gathered(x)))
      case .decimals(.each(let x), let places):
        .decimals(.each(codes.gathered(x)), places: places)
      case .longDecimals(.each(let x), let places):
        .longDecimals(.each(codes.gathered(x)), places: places)
      case .integers(.all), .doubles(.all), .decimals(.all, _), .longDecimals(.all, _): values
      case .texts(let lane): .texts(lane.gathered(codes.numbers))
      }
    var result = Vector(gathered, nulls: bits(nulls), fallback: bits(fallback))
    result.integral = integral.map { integral in codes.rows { integral.has(Int($0)) } }
    return result
  }
}

extension Vector {
  /// The distinct texts, and the code of each row's text.
  fileprivate var dictionary: (TextDictionary, codes: [UInt16]) {
    let all = Bitmap(count: count, filledWith: true)
    let texts = texts.chunk(count)
    let column = Column(.attribute(.string), chunks: [ColumnChunk(.text(texts))])
    let numbers = NumberedTexts(column, [all])
    var firsts = [Int](repeating: -1, count: Int(numbers.count))
    for (row, code) in numbers.codes[0].enumerated() where firsts[Int(code)] < 0 {
      firsts[Int(code)] = row
    }
    var distinct = TextChunk()
    for row in firsts {
      distinct.append(texts.bytes[texts.packedRange(row)], isOdd: texts.isOdd(row))
    }
    return (TextDictionary(distinct), numbers.codes[0].map { UInt16(truncatingIfNeeded: $0) })
  }
}

/// A lazily computed value that all users share.
final class LazyValue<Made: Sendable>: Sendable {
  private let known = Mutex<Made?>(nil)
  private let make: @Sendable () -> Made

  init(_ make: @escaping @Sendable () -> Made) { self.make = make }

  var isKnown: Bool { known.withLock { $0 != nil } }

  var value: Made {
    known.withLock { known in
      if let known { return known }
      let made = DeepStack.run(make)
      known = made
      return made
    }
  }
}

extension VectorNode {
  /// Returns its values for all rows of a table.
  func whole(_ table: Table) -> Vector {
    prepare()
    var result = Vector.none(kind)
    for number in 0..<table.chunkCount {
      let rows = table.liveChunk(number)
      result.append(vector(rows), rows.count)
    }
    return result
  }
}

extension VectorKind {
  /// Returns the common kind of some values; nil if they have several.
  static func of(_ values: [Value?]) -> VectorKind? {
    let kinds = values.compactMap { $0.flatMap { ConstantNode($0)?.kind } }
    guard values.allSatisfy({ $0.map { $0.isNull || ConstantNode($0) != nil } ?? true }) else {
      return nil
    }
    return kinds.isEmpty ? .integer : VectorKind.together(kinds)
  }
}
