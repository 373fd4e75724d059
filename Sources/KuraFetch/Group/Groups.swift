import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// The rows that pass, each with the number of its group.
///
/// Group 0 holds the rows that do not pass, so that a loop over a chunk needs no branch; the
/// others are numbered in the order of their first rows.
struct Groups {
  /// For each chunk the group of each row.
  let codes: [[UInt32]]
  /// The first row of each group but 0.
  let firstRows: [UInt32]
  /// How many rows each group has; the first is 0's.
  let sizes: [Int]

  /// Groups with the one for rows that do not pass.
  var slotCount: Int { sizes.count }

  /// Groups the rows that pass by the values of some trees; without trees all are one group.
  init(_ request: BoundRequest, by trees: [ExpressionTree]) throws(Diagnostic) {
    let passing = try request.passingRows()
    var numbering = GroupNumbering()
    var codes: [[UInt32]] = []
    codes.reserveCapacity(passing.count)
    if trees.isEmpty {
      numbering.addOnlyGroup()
      for rows in passing { codes.append(numbering.onlyGroup(rows)) }
    } else {
      var keys: [GroupKey] = []
      for tree in trees { keys.append(GroupKey(tree, request)) }
      for (chunk, rows) in passing.enumerated() {
        codes.append(try numbering.codes(chunk, rows, &keys))
      }
    }
    self.codes = codes
    firstRows = numbering.firstRows
    sizes = Groups.sizes(codes, count: numbering.count)
  }

  private static func sizes(_ codes: [[UInt32]], count: Int) -> [Int] {
    var sizes = [Int](repeating: 0, count: count)
    sizes.withUnsafeMutableBufferPointer { sizes in
      for chunk in codes { for code in chunk { sizes[Int(code)] += 1 } }
    }
    return sizes
  }
}

/// Gives numbers to groups as their keys come.
struct GroupNumbering {
  private(set) var firstRows: [UInt32] = []
  private var table: [UInt32] = []
  private var known: [UInt64: UInt32] = [:]

  /// How many groups there are, with group 0.
  var count: Int { firstRows.count + 1 }

  mutating func addOnlyGroup() { firstRows = [0] }

  func onlyGroup(_ rows: Bitmap) -> [UInt32] {
    var codes = [UInt32](repeating: 0, count: rows.count)
    rows.forEachSet { codes[$0] = 1 }
    return codes
  }

  /// The groups of a chunk's rows.
  mutating func codes(
    _ chunk: Int, _ rows: Bitmap, _ keys: inout [GroupKey]
  ) throws(Diagnostic) -> [UInt32] {
    let first = chunk << ColumnChunk.shift
    if keys.count == 1 {
      let keyCodes = try keys[0].codes(chunk, rows)
      return number(keyCodes, rows, first, bound: keys[0].bound)
    }
    var combined = [UInt64](repeating: 0, count: rows.count)
    for i in keys.indices {
      let keyCodes = try keys[i].codes(chunk, rows)
      // A pair is one number from here on, so that any count of keys fits in 64 bits.
      combine(&combined, keyCodes, rows, isLast: i == keys.count - 1)
    }
    return number(combined, rows, first)
  }

  private var pairs: [UInt64: UInt32] = [:]

  private mutating func combine(
    _ combined: inout [UInt64], _ codes: [UInt32], _ rows: Bitmap, isLast: Bool
  ) {
    rows.forEachSet { row in
      let pair = combined[row] << 32 | UInt64(codes[row])
      combined[row] = isLast ? pair : UInt64(pairNumber(pair))
    }
  }

  private mutating func pairNumber(_ pair: UInt64) -> UInt32 {
    if let number = pairs[pair] { return number }
    let number = UInt32(truncatingIfNeeded: pairs.count)
    pairs[pair] = number
    return number
  }

  /// Numbers codes of which there are few by a table.
  private mutating func number(
    _ codes: [UInt32], _ rows: Bitmap, _ first: Int, bound: Int
  ) -> [UInt32] {
    if table.count < bound { table += Array(repeating: 0, count: bound - table.count) }
    var result = [UInt32](repeating: 0, count: codes.count)
    rows.forEachSet { row in
      let code = Int(codes[row])
      if table[code] == 0 {
        firstRows.append(UInt32(truncatingIfNeeded: first + row))
        table[code] = UInt32(truncatingIfNeeded: firstRows.count)
      }
      result[row] = table[code]
    }
    return result
  }

  private mutating func number(_ codes: [UInt64], _ rows: Bitmap, _ first: Int) -> [UInt32] {
    var result = [UInt32](repeating: 0, count: codes.count)
    rows.forEachSet { row in
      if let group = known[codes[row]] {
        result[row] = group
      } else {
        firstRows.append(UInt32(truncatingIfNeeded: first + row))
        let group = UInt32(truncatingIfNeeded: firstRows.count)
        known[codes[row]] = group
        result[row] = group
      }
    }
    return result
  }
}
