import KuraGraph
import KuraPredicates
import KuraValues

extension ComputedNode {
  /// `link.host`, `homepage.port`: a part of each row's URI. URIs without a simple form are left to the reference
  /// evaluator. Returns nil for other messages.
  static func addressPart(_ address: any VectorNode, message: String) -> ComputedNode? {
    guard address.kind == .uri, let part = AddressPart(rawValue: message) else { return nil }
    let kind: VectorKind = part == .port ? .integer : .text
    return ComputedNode(kind, [address], cost: 20, isSure: false) { parts, rows in
      let uris = parts[0].texts.ownForEach(rows.count)
      var ranges = [Range<Int>](repeating: 0..<0, count: rows.count)
      var (missing, unknown) = (Bitmap(count: rows.count), Bitmap(count: rows.count))
      uris.forEach { row, uri in
        switch part.place(in: uri) {
        case .range(let range): ranges[row] = range
        case .missing: missing.insert(row)
        case .unknown: unknown.insert(row)
        }
      }
      var vector = parts[0].with(
        part == .port
          ? .integers(.each(uris.numbers(ranges)))
          : .texts(TextLane(texts: uris.parts(ranges), places: .own)))
      // A row without a URI has no part.
      vector.nulls = vector.nulls.union(missing.subtracting(vector.nulls).nonEmpty)
      return vector.leaving(unknown)
    }
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
