import Foundation
import KuraGraph
import KuraModel
import KuraSentences
import KuraValues

/// `lowercase(title) BEGINSWITH "r"`: texts computed for a chunk, and a kernel that tests them like the texts of a
/// column.
struct ComputedTextKernel: ChunkKernel {
  let node: any VectorNode
  let kernel: any ChunkKernel

  var method: String { localized("whole columns, \(kernel.method)") }
  var cost: Double { node.cost + kernel.cost + 8 }
  var neverFallsBack: Bool { node.neverFallsBack && kernel.neverFallsBack }
  var reasonForFallback: String {
    (node.neverFallsBack ? kernel.reasonForFallback : node.reasonForFallback)
  }
  func prepare() { node.prepare() }

  private static let layout = TableLayout(root: "", entities: [], columns: [], slots: [])

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    if let text = (kernel as? TextKernel)?.wholeText { return answer(rows, equalTo: text) }
    let (chunk, fallback) = texts(rows)
    let table = Table(
      layout: Self.layout, columns: [Column(.attribute(.string), chunks: [chunk])])
    var answer = kernel.answer(
      ChunkRows(table: table, number: 0, candidates: rows.candidates))
    answer.fallback = answer.fallback.union(fallback)
    return answer
  }

  /// Compares texts in place.
  private func answer(_ rows: ChunkRows, equalTo text: [UInt8]) -> KernelAnswer {
    let vector = node.vector(rows)
    let passing = vector.texts.equal(to: text, rows.count).subtracting(vector.nulls)
      .negated((kernel as? TextKernel)?.isNegated == true)
    return KernelAnswer(passing: passing, fallback: vector.fallback)
  }

  private func texts(_ rows: ChunkRows) -> (chunk: ColumnChunk, fallback: Bitmap?) {
    if let known = (node as? JSONPathNode)?.texts(rows) { return known }
    let vector = node.vector(rows)
    let chunk = ColumnChunk(.text(vector.texts.chunk(rows.count)), nulls: vector.nulls)
    return (chunk, vector.fallback)
  }
}

extension TextLane {
  /// Returns the rows with this text.
  func equal(to text: [UInt8], _ count: Int) -> Bitmap {
    let lane = spread(count)
    let equal = lane.texts.equal(to: text)
    switch lane.places {
    case .own: return equal
    case .same: return Bitmap(count: count, filledWith: equal.has(0))
    case .numbered(let numbers): return Bitmap(numbers) { equal.has(Int($0)) }
    }
  }
}

extension TextViews {
  /// Returns the texts that have these bytes.
  fileprivate func equal(to text: [UInt8]) -> Bitmap {
    var result = Bitmap(count: count)
    withAccess { access in
      text.withUnsafeBufferPointer { text in
        let wanted = WantedText(text)
        for place in ends.indices where wanted.equals(access, place) { result.insert(place) }
      }
    }
    return result
  }
}

/// A text to compare with, first by its length and first eight bytes, which other texts rarely share.
private struct WantedText {
  private let text: UnsafeBufferPointer<UInt8>
  private let head: UInt64
  private let mask: UInt64

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    head = text.eight(from: 0)
    mask = text.count < 8 ? 1 << UInt64(text.count * 8) - 1 : ~0
  }

  @inline(__always)
  func equals(_ access: TextAccess, _ place: Int) -> Bool {
    let range = access.range(place)
    let word = access.bytes.eight(from: range.lowerBound)
    let differs = (word ^ head) & mask | UInt64(truncatingIfNeeded: range.count ^ text.count)
    return differs == 0 && hasAll(access.bytes, range.lowerBound)
  }

  private func hasAll(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    guard text.count > 8, let mine = bytes.baseAddress, let other = text.baseAddress else {
      return true
    }
    return memcmp(mine + start, other, text.count) == 0
  }
}
