package import KuraValues
import Synchronization

/// Data derived from a chunk's values. Most of it is created at the second use, because more uses
/// are then likely.
///
/// All snapshots with the chunk share this object; changing the chunk starts a new object.
package final class ChunkDerived: Sendable {
  private let cache = Mutex<Cache?>(nil)
  private let isUsed = Atomic<Bool>(false)

  /// Allocated on first use, because a wide table has many chunks.
  private final class Cache: @unchecked Sendable {
    var state = State()
  }

  private struct State {
    var frameOfReference: FrameOfReferenceIntegers?
    var frameOfReferenceUses = 0
    /// The days of dates in a zone.
    var days: FrameOfReferenceIntegers?
    var dayUses = 0
    var dayZone: ZoneRules?
    var folded: FoldedText?
    var foldUses = 0
    var bounds: ClosedRange<Int64>?
    /// The bounds of doubles; `.some(nil)` if one is NaN.
    var doubleBounds: ClosedRange<Double>??
    var scaled: ScaledIntegers?
    var keyed: [JSONKeys: KeyedJSON] = [:]
    var shape: JSONShape?
    var packed: TextChunk?
    /// The rows whose texts have another canonical form; `.some(nil)` if there are none.
    var recomposed: Bitmap??
    var lengths: [UInt16]?
    var lengthUses = 0
    var heads: TextHeads?
    var headUses = 0
  }

  /// The maximum number of cached paths; others are computed each time.
  private static let mostPaths = 64
}

extension ChunkDerived {
  /// Discards the derived data if the chunk is unshared; otherwise starts a new object for the changed chunk.
  static func forget(_ derived: inout ChunkDerived) {
    if isKnownUniquelyReferenced(&derived) {
      if derived.isUsed.load(ordering: .relaxed) {
        derived.cache.withLock { $0 = nil }
        derived.isUsed.store(false, ordering: .relaxed)
      }
    } else {
      derived = ChunkDerived()
    }
  }

  private func using<Answer>(_ body: (inout State) -> Answer) -> Answer {
    isUsed.store(true, ordering: .relaxed)
    return cache.withLock { cache in
      let current = cache ?? Cache()
      cache = current
      return body(&current.state)
    }
  }

  /// Returns the integers in one or two bytes each, from the second use on; nil if they do not fit.
  fileprivate func frameOfReference(_ values: [Int64], _ nulls: Bitmap?)
    -> FrameOfReferenceIntegers?
  {
    using { state in
      state.frameOfReferenceUses += 1
      if state.frameOfReferenceUses == 2 {
        state.frameOfReference = FrameOfReferenceIntegers(values, nulls)
      }
      return state.frameOfReference
    }
  }

  /// Returns the days of dates in a zone, from the second use on; nil if they do not fit into two bytes.
  fileprivate func days(
    in zone: ZoneRules, _ make: () -> FrameOfReferenceIntegers?
  ) -> FrameOfReferenceIntegers? {
    using { state in
      if state.dayZone != zone { (state.dayZone, state.dayUses, state.days) = (zone, 0, nil) }
      state.dayUses += 1
      if state.dayUses == 2 { state.days = make() }
      return state.days
    }
  }

  fileprivate var hasFrameOfReference: Bool { cache.withLock { $0?.state.frameOfReference != nil } }

  fileprivate func bounds(_ values: [Int64], _ nulls: Bitmap?) -> ClosedRange<Int64>? {
    using { state in
      if state.bounds == nil {
        state.bounds = FrameOfReferenceIntegers.bounds(values, nulls).map { $0.0...$0.1 }
      }
      return state.bounds
    }
  }

  fileprivate func bounds(_ values: [Double]) -> ClosedRange<Double>? {
    using { state in
      if let known = state.doubleBounds { return known }
      let bounds = values.bounds
      state.doubleBounds = .some(bounds)
      return bounds
    }
  }

  /// Returns the decimals as integers, created on first use.
  fileprivate func scaled(_ text: TextChunk, _ nulls: Bitmap?) -> ScaledIntegers {
    using { state in
      let scaled = state.scaled ?? ScaledIntegers(text, nulls)
      state.scaled = scaled
      return scaled
    }
  }

  fileprivate var isBounded: Bool { cache.withLock { $0?.state.doubleBounds != nil } }

  /// Returns the JSON values at a path, created on first use, possibly with those at other paths.
  func keyed(_ path: JSONKeys, _ make: () -> [JSONKeys: KeyedJSON]) -> KeyedJSON? {
    using { state in
      if let known = state.keyed[path] { return known }
      let new = make()
      if state.keyed.count + new.count <= Self.mostPaths {
        state.keyed.merge(new) { known, _ in known }
      } else if state.keyed.count < Self.mostPaths {
        state.keyed[path] = new[path]
      }
      return new[path]
    }
  }

  /// Returns the keys and kinds of values in the JSON, created on first use.
  func shape(_ make: () -> JSONShape) -> JSONShape {
    using { state in
      let shape = state.shape ?? make()
      state.shape = shape
      return shape
    }
  }

