import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A grouping key as small numbers: codes, or numbers assigned to the values in order of appearance.
struct GroupColumn: Sendable {
  private let codes: Codes
  /// The number of nil.
  private let null: UInt32

  private enum Codes: Sendable {
    /// The codes of an encoding, or a number per code.
    case encoded(Encoding, [UInt32]?)
    /// The numbers of each chunk's rows.
    case given([[UInt32]])
  }

  /// An exclusive upper bound of the numbers.
  var bound: Int { Int(null) + 1 }

  /// Numbers the values of the set rows; nil if the key has values of another type.
  init?(_ tree: ExpressionTree, _ request: BoundRequest, _ rows: [Bitmap]) {
    if let codes = GroupColumn(cells: tree, request)
      ?? GroupColumn(gathered: tree, request, rows)
    {
      self = codes
      return
    }
    if let object = request.object(tree) {
      let table = request.table
      let null = request.snapshot.graph.tables[object.table].count
      let numbers = rows.enumerated().map { number, rows in
        object.objects(ChunkRows(table: table, number: number, candidates: rows))
          .map { $0 == noRow ? UInt32(truncatingIfNeeded: null) : $0 }
      }
      self.init(numbers, null: UInt32(truncatingIfNeeded: null))
      return
    }
    if let texts = request.wholeTexts(tree, rows) {
      let numbers = NumberedTexts(texts.views, texts.nulls, rows)
      self.init(numbers.codes, null: numbers.count)
      return
    }
    guard let whole = request.wholeColumn(tree, rows, forOrder: true), !whole.areTextsOfDecimals
    else { return nil }
    if let frame = FrameOfReference(whole.column), frame.count < SlotCoder.limit {
      self.init(Encoding(frame))
      return
    }
    switch whole.type {
    // Equal values are stored as the same text.
    case .string, .uuid, .uri, .binary:
      if let dictionary = whole.column.dictionary {
        self.init(whole.column, null: dictionary.count)
      } else if let numbers = request.numbers(tree, rows) {
        self.init(numbers.codes, null: numbers.count)
      } else {
        let numbers = NumberedTexts(whole.column, rows)
        self.init(numbers.codes, null: numbers.count)
      }
    case .integer, .integer16, .integer32, .date, .double, .float, .boolean, .decimal:
      let numbers = NumberedCells(whole.column, rows)
      self.init(numbers.codes, null: numbers.count)
    case .json: return nil
    }
  }

  /// Returns whether the values of a key have numbers, or can be numbered.
  static func canNumber(_ tree: ExpressionTree, _ request: BoundRequest) -> Bool {
    if GroupColumn(cells: tree, request) != nil || request.object(tree) != nil { return true }
    guard let type = request.typeOfColumn(tree, forOrder: true) else { return false }
    return type.isNumeric || [.date, .boolean, .string, .uuid, .uri, .binary].contains(type)
  }

  /// Uses a key's column directly, if it stores such numbers.
  init?(cells tree: ExpressionTree, _ request: BoundRequest) {
    let graph = request.snapshot.graph
    guard case .keyPath(let path) = tree.kind, let key = path.onlyKey ?? path.linkKey(in: graph)
    else { return nil }
    let table = graph.tables[request.place.table]
    switch graph.slot(key, of: request.place) {
    case .toOne(let place, let destination)?:
      self.init(table.columns[place], null: graph.tables[destination].count)
    case _ where path.onlyKey == nil: return nil
    case .attribute(let place, .boolean)?: self.init(table.columns[place], null: 2)
    case .attribute(let place, .string)?:
      // No two codes represent one text.
      guard let dictionary = table.columns[place].dictionary else { return nil }
      self.init(table.columns[place], null: dictionary.count)
    case .attribute?, .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }

  /// Numbers the values of a key that are gathered by code.
  private init?(gathered tree: ExpressionTree, _ request: BoundRequest, _ rows: [Bitmap]) {
    guard let node = request.gatherNode(tree, rows), let values = node.groupNumbers else {
      return nil
    }
    (codes, null) = (.encoded(node.encoding, values.numbers), values.null)
  }

  private init(_ encoding: Encoding) {
    (codes, null) = (.encoded(encoding, nil), UInt32(truncatingIfNeeded: encoding.count - 1))
  }

  /// Uses numbers that rows already have.
  init(_ numbers: [[UInt32]], null: UInt32) {
    (codes, self.null) = (.given(numbers), null)
  }

  private init(_ column: Column, null: Int) { self.init(Encoding(cells: column, values: null)) }
}

extension GroupColumn {
  /// Adds each row's number times a stride to a number per row.
  func add(_ chunk: Int, times stride: UInt32, to slots: UnsafeMutableBufferPointer<UInt32>) {
    switch codes {
    case .encoded(let encoding, let values):
      encoding.codes(chunk).add(values, times: stride, to: slots)
    case .given(let numbers):
      numbers[chunk].withUnsafeBufferPointer { numbers in
        for row in 0..<min(numbers.count, slots.count) { slots[row] &+= numbers[row] &* stride }
      }
    }
  }

  /// Appends each row's number, with `bits` bits, to its key.
  func append(_ chunk: Int, bits: UInt64, to keys: inout [UInt64]) {
    var numbers = [UInt32](repeating: 0, count: keys.count)
    numbers.withUnsafeMutableBufferPointer { add(chunk, times: 1, to: $0) }
    for row in keys.indices { keys[row] = keys[row] &<< bits | UInt64(numbers[row]) }
  }
}

extension BoundRequest {
  /// Returns the cached numbers of an attribute's texts; nil if the set rows are less than an eighth of the table, or
  /// at the first use.
  fileprivate func numbers(_ tree: ExpressionTree, _ rows: [Bitmap]) -> ColumnNumbers? {
    let table = table
    guard let column = attribute(tree)?.column,
      rows.reduce(0, { $0 + $1.popcount }) * 8 >= table.count
    else { return nil }
    return table.numbers(ofColumn: column) {
      // Undo can bring back deleted rows.
      let all = rows.map { Bitmap(count: $0.count, filledWith: true) }
      let texts = NumberedTexts(table.columns[column], all)
      return ColumnNumbers(codes: texts.codes, count: texts.count)
    }
  }
}

extension KeyPathTree {
  /// Returns the to-one relationship of a path to an objectID: `home` of `home.objectID`; nil if links may lead to
  /// deleted objects.
  func linkKey(in graph: Graph) -> KeyComponent? {
    guard !graph.mayDangle, base == nil, components.count == 2,
      components.allSatisfy({ $0.kind == .key }), components[1].name == "objectID"
    else { return nil }
    return components[0]
  }
}
