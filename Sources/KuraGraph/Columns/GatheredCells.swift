struct GatheredCells: Sendable {
  private(set) var integers: [Int64] = []
  private(set) var doubles: [Double] = []
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []
  /// Empty until a cell is null.
  private(set) var nulls: [Bool] = []
  private var done = 0
  private let count: Int

  init(_ count: Int) { self.count = count }

  mutating func addIntegers(_ chunk: ColumnChunk, _ rows: ArraySlice<UInt32>) {
    let places = places(of: rows, chunk)
    switch chunk.compactValues {
    case .integers(let values): integers += values.taken(places, else: 0)
    case .bytes(let values): integers += places.map { $0 < 0 ? 0 : Int64(values[$0]) }
    default: integers += repeatElement(0, count: rows.count)
    }
  }

  mutating func addDoubles(_ chunk: ColumnChunk, _ rows: ArraySlice<UInt32>) {
    let places = places(of: rows, chunk)
    guard case .doubles(let values) = chunk.compactValues else {
      return doubles += repeatElement(0, count: rows.count)
    }
    doubles += values.taken(places, else: 0)
  }

  mutating func addTexts(
    _ chunk: ColumnChunk, _ rows: ArraySlice<UInt32>, _ dictionary: TextDictionary?
  ) {
    var places = places(of: rows, chunk)
    switch chunk.compactValues {
    case .text(let texts):
      let isSparse = texts.count != chunk.count
      add(isSparse ? texts : chunk.packedTexts ?? texts, places)
    case .bytes(let codes):
      for i in places.indices where places[i] >= 0 { places[i] = Int(codes[places[i]]) }
      add(dictionary?.texts, places)
    case .codes(let codes):
      for i in places.indices where places[i] >= 0 { places[i] = Int(codes[places[i]]) }
      add(dictionary?.texts, places)
    case .integers, .doubles, .links, .linkLists: add(nil, places)
    }
  }

  /// Appends a text for each row, given by its index among the texts.
  private mutating func add(_ texts: TextChunk?, _ places: [Int]) {
    guard let texts else { return ends += repeatElement(bytes.count, count: places.count) }
    guard texts.patch.isEmpty else {
      for place in places {
        if place >= 0 { texts.withText(place) { bytes.append(contentsOf: $0) } }
        ends.append(bytes.count)
      }
      return
    }
    bytes += texts.taken(places, from: bytes.count, &ends)
  }

  /// Returns the indexes of the rows' values in a chunk; -1 for null.
  private mutating func places(of rows: ArraySlice<UInt32>, _ chunk: ColumnChunk) -> [Int] {
    defer { done += rows.count }
    if chunk.keepsAllRows {
      if !nulls.isEmpty { nulls += repeatElement(false, count: rows.count) }
      return rows.map { Int($0) & ColumnChunk.mask }
    }
    if nulls.isEmpty { nulls = Array(repeating: false, count: done) }
    return rows.map { row in
      let place = chunk.place(of: Int(row) & ColumnChunk.mask)
      nulls.append(place == nil)
      return place ?? -1
    }
  }
}

extension Array {
  /// Returns the elements at some indexes; `other` for a negative index.
  fileprivate func taken(_ places: [Int], else other: Element) -> [Element] {
    withUnsafeBufferPointer { all in places.map { $0 < 0 ? other : all[$0] } }
  }
}

extension TextChunk {
  /// Returns the concatenated bytes of packed texts, and appends their ends, relative to `start`; a
  /// negative index means no text.
  ///
  /// The space is allocated at once, because growing an array per text costs more than copying the text.
  fileprivate func taken(_ places: [Int], from start: Int, _ newEnds: inout [Int]) -> [UInt8] {
    newEnds.reserveCapacity(newEnds.count + places.count)
    var end = start
    for place in places {
      if place >= 0 { end += packedRange(place).count }
      newEnds.append(end)
    }
    return [UInt8](unsafeUninitializedCapacity: end - start) { room, count in
      count = end - start
      guard var target = room.baseAddress else { return }
      bytes.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress else { return }
        for place in places where place >= 0 {
          let range = packedRange(place)
          target.initialize(from: bytes + range.lowerBound, count: range.count)
          target += range.count
        }
      }
    }
  }
}

/// The concatenated texts of some rows of a column; strings are created on access.
package final class GatheredTexts: Sendable {
  private let cells: GatheredCells

  /// Gathers the texts of ascending rows.
  init(_ column: Column, _ rows: [UInt32]) {
    var cells = GatheredCells(rows.count)
    column.eachChunk(of: rows[...]) { cells.addTexts($0, $1, column.dictionary) }
    self.cells = cells
  }

  var count: Int { cells.ends.count }

  subscript(place: Int) -> StoredCell {
    if !cells.nulls.isEmpty, cells.nulls[place] { return .null }
    let start = place == 0 ? 0 : cells.ends[place - 1]
    return .text(String(decoding: cells.bytes[start..<cells.ends[place]], as: UTF8.self))
  }

  /// The minimum number of texts for which gathering saves time.
  static let fewest = 64
}
