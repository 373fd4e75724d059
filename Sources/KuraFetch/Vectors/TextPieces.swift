import KuraGraph
import KuraPredicates
import KuraValues

/// `substring(title, 0, 2)`: so many UTF-16 units of each row's text from a place on.
struct SubstringNode: VectorNode {
  let inner: any VectorNode
  let start: any VectorNode
  let length: any VectorNode

  init?(_ inner: any VectorNode, _ start: any VectorNode, _ length: any VectorNode) {
    guard inner.kind == .text, start.kind == .integer, length.kind == .integer else { return nil }
    (self.inner, self.start, self.length) = (inner, start, length)
  }

  var kind: VectorKind { .text }
  var parts: [any VectorNode] { [inner, start, length] }
  var cost: Double { inner.cost + start.cost + length.cost + 12 }
  var isSure: Bool {
    inner.isSure && start is ConstantNode && length is ConstantNode
  }

  func vector(_ rows: ChunkRows) -> Vector {
    let text = inner.vector(rows)
    let (from, units) = (start.vector(rows), length.vector(rows))
    var result = text
    if case (.all(let from), .all(let units)) = (from.integers, units.integers) {
      result.values = .texts(
        text.texts.map(rows.count) { $0.parts(from: from, units: units) })
    } else {
      let (from, units) = (from.integers.spread(rows.count), units.integers.spread(rows.count))
      let own = text.texts.ownForEach(rows.count)
      result.values = .texts(
        TextLane(texts: own.parts { (from[$0], units[$0]) }, places: .own))
    }
    result.unsure = text.unsure.union(from.unsure).union(units.unsure)
    guard let open = from.nulls.union(units.nulls) else { return result }
    return result.leaving(open)
  }
}

extension TextLane {
  /// A view for each row.
  func ownForEach(_ count: Int) -> TextViews {
    let numbers: [UInt32]
    switch places {
    case .own: return texts
    case .same: numbers = Array(repeating: 0, count: count)
    case .numbered(let known): numbers = known
    }
    return texts.withAccess { access in
      var (starts, ends) = ([UInt32](), [UInt32]())
      starts.reserveCapacity(count)
      ends.reserveCapacity(count)
      for number in numbers {
        let end = texts.ends[Int(number)]
        ends.append(end)
        starts.append(end - UInt32(access[Int(number)].count))
      }
      return TextViews(bytes: texts.bytes, starts: starts, ends: ends)
    }
  }
}

extension TextLane {
  /// A view for each row, with no more bytes behind them than they need.
  func compact(_ count: Int) -> TextViews {
    if case .own = places { return texts }
    var builder = TextBuilder(count)
    forEach(count) { builder.append($1) }
    return builder.texts
  }
}

/// `CAST(title, "NSNumber")`: the number that each row's text is.
struct NumberOfTextNode: VectorNode {
  let inner: any VectorNode

  init?(_ inner: any VectorNode) {
    guard inner.kind == .text else { return nil }
    self.inner = inner
  }

  var kind: VectorKind { .mixed }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + 60 }
  var isSure: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    let vector = inner.vector(rows)
    let texts = vector.texts.ownForEach(rows.count)
    var numbers = [Double](repeating: .nan, count: rows.count)
    texts.forEach { numbers[$0] = Self.number($1) }
    return Vector(.doubles(.each(numbers)), nulls: vector.nulls, unsure: vector.unsure)
      .leaving(Bitmap(numbers) { !($0.magnitude <= 0x1p53) })
  }

  /// Not a number where there is none, and where only the reference evaluator knows.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    if 1...15 ~= text.count, text.allSatisfy({ 0x30...0x39 ~= $0 }) {
      return Double(text.reduce(Int64(0)) { $0 * 10 + Int64($1 &- 0x30) })
    }
    switch NumberText.number(String(decoding: text, as: UTF8.self)) {
    case .integer(let x)?: return Double(x)
    case .double(let x)?: return x
    default: return .nan
    }
  }
}
