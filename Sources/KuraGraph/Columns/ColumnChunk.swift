/// The values of up to 16,384 rows of one column.
package struct ColumnChunk: Sendable {
  package var values: Values { didSet { ChunkDerived.forget(&derived) } }
  /// The rows that have no value; nil if all have one.
  package var nulls: Bitmap? { didSet { ChunkDerived.forget(&derived) } }
  /// What is made of the values when it is wanted.
  var derived = ChunkDerived()

  package init(_ values: Values, nulls: Bitmap? = nil) {
    self.values = values
    self.nulls = nulls
  }

  package enum Values: Sendable {
    /// integers; dates as microseconds since 1970
    case integers([Int64])
    /// doubles
    case doubles([Double])
    /// booleans as 0 and 1, or dictionary codes below 256
    case bytes([UInt8])
    /// dictionary codes
    case codes([UInt16])
    /// texts
    case text(TextChunk)
    /// row numbers of the destination's table; `noRow` is no object
    case links([UInt32])
    /// lists of row numbers
    case linkLists(LinkLists)
  }

  /// How many rows a full chunk has.
  package static let capacity = 16_384
  package static let shift = 14
  package static let mask = capacity - 1
}

/// The row number that stands for no object.
package let noRow = UInt32.max

/// Lists of row numbers, one behind the other.
package struct LinkLists: Sendable {
  /// Where each row's list ends in `rows`.
  package var ends: [UInt32] = []
  package var rows: [UInt32] = []

  package init() {}

  package func range(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  package mutating func append(_ list: some Sequence<UInt32>) {
    rows.append(contentsOf: list)
    ends.append(UInt32(truncatingIfNeeded: rows.count))
  }
}

extension ColumnChunk {
  package var count: Int {
    switch values {
    case .integers(let a): a.count
    case .doubles(let a): a.count
    case .bytes(let a): a.count
    case .codes(let a): a.count
    case .text(let a): a.count
    case .links(let a): a.count
    case .linkLists(let a): a.ends.count
    }
  }

  package func isNull(_ row: Int) -> Bool { nulls?[row] ?? false }
}
