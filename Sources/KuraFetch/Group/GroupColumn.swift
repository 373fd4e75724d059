import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A grouping key as small numbers: dictionary codes, booleans, links, or numbers that were given to
/// the values as they came.
struct GroupColumn: Sendable {
  private let codes: Codes
  /// The number of rows without a value.
  private let null: UInt32

  private enum Codes: Sendable {
    /// The cells of a column are such numbers.
    case cells(Column)
    /// The numbers of each chunk's rows.
    case given([[UInt32]])
  }

  /// All numbers are less.
  var bound: Int { Int(null) + 1 }

  /// The numbers of the rows that are set; nil for a key of other values.
  init?(_ tree: ExpressionTree, _ request: BoundRequest, _ rows: [Bitmap]) {
    if let cells = GroupColumn(cells: tree, request) {
      self = cells
      return
    }
    guard let whole = request.wholeColumn(tree, rows, forOrder: true) else { return nil }
    switch whole.type {
    case .string:
      if let dictionary = whole.column.dictionary {
        self.init(whole.column, null: dictionary.count)
        return
      }
      let numbers = NumberedTexts(whole.column, rows)
      self.init(numbers.codes, null: numbers.count)
    case .integer, .integer16, .integer32, .date, .double, .float, .boolean:
      let numbers = NumberedCells(whole.column, rows)
      self.init(numbers.codes, null: numbers.count)
    case .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }

  /// Whether a key's values are given numbers, or have some.
  static func canNumber(_ tree: ExpressionTree, _ request: BoundRequest) -> Bool {
    if GroupColumn(cells: tree, request) != nil { return true }
    guard let type = request.typeOfColumn(tree, forOrder: true) else { return false }
    return type.isNumeric || [.date, .boolean, .string].contains(type)
  }

  /// A key whose column holds such numbers already.
  init?(cells tree: ExpressionTree, _ request: BoundRequest) {
    let graph = request.snapshot.graph
    guard case .keyPath(let path) = tree.kind, let key = path.onlyKey ?? path.linkKey(in: graph)
    else { return nil }
    let table = graph.tables[request.place.table]
    switch table.layout.slots[request.place.code][key] {
    case .toOne(let place, let destination)?:
      self.init(table.columns[place], null: graph.tables[destination].count)
    case _ where path.onlyKey == nil: return nil
    case .attribute(let place, .boolean)?: self.init(table.columns[place], null: 2)
    case .attribute(let place, .string)?:
      // Two codes never stand for one text.
      guard let dictionary = table.columns[place].dictionary else { return nil }
      self.init(table.columns[place], null: dictionary.count)
    case .attribute?, .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }

  private init(_ numbers: [[UInt32]], null: UInt32) {
    (codes, self.null) = (.given(numbers), null)
  }

  private init(_ column: Column, null: Int) {
    codes = .cells(column)
    self.null = UInt32(truncatingIfNeeded: null)
  }
}

extension GroupColumn {
  /// Those of all keys; nil where one has none.
  static func all(
    _ trees: [ExpressionTree], _ request: BoundRequest, _ rows: [Bitmap]
  ) -> [GroupColumn]? {
    var columns: [GroupColumn] = []
    for tree in trees {
      guard let column = GroupColumn(tree, request, rows) else { return nil }
      columns.append(column)
    }
    return columns
  }

  /// Adds each row's number, so many times, to what is there.
  func add(_ chunk: Int, times stride: UInt32, to slots: UnsafeMutableBufferPointer<UInt32>) {
    switch codes {
    case .cells(let column): add(column.chunks[chunk], stride, slots)
    case .given(let numbers):
      numbers[chunk].withUnsafeBufferPointer { numbers in
        for row in 0..<min(numbers.count, slots.count) { slots[row] &+= numbers[row] &* stride }
      }
    }
  }

  private func add(
    _ chunk: ColumnChunk, _ stride: UInt32, _ slots: UnsafeMutableBufferPointer<UInt32>
  ) {
    switch chunk.values {
    case .bytes(let codes): add(codes, chunk.nulls, stride, slots)
    case .codes(let codes): add(codes, chunk.nulls, stride, slots)
    // A link that leads nowhere is no row; the bits of nulls say nothing of links.
    case .links(let links):
      for row in slots.indices { slots[row] &+= min(links[row], null) &* stride }
    case .integers, .doubles, .text, .linkLists: break
    }
  }

  private func add<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: [Code], _ nulls: Bitmap?, _ stride: UInt32,
    _ slots: UnsafeMutableBufferPointer<UInt32>
  ) {
    codes.withUnsafeBufferPointer { codes in
      for row in 0..<min(codes.count, slots.count) {
        slots[row] &+= UInt32(truncatingIfNeeded: codes[row]) &* stride
      }
      nulls?.forEachSet { row in
        slots[row] &+= (null &- UInt32(truncatingIfNeeded: codes[row])) &* stride
      }
    }
  }

  /// Each row's number as a part of a longer one, in which it has so many bits.
  func append(_ chunk: Int, bits: UInt64, to keys: inout [UInt64]) {
    var numbers = [UInt32](repeating: 0, count: keys.count)
    numbers.withUnsafeMutableBufferPointer { add(chunk, times: 1, to: $0) }
    for row in keys.indices { keys[row] = keys[row] &<< bits | UInt64(numbers[row]) }
  }
}

/// Gives slots to groups by the values of their keys, as they come.
struct GroupNumbering {
  private let trees: [ExpressionTree]
  private let request: BoundRequest
  /// For each key the number of each value.
  private var numbers: [[Value: UInt32]]
  private var slots: [[UInt32]: UInt32] = [:]

