package import KuraValues
import Synchronization

/// What is made of a chunk's values when a second use shows that it pays.
///
/// All snapshots that share the chunk share it; a change of the chunk begins a new one.
package final class ChunkDerived: Sendable {
  private let made = Mutex<Made?>(nil)
  /// Whether there is anything to forget.
  private let isUsed = Atomic<Bool>(false)

  /// Only what is used has room for what is made: a wide table has many chunks.
  private final class Made: @unchecked Sendable {
    var state = State()
  }

  private struct State {
    var narrow: NarrowIntegers?
    var narrowUses = 0
    var folded: FoldedText?
    var foldUses = 0
    var bounds: ClosedRange<Int64>?
    /// Of doubles; known to be none where one is no number.
    var doubleBounds: ClosedRange<Double>??
    var scaled: ScaledIntegers?
    var keyed: [JSONKeys: KeyedJSON] = [:]
    var shape: JSONShape?
    var packed: TextChunk?
    var lengths: [UInt16]?
    var lengthUses = 0
    var heads: TextHeads?
    var headUses = 0
  }

  /// What more paths have is made anew each time.
  private static let mostPaths = 64
}

extension ChunkDerived {
  /// Forgets everything, where nobody else holds the chunk; else the changed chunk needs a new one.
  static func forget(_ derived: inout ChunkDerived) {
    if isKnownUniquelyReferenced(&derived) {
      if derived.isUsed.load(ordering: .relaxed) {
        derived.made.withLock { $0 = nil }
        derived.isUsed.store(false, ordering: .relaxed)
      }
    } else {
      derived = ChunkDerived()
    }
  }

  private func using<Answer>(_ body: (inout State) -> Answer) -> Answer {
    isUsed.store(true, ordering: .relaxed)
    return made.withLock { kept in
      let made = kept ?? Made()
      kept = made
      return body(&made.state)
    }
  }

  /// The integers in a byte or two each, from the second use on; nil where they do not fit.
  fileprivate func narrow(_ values: [Int64], _ nulls: Bitmap?) -> NarrowIntegers? {
    using { state in
      state.narrowUses += 1
      if state.narrowUses == 2 { state.narrow = NarrowIntegers(values, nulls) }
      return state.narrow
    }
  }

  fileprivate var isNarrow: Bool { made.withLock { $0?.state.narrow != nil } }

  /// The least and the greatest of the integers.
  fileprivate func bounds(_ values: [Int64], _ nulls: Bitmap?) -> ClosedRange<Int64>? {
    using { state in
      if state.bounds == nil {
        state.bounds = NarrowIntegers.bounds(values, nulls).map { $0.0...$0.1 }
      }
      return state.bounds
    }
  }

  /// The least and the greatest of the doubles.
  fileprivate func bounds(_ values: [Double]) -> ClosedRange<Double>? {
    using { state in
      if let known = state.doubleBounds { return known }
      let bounds = values.bounds
      state.doubleBounds = .some(bounds)
      return bounds
    }
  }

  /// The decimals as integers, made at first use.
  fileprivate func scaled(_ text: TextChunk, _ nulls: Bitmap?) -> ScaledIntegers {
    using { state in
      let scaled = state.scaled ?? ScaledIntegers(text, nulls)
      state.scaled = scaled
      return scaled
    }
  }

  fileprivate var isBounded: Bool { made.withLock { $0?.state.doubleBounds != nil } }

  /// What the JSON has at the end of some keys, made at first use, perhaps with that of others.
  func keyed(_ path: JSONKeys, _ make: () -> [JSONKeys: KeyedJSON]) -> KeyedJSON? {
    using { state in
      if let known = state.keyed[path] { return known }
      let made = make()
      if state.keyed.count + made.count <= Self.mostPaths {
        state.keyed.merge(made) { known, _ in known }
      } else if state.keyed.count < Self.mostPaths {
        state.keyed[path] = made[path]
      }
      return made[path]
    }
  }

  /// Which keys and kinds of values the JSON has, made at first use.
  func shape(_ make: () -> JSONShape) -> JSONShape {
    using { state in
      let shape = state.shape ?? make()
      state.shape = shape
      return shape
    }
  }

  /// The texts with those of the patch in their places.
  fileprivate func packed(_ text: TextChunk) -> TextChunk {
    using { state in
      let packed = state.packed ?? text.packed
      state.packed = packed
      return packed
    }
  }

  /// What is made of the texts at a second use, where all of it fits.
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

  /// How the texts begin, from the second use on.
  fileprivate func heads(_ text: TextChunk) -> TextHeads? {
    using { state in
      state.headUses += 1
      if state.headUses == 2 { state.heads = TextHeads(text) }
      return state.heads
    }
  }

  /// The texts folded, from the use on that pays for it.
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
  /// The chunk's texts without a patch, which is made one with the others once; nil of other values.
  package var packedTexts: TextChunk? {
    guard case .text(let text) = values else { return nil }
    return text.patch.isEmpty ? text : derived.packed(text)
  }

  /// The chunk's integers in a byte or two each; nil until a second use, and where they do not fit.
  package var narrow: NarrowIntegers? {
    guard case .integers(let values) = values else { return nil }
    return derived.narrow(values, nulls)
  }

  /// Whether its integers are there in a byte or two each; asking is no use of them.
  package var isNarrow: Bool { derived.isNarrow }

  /// The least and the greatest of the chunk's integers; nil if all are null.
  package var integerBounds: ClosedRange<Int64>? {
    guard case .integers(let values) = values else { return nil }
    return derived.bounds(values, nulls)
  }

  /// The chunk's decimals as integers on one scale; nil of other values than texts.
  package var scaledIntegers: ScaledIntegers? {
    packedTexts.map { derived.scaled($0, nulls) }
  }

  /// The lengths of the chunk's texts, which are counted at a second use; nil until then, and where one is too
  /// long for two bytes.
  package func keptLengths(_ count: () -> [Int64]) -> [UInt16]? { derived.lengths(count) }

  /// How the chunk's texts begin; nil until a second use.
  package var textHeads: TextHeads? { packedTexts.flatMap { derived.heads($0) } }

  /// The least and the greatest of the chunk's doubles, those of rows without a value among them; nil where
  /// one is no number.
  package var doubleBounds: ClosedRange<Double>? {
    guard case .doubles(let values) = values else { return nil }
    return derived.bounds(values)
  }

  /// Whether the bounds of its doubles are known.
  package var isBounded: Bool { derived.isBounded }

  /// The chunk's texts folded under [cd]; nil until the use that is to pay for it.
  package func folded(atUse use: Int) -> FoldedText? {
    guard case .text(let text) = values else { return nil }
    return derived.folded(text, atUse: use)
  }
}

extension [Double] {
  /// The least and the greatest; nil where one is no number, and where there are none.
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
