import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Synchronization

/// An expression of encoded values, evaluated once per code and gathered by code: `parentCategory.name`,
/// `lowercase(category)`, `year(date)`.
struct GatherNode: VectorNode {
  let encoding: Encoding
  let kind: VectorKind
  let isSure: Bool
  let costForAll: Double
  private let worth: Once<Vector>
  private let inner: (any VectorNode)?

  /// Evaluates a node for the table whose rows are the codes. `missing`: the value for the last code of a link, for
  /// which that table has no row; nil if only the reference evaluator knows it.
  init(_ inner: any VectorNode, _ encoded: EncodedScope, missing: Value?) {
    (encoding, kind, self.inner) = (encoded.encoding, inner.kind, inner)
    let (table, isLink) = (encoded.table, encoded.links != nil)
    isSure = inner.isSure && (!isLink || missing != nil)
    costForAll = inner.costForAll + inner.cost * Double(table.count)
    worth = Once {
      let values = inner.whole(table)
      return (isLink ? values.adding(missing, inner.kind) : values).knowingOddTexts
    }
  }

  /// Takes the values of all codes; nil if they are of several kinds. The reference evaluator knows missing values.
  init?(_ values: [Value?], _ encoding: Encoding) {
    guard let kind = VectorKind.of(values) else { return nil }
    (self.encoding, self.kind, inner, costForAll) = (encoding, kind, nil, 0)
    isSure = !values.contains { $0 == nil }
    let none = Vector.none(kind)
    worth = Once { values.reduce(none) { $0.adding($1, kind) } }
  }

  /// The values of all codes.
  var values: Vector { worth.value }

  var parts: [any VectorNode] { inner.map { [$0] } ?? [] }
  var cost: Double { 3 }
  func prepare() { _ = worth.value }
  func vector(_ rows: ChunkRows) -> Vector { worth.value.gathered(encoding.codes(rows.number)) }
}

extension GatherNode {
  /// Up to this many texts, equal ones are looked for.
  private static let mostTexts = 60_000

  /// The column of its texts as dictionary codes; nil if they are too many, or if a row is left to the reference
  /// evaluator.
  func coded(_ table: Table, _ rows: [Bitmap]) -> Column? {
    guard kind == .text, encoding.count <= Self.mostTexts,
      encoding.count * 4 < max(64, table.count)
    else { return nil }
    let (dictionary, texts) = values.dictionary
    let chunks = Workers.map(count: rows.count, inParallel: rows.count > 8) { number in
      coded(number, rows[number], texts)
    }.compactMap(\.self)
    guard chunks.count == rows.count else { return nil }
    return Column(.attribute(.string), chunks: chunks, dictionary: dictionary)
  }

  private func coded(_ number: Int, _ rows: Bitmap, _ texts: [UInt16]) -> ColumnChunk? {
    if rows.isEmpty { return ColumnChunk(.codes([])) }
    let codes = encoding.codes(number)
    if var open = values.unsure.map({ unsure in codes.rows { unsure.has(Int($0)) } }) {
      open.formIntersection(rows)
      guard open.isEmpty else { return nil }
    }
    let nulls = values.nulls.map { nulls in codes.rows { nulls.has(Int($0)) } }
    return ColumnChunk(.codes(codes.gathered(texts)), nulls: nulls)
  }
}

extension Vector {
  /// The value of each row's code.
  func gathered(_ codes: ChunkCodes) -> Vector {
    func bits(_ bits: Bitmap?) -> Bitmap? {
      guard let bits else { return nil }
      let rows = codes.rows { bits.has(Int($0)) }
      return rows.isEmpty ? nil : rows
    }
    let gathered: Numbers =
      switch values {
      case .integers(.each(let x)): .integers(.each(codes.gathered(x)))
      case .doubles(.each(let x)): .doubles(.each(codes.gathered(x)))
      case .decimals(.each(let x), let places):
        .decimals(.each(codes.gathered(x)), places: places)
      case .integers(.all), .doubles(.all), .decimals(.all, _): values
      case .texts(let lane): .texts(lane.gathered(codes.numbers))
      }
    return Vector(gathered, nulls: bits(nulls), unsure: bits(unsure))
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
    prepare()
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
