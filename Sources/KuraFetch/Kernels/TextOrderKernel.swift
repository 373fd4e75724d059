import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// Texts by their place in the order of Unicode scalars, which is that of their bytes, or by being
/// one of some: `title < "k"`, `title BETWEEN {"a", "b"}`, `title IN {"x", "y"}`.
struct TextOrderKernel: ColumnKernel {
  let column: Int
  let key: String
  private let test: Test

  private enum Test: Sendable {
    /// From the first text on, up to the second; whether the ends belong to it.
    case range(from: [UInt8]?, fromIn: Bool, to: [UInt8]?, toIn: Bool)
    case oneOf(TextSet)
  }

  /// Nil for other operators, and under options: then the order is Foundation's.
  init?(_ question: LeafQuestion, _ column: Int, _ key: String, _ options: TextOptions) {
    guard options.isEmpty || options == .normalized else { return nil }
    self.column = column
    self.key = key
    switch (question.comparison.operation, question.literal) {
    case (.less, .string(let x)):
      test = .range(from: nil, fromIn: true, to: Array(x.utf8), toIn: false)
    case (.lessOrEqual, .string(let x)):
      test = .range(from: nil, fromIn: true, to: Array(x.utf8), toIn: true)
    case (.greater, .string(let x)):
      test = .range(from: Array(x.utf8), fromIn: false, to: nil, toIn: true)
    case (.greaterOrEqual, .string(let x)):
      test = .range(from: Array(x.utf8), fromIn: true, to: nil, toIn: true)
    case (.between, .list(let bounds)):
      guard bounds.count == 2, case .string(let x) = bounds[0], case .string(let y) = bounds[1]
      else { return nil }
      test = .range(from: Array(x.utf8), fromIn: true, to: Array(y.utf8), toIn: true)
    case (.in, .list(let elements)):
      guard let texts = TextOrderKernel.texts(elements) else { return nil }
      test = .oneOf(texts)
    default: return nil
    }
  }

  private static func texts(_ elements: [Value]) -> TextSet? {
    var texts: [String] = []
    for element in elements where !element.isNull {
      guard case .string(let text) = element else { return nil }
      texts.append(text)
    }
    return TextSet(texts)
  }

  var method: String {
    switch test {
    case .range: localized("order of the bytes of \(key)")
    case .oneOf: localized("one of some texts of \(key)")
    }
  }
  var cost: Double {
    switch test {
    case .range: 8
    case .oneOf: 15
    }
  }
}

extension TextOrderKernel {
  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    switch test {
    case .oneOf(let texts):
      result = texts.rows(of: text, among: rows.candidates)
    case .range(let from, let fromIn, let to, let toIn):
      let passes = { (text: UnsafeBufferPointer<UInt8>) in
        isBetween(text, from, fromIn, to, toIn)
      }
      text.bytes.withUnsafeBufferPointer { bytes in
        rows.candidates.eachRow { row in
          let isHit = passes(UnsafeBufferPointer(rebasing: bytes[text.packedRange(row)]))
          if isHit { result.insert(row) }
        }
      }
      for (row, patched) in text.patch { result[row] = patched.withUnsafeBufferPointer(passes) }
    }
    return result.settingNulls(chunk.nulls, to: false)
  }

  private func isBetween(
    _ text: UnsafeBufferPointer<UInt8>, _ from: [UInt8]?, _ fromIn: Bool, _ to: [UInt8]?,
    _ toIn: Bool
  ) -> Bool {
    if let from, !(from.withUnsafeBufferPointer { isOrdered($0, text, orEqual: fromIn) }) {
      return false
    }
    guard let to else { return true }
    return to.withUnsafeBufferPointer { isOrdered(text, $0, orEqual: toIn) }
  }

  private func isOrdered(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, orEqual: Bool
  ) -> Bool {
    let order = Bytes.compare(a, b)
    return order == .before || (orEqual && order == .same)
  }
}
