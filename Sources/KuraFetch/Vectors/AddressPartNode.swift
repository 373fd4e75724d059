import KuraGraph
import KuraPredicates
import KuraValues

/// `link.host`, `homepage.port`: a part of each row's URI. URIs without a simple form are left to the reference
/// evaluator.
struct AddressPartNode: VectorNode {
  private let inner: any VectorNode
  private let part: AddressPart

  /// Returns nil for other messages.
  init?(_ inner: any VectorNode, message: String) {
    guard inner.kind == .uri, let part = AddressPart(rawValue: message) else { return nil }
    (self.inner, self.part) = (inner, part)
  }

  var kind: VectorKind { part == .port ? .integer : .text }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + 20 }
  var neverFallsBack: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    var vector = inner.vector(rows)
    let uris = vector.texts.ownForEach(rows.count)
    var ranges = [Range<Int>](repeating: 0..<0, count: rows.count)
    var (missing, unknown) = (Bitmap(count: rows.count), Bitmap(count: rows.count))
    uris.forEach { row, uri in
      switch part.place(in: uri) {
      case .range(let range): ranges[row] = range
      case .missing: missing.insert(row)
      case .unknown: unknown.insert(row)
      }
    }
    vector.values =
      part == .port
      ? .integers(.each(uris.numbers(ranges)))
      : .texts(TextLane(texts: uris.parts(ranges), places: .own))
    // A row without a URI has no part.
    missing.subtract(vector.nulls ?? Bitmap(count: rows.count))
    if !missing.isEmpty { vector.nulls = vector.nulls.union(missing) }
    return vector.leaving(unknown)
  }
}

extension TextViews {
  /// Returns a range of the bytes of each text.
  fileprivate func parts(_ ranges: [Range<Int>]) -> TextViews {
    var result = self
    result.starts = ranges.indices.map { start(of: $0) + UInt32(ranges[$0].lowerBound) }
    result.ends = ranges.indices.map { start(of: $0) + UInt32(ranges[$0].upperBound) }
    return result
  }

  /// Returns the numbers that the digits in the ranges are.
  fileprivate func numbers(_ ranges: [Range<Int>]) -> [Int64] {
    var result = [Int64](repeating: 0, count: count)
    forEach { place, text in
      for byte in text[ranges[place]] { result[place] = result[place] * 10 + Int64(byte & 15) }
    }
    return result
  }
}