  init(_ trees: [ExpressionTree], _ request: BoundRequest) {
    self.trees = trees
    self.request = request
    numbers = trees.map { _ in [:] }
  }

  /// How many slots there are, with slot 0.
  var count: Int { (trees.count == 1 ? numbers[0].count : slots.count) + 1 }
}

extension GroupNumbering {
  /// The slots of a chunk's rows: 0 for those that do not pass.
  mutating func slots(_ chunk: Int, _ passing: Bitmap) throws(Diagnostic) -> [UInt32] {
    let first = UInt32(truncatingIfNeeded: chunk << ColumnChunk.shift)
    var rows: [UInt32] = []
    passing.forEachSet { rows.append(first + UInt32(truncatingIfNeeded: $0)) }
    var keys: [[UInt32]] = []
    for key in trees.indices {
      let values = try request.values(of: trees[key], rows)
      keys.append(values.map { number($0, ofKey: key) })
    }
    var result = [UInt32](repeating: 0, count: passing.count)
    for (place, row) in rows.enumerated() {
      result[Int(row - first)] = keys.count == 1 ? keys[0][place] + 1 : slot(keys.map { $0[place] })
    }
    return result
  }

  private mutating func number(_ value: Value, ofKey key: Int) -> UInt32 {
    if let number = numbers[key][value] { return number }
    let number = UInt32(truncatingIfNeeded: numbers[key].count)
    numbers[key][value] = number
    return number
  }

  private mutating func slot(_ key: [UInt32]) -> UInt32 {
    if let slot = slots[key] { return slot }
    let slot = UInt32(truncatingIfNeeded: slots.count + 1)
    slots[key] = slot
    return slot
  }
}

extension KeyPathTree {
  /// The to-one of which an object is asked for its identity: `home` of `home.objectID`. Links of which
  /// some lead to deleted objects are none.
  fileprivate func linkKey(in graph: Graph) -> String? {
    guard !graph.mayDangle, base == nil, components.count == 2,
      components.allSatisfy({ $0.kind == .key }), components[1].name == "objectID"
    else { return nil }
    return components[0].name
  }
}
