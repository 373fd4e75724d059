package import KuraValues
import Synchronization

/// Data derived from a chunk's values. Most of it is created at the second use, because more uses
/// are then likely.
///
/// All snapshots with the chunk share this object; changing the chunk starts a new object.
package final class ChunkDerived: Sendable {
  fileprivate let cache = Mutex<Cache?>(nil)
  private let isUsed = Atomic<Bool>(false)

  /// Allocated on first use, because a wide table has many chunks.
  fileprivate final class Cache: @unchecked Sendable {
    var state = State()
  }

  fileprivate struct State {
    var frameOfReference = ValueAtUse<FrameOfReferenceIntegers?>()
    /// The days of dates in a zone.
    var days = ValueAtUse<FrameOfReferenceIntegers?>()
    var dayZone: ZoneRules?
    /// The keys of the texts by folding, and the keys with the order of the texts.
    var keys: [TextFold.ID: TextKeys] = [:]
    var sortKeys: [TextFold.ID: TextChunk] = [:]
    var bounds: ClosedRange<Int64>??
    /// The bounds of doubles; `.some(nil)` if one is NaN.
    var doubleBounds: ClosedRange<Double>??
    var scaled: ScaledIntegers?
    var keyed: [JSONKeys: KeyedJSON] = [:]
    var shape: JSONShape?
    var packed: TextChunk?
    var lengths = ValueAtUse<[UInt16]?>()
    var heads = ValueAtUse<TextHeads>()
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

  fileprivate func using<Answer>(_ body: (inout State) -> Answer) -> Answer {
    isUsed.store(true, ordering: .relaxed)
    return cache.withLock { cache in
      let current = cache ?? Cache()
      cache = current
      return body(&current.state)
    }
  }

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
  func shape(_ make: () -> JSONShape) -> JSONShape { using { $0.shape.orMade(make) } }
}

extension Optional {
  /// Returns the value, created on first use.
  fileprivate mutating func orMade(_ make: () -> Wrapped) -> Wrapped {
    let made = self ?? make()
    self = made
    return made
  }
}

extension ColumnChunk {
  /// The chunk's texts with the patch applied once; nil for other values.
  package var packedTexts: TextChunk? {
    guard case .text(let text) = values else { return nil }
    return text.patch.isEmpty ? text : derived.using { $0.packed.orMade { text.packed } }
  }

  /// The chunk's integers in one or two bytes each; nil until the second use, and if they do not fit.
  package var frameOfReference: FrameOfReferenceIntegers? {
    guard case .integers(let values) = values else { return nil }
    return derived.using {
      $0.frameOfReference.value(atUse: 2) { FrameOfReferenceIntegers(values, nulls) } ?? nil
    }
  }

  /// Returns the days of the chunk's dates in one or two bytes each, as local midnights; nil until the second use, and
  /// if they do not fit. `midnights` returns the local midnight of each date.
  package func days(
    in zone: ZoneRules, _ midnights: ([Int64]) -> [Int64]
  ) -> FrameOfReferenceIntegers? {
    guard case .integers(let values) = values else { return nil }
    return derived.using { state in
      if state.dayZone != zone { (state.dayZone, state.days) = (zone, .init()) }
      let days = state.days.value(atUse: 2) { FrameOfReferenceIntegers(midnights(values), nulls) }
      return days ?? nil
    }
  }

  /// Whether the compact integers exist; this does not count as a use.
  package var hasFrameOfReference: Bool {
    derived.cache.withLock { ($0?.state.frameOfReference.made ?? nil) != nil }
  }

  /// The bounds of the chunk's integers; nil if all are null.
  package var integerBounds: ClosedRange<Int64>? {
    guard case .integers(let values) = values else { return nil }
    return derived.using {
      $0.bounds.orMade { FrameOfReferenceIntegers.bounds(values, nulls).map { $0.0...$0.1 } }
    }
  }

  /// The chunk's decimals as integers on one scale; nil for values other than texts.
  package var scaledIntegers: ScaledIntegers? {
    packedTexts.map { text in derived.using { $0.scaled.orMade { ScaledIntegers(text, nulls) } } }
  }

  /// Returns the lengths of the chunk's texts from the second use on; nil before, and if one does
  /// not fit into two bytes.
  package func cachedLengths(_ count: () -> [Int64]) -> [UInt16]? {
    derived.using {
      $0.lengths.value(atUse: 2) {
        let lengths = count()
        let short = lengths.compactMap { UInt16(exactly: $0) }
        return short.count == lengths.count ? short : nil
      } ?? nil
    }
  }

  /// The heads of the chunk's texts; nil until the second use.
  package var textHeads: TextHeads? {
    packedTexts.flatMap { text in derived.using { $0.heads.value(atUse: 2) { TextHeads(text) } } }
  }

  /// The bounds of the chunk's doubles, including placeholders of null rows; nil if one is NaN.
  package var doubleBounds: ClosedRange<Double>? {
    guard case .doubles(let values) = values else { return nil }
    return derived.using { $0.doubleBounds.orMade { values.bounds } }
  }

  /// Whether the bounds of its doubles are known.
  package var isBounded: Bool { derived.cache.withLock { $0?.state.doubleBounds != nil } }

  /// Returns the keys of the chunk's texts under a folding, created at the first use; nil for other values. If `few`
  /// rows are given and no keys exist, only their keys are created, and the others are empty.
  package func keys(_ fold: TextFold, ofFew few: Bitmap? = nil) -> TextChunk? {
    keysInText(fold, few)?.texts
  }

  /// Returns the keys as bytes with the order of the texts under a folding, like `keys`.
  package func sortKeys(_ fold: TextFold, ofFew few: Bitmap? = nil) -> TextChunk? {
    guard let keys = keysInText(fold, few) else { return nil }
    return derived.using { state in
      if let known = state.sortKeys[fold.id] { return known }
      let sorted = keys.sorted
      if keys.isComplete { state.sortKeys[fold.id] = sorted }
      return sorted
    }
  }

  private func keysInText(_ fold: TextFold, _ few: Bitmap?) -> TextKeys? {
    if let known = derived.using({ $0.keys[fold.id] }) { return known }
    guard let text = packedTexts else { return nil }
    return derived.using { state in
      if let known = state.keys[fold.id] { return known }
      let made = TextKeys(text, fold, of: few)
      if few == nil { state.keys[fold.id] = made }
      return made
    }
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
