import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

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

extension GatherNode {
  /// A number per code, the same for equal values, and the number of no value; nil if a value is left to the reference
  /// evaluator.
  var groupNumbers: (numbers: [UInt32], null: UInt32)? {
    let worth = values
    guard worth.unsure == nil, let type = kind.attributeType(true) else { return nil }
    let all = Bitmap(count: worth.count, filledWith: true)
    let column = Column(.attribute(type), chunks: [worth.chunk(all, type)])
    if type == .string {
      let texts = NumberedTexts(column, [all])
      return (texts.codes[0], texts.count)
    }
    let cells = NumberedCells(column, [all])
    return (cells.codes[0], cells.count)
  }
}
