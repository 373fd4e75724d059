import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Synchronization

/// What an expression is worth for each row of another table, or for each distinct text of a column,
/// looked up for the rows of this one: `parentCategory.name`, `lowercase(category)`.
struct LookupNode: VectorNode {
  let link: Link
  let kind: VectorKind
  /// The values, the last of them that of a row that leads nowhere
  let worth: Once<Vector>
  private let inner: (any VectorNode)?
  let costForAll: Double

  enum Link: Sendable {
    /// The codes of a dictionary, of which there are so many.
    case codes(column: Int, count: Int)
    /// A to-one.
    case one(column: Int, count: Int)
    /// The codes of integers or dates.
    case numbers(NarrowColumn)
    /// The combinations of several, each with one more of what leads nowhere.
    indirect case several([Link], count: Int)
  }

  /// Of an expression of the other table's rows; `missing`: what it is worth without a row, nil where
  /// only the reference evaluator knows.
  init(_ inner: any VectorNode, of source: Table, _ link: Link, missing: Value?) {
    self.link = link
    self.inner = inner
    kind = inner.kind
    costForAll = inner.costForAll + inner.cost * Double(source.count)
    worth = Once { inner.whole(source).adding(missing, inner.kind).knowingOddTexts }
  }

  /// Of values that are known, the last of them that without a row; nil where they are of several
  /// kinds. A value that is missing is the reference evaluator's.
  init?(_ values: [Value?], _ link: Link) {
    guard let kind = VectorKind.of(values) else { return nil }
    self.link = link
    self.kind = kind
    (inner, costForAll) = (nil, 0)
    let none = Vector.none(kind)
    worth = Once { values.reduce(none) { $0.adding($1, kind) } }
  }

  var parts: [any VectorNode] { inner.map { [$0] } ?? [] }
  var cost: Double { 3 }
  var isSure: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector { worth.value.gathered(numbers(rows)) }

  /// Which of the values each row has.
  func numbers(_ rows: ChunkRows) -> [UInt32] { link.numbers(rows) }
}

extension LookupNode.Link {
  /// Which of the values each row has; of a row that leads nowhere how many there are.
  func numbers(_ rows: ChunkRows) -> [UInt32] {
    switch self {
    case .several(let links, _):
      return links.dropFirst().reduce(links[0].numbers(rows)) { numbers, link in
        let size = UInt32(truncatingIfNeeded: link.count + 1)
        return numbers.combined(with: link.numbers(rows), size)
      }
    case .numbers(let narrow): return narrow.codes(rows.number)
    case .codes(let column, let count):
      let chunk = rows.chunk(column)
      let none = UInt32(truncatingIfNeeded: count)
      var numbers: [UInt32]
      switch chunk.values {
      case .bytes(let codes): numbers = codes.map { min(UInt32($0), none) }
      case .codes(let codes): numbers = codes.map { min(UInt32($0), none) }
      default: numbers = Array(repeating: none, count: chunk.count)
      }
      chunk.nulls?.eachRow { numbers[$0] = none }
      return numbers
    case .one(let column, let count):
      let none = UInt32(truncatingIfNeeded: count)
      guard case .links(let links) = rows.chunk(column).values else {
        return Array(repeating: none, count: rows.count)
      }
      return links.map { min($0, none) }
    }
  }
}

extension [UInt32] {
  /// Numbers for pairs, of which the second have so many.
  fileprivate func combined(with others: [UInt32], _ size: UInt32) -> [UInt32] {
    var result = self
    result.withUnsafeMutableBufferPointer { result in
      others.withUnsafeBufferPointer { others in
        for row in others.indices { result[row] = result[row] &* size &+ others[row] }
      }
    }
    return result
  }
}

extension LookupNode {
  /// More texts than these are not looked at for equal ones.
  private static let mostTexts = 60_000

  /// The column of its texts as codes; nil where they are too many, or a row is the reference
  /// evaluator's.
  func coded(_ table: Table, _ rows: [Bitmap]) -> Column? {
    guard kind == .text, link.count < Self.mostTexts, link.count * 4 < max(64, table.count) else {
      return nil
    }
    let worth = worth.value
    let (dictionary, codes) = worth.dictionary
    let chunks = TwoCores.map(count: rows.count, onBoth: rows.count > 8) { number in
      coded(ChunkRows(table: table, number: number, candidates: rows[number]), worth, codes)
    }.compactMap(\.self)
    guard chunks.count == rows.count else { return nil }
    return Column(.attribute(.string), chunks: chunks, dictionary: dictionary)
  }

  private func coded(_ rows: ChunkRows, _ worth: Vector, _ codes: [UInt16]) -> ColumnChunk? {
    if rows.candidates.isEmpty { return ColumnChunk(.codes([])) }
    let numbers = numbers(rows)
    if var open = worth.unsure.map({ unsure in Bitmap(numbers) { unsure.has(Int($0)) } }) {
      open.formIntersection(rows.candidates)
      guard open.isEmpty else { return nil }
    }
    let nulls = worth.nulls.map { nulls in Bitmap(numbers) { nulls.has(Int($0)) } }
    return ColumnChunk(.codes(numbers.map { codes[Int($0)] }), nulls: nulls)
  }
}

extension LookupNode.Link {
  var count: Int {
    switch self {
    case .codes(_, let count), .one(_, let count), .several(_, let count): count
    case .numbers(let narrow): narrow.count
    }
  }
}

extension Vector {
  /// The distinct ones of its texts, and which of them each of the rows has.
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

/// What is made when it is first wanted, for all that want it.
final class Once<Made: Sendable>: Sendable {
  private let known = Mutex<Made?>(nil)
  private let make: @Sendable () -> Made

  init(_ make: @escaping @Sendable () -> Made) { self.make = make }

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
  /// What it is worth for all rows of a table.
  func whole(_ table: Table) -> Vector {
    var result = Vector.none(kind)
    for number in 0..<table.chunkCount {
      let rows = ChunkRows(
        table: table, number: number, candidates: table.liveRows(inChunk: number))
      result.append(vector(rows), rows.count)
    }
    return result
  }
}

extension VectorKind {
  /// The kind of some values, which have one; nil where they have several.
  static func of(_ values: [Value?]) -> VectorKind? {
    let kinds = values.compactMap { $0.flatMap { ConstantNode($0)?.kind } }
    guard values.allSatisfy({ $0.map { $0.isNull || ConstantNode($0) != nil } ?? true }) else {
      return nil
    }
    return kinds.isEmpty ? .integer : VectorKind.together(kinds)
  }
}
