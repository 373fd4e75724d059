import KuraGraph
import KuraModel
import KuraPredicates

/// A grouping key whose column holds small numbers: dictionary codes, booleans, links.
struct GroupColumn: Sendable {
  private let column: Column
  /// The number of rows without a value.
  private let null: UInt32

  /// All numbers are less.
  var bound: Int { Int(null) + 1 }

  /// Nil for any other tree.
  init?(_ tree: ExpressionTree, _ request: BoundRequest) {
    guard case .keyPath(let path) = tree.kind, let key = path.onlyKey else { return nil }
    let graph = request.snapshot.graph
    let table = graph.tables[request.place.table]
    switch table.layout.slots[request.place.code][key] {
    case .attribute(let place, .boolean)?: self.init(table.columns[place], null: 2)
    case .attribute(let place, .string)?:
      // Two codes never stand for one text.
      guard let dictionary = table.columns[place].dictionary else { return nil }
      self.init(table.columns[place], null: dictionary.count)
    case .toOne(let place, let destination)?:
      self.init(table.columns[place], null: graph.tables[destination].count)
    case .attribute?, .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }

  private init(_ column: Column, null: Int) {
    self.column = column
    self.null = UInt32(truncatingIfNeeded: null)
  }
}

extension GroupColumn {
  /// Adds each row's number, so many times, to what is there.
  func add(_ chunk: Int, times stride: UInt32, to slots: UnsafeMutableBufferPointer<UInt32>) {
    let chunk = column.chunks[chunk]
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
}