  /// Returns the texts with their patch applied.
  fileprivate func packed(_ text: TextChunk) -> TextChunk {
    using { state in
      let packed = state.packed ?? text.packed
      state.packed = packed
      return packed
    }
  }

  fileprivate func recomposed(_ text: TextChunk) -> Bitmap? {
    using { state in
      if let known = state.recomposed { return known }
      let rows = text.recomposedRows
      state.recomposed = .some(rows)
      return rows
    }
  }

  /// Returns the lengths of texts from the second use on; nil if one does not fit.
  fileprivate func lengths(_ make: () -> [Int64]) -> [UInt16]? {
    using { state in
      state.lengthUses += 1
      if state.lengthUses == 2 {
        let lengths = make()
        let short = lengths.compactMap { UInt16(exactly: $0) }
        state.lengths = short.count == lengths.count ? short : nil
      }
      return state.lengths
    }
  }

  /// Returns the heads of the texts, from the second use on.
  fileprivate func heads(_ text: TextChunk) -> TextHeads? {
    using { state in
      state.headUses += 1
      if state.headUses == 2 { state.heads = TextHeads(text) }
      return state.heads
    }
  }

  /// Returns the folded texts, from a given use on.
  fileprivate func folded(_ text: TextChunk, atUse use: Int) -> FoldedText? {
    using { state in
      state.foldUses += 1
      if state.folded == nil, state.foldUses >= use {
        state.folded = FoldedText(bytes: text.bytes, ends: text.ends) {
          text.isOdd($0) || text.patch[$0] != nil
        }
      }
      return state.folded
    }
  }
}

extension ColumnChunk {
  /// The chunk's texts with the patch applied once; nil for other values.
  package var packedTexts: TextChunk? {
    guard case .text(let text) = values else { return nil }
    return text.patch.isEmpty ? text : derived.packed(text)
  }

  /// The rows whose texts have another canonical form, without the rows of a patch; nil if there are none.
  package var recomposedRows: Bitmap? {
    guard case .text(let text) = values, text.oddRows != nil else { return nil }
    return derived.recomposed(text)
  }

  /// The chunk's integers in one or two bytes each; nil until the second use, and if they do not fit.
  package var frameOfReference: FrameOfReferenceIntegers? {
    guard case .integers(let values) = values else { return nil }
    return derived.frameOfReference(values, nulls)
  }

  /// Returns the days of the chunk's dates in one or two bytes each, as local midnights; nil until the second use, and
  /// if they do not fit. `midnights` returns the local midnight of each date.
  package func days(
    in zone: ZoneRules, _ midnights: ([Int64]) -> [Int64]
  ) -> FrameOfReferenceIntegers? {
    guard case .integers(let values) = values else { return nil }
    return derived.days(in: zone) { FrameOfReferenceIntegers(midnights(values), nulls) }
  }

  /// Whether the compact integers exist; this does not count as a use.
  package var hasFrameOfReference: Bool { derived.hasFrameOfReference }

  /// The bounds of the chunk's integers; nil if all are null.
  package var integerBounds: ClosedRange<Int64>? {
    guard case .integers(let values) = values else { return nil }
    return derived.bounds(values, nulls)
  }

  /// The chunk's decimals as integers on one scale; nil for values other than texts.
  package var scaledIntegers: ScaledIntegers? {
    packedTexts.map { derived.scaled($0, nulls) }
  }

  /// Returns the lengths of the chunk's texts from the second use on; nil before, and if one does
  /// not fit into two bytes.
  package func cachedLengths(_ count: () -> [Int64]) -> [UInt16]? { derived.lengths(count) }

  /// The heads of the chunk's texts; nil until the second use.
  package var textHeads: TextHeads? { packedTexts.flatMap { derived.heads($0) } }

  /// The bounds of the chunk's doubles, including placeholders of null rows; nil if one is NaN.
  package var doubleBounds: ClosedRange<Double>? {
    guard case .doubles(let values) = values else { return nil }
    return derived.bounds(values)
  }

  /// Whether the bounds of its doubles are known.
  package var isBounded: Bool { derived.isBounded }

  /// Returns the chunk's texts folded under [cd]; nil before the given use.
  package func folded(atUse use: Int) -> FoldedText? {
    guard case .text(let text) = values else { return nil }
    return derived.folded(text, atUse: use)
  }
}

extension TextChunk {
  fileprivate var recomposedRows: Bitmap? {
    guard let oddRows else { return nil }
    var rows = Bitmap(count: ends.count)
    bytes.withUnsafeBufferPointer { bytes in
      for row in ends.indices where oddRows[row] {
        rows[row] = !UnsafeBufferPointer(rebasing: bytes[packedRange(row)]).isComposed
      }
    }
    return rows.isEmpty ? nil : rows
  }
}

extension [Double] {
  /// The least and greatest element; nil if one is NaN, or if there are none.
  fileprivate var bounds: ClosedRange<Double>? {
    guard var low = first else { return nil }
    var (high, isNumber) = (low, true)
    for value in self {
      low = value < low ? value : low
      high = value > high ? value : high
      isNumber = isNumber && value == value
    }
    return isNumber ? low...high : nil
  }
}
