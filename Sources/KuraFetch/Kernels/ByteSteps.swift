import KuraGraph

/// An automaton byte by byte: one look at a table for each, whatever the text is written in.
///
/// The first byte of a scalar leads on where all scalars that begin so do the same, and the bytes that
/// continue it leave the state alone.
struct ByteSteps: Sendable {
  /// The next state, for each state and byte.
  private let steps: [UInt16]
  private let isAccepting: [Bool]
  /// Whether a text that begins with a byte may match, and whether one that ends with it may: of what is not
  /// ASCII any may.
  private let ends: (first: [UInt8], last: [UInt8])

  /// What a byte is in texts.
  enum Kind: Sendable {
    /// All scalars that begin with it are of one class, and of several
    case oneClass(Int), several
    /// It continues a scalar.
    case continuing
  }

  /// Nil for more states than are worth it.
  ///
  /// `table`: the next state for each state and class; `isSure`: whether all states that a text can lead to
  /// are there; `kinds`: by byte.
  init?(
    _ table: [UInt16], classes: Int, _ isAccepting: [Bool], isSure: Bool, kinds: [Kind]
  ) {
    guard isAccepting.count <= Self.most else { return nil }
    self.isAccepting = isAccepting
    let steps = isAccepting.indices.flatMap { state in
      kinds.map { kind in
        switch kind {
        case .oneClass(let number): table[state * classes + number]
        case .several: Automaton.unknown
        case .continuing: UInt16(state)
        }
      }
    }
    self.steps = steps
    var ends = (first: [UInt8](repeating: 1, count: 256), last: [UInt8](repeating: 1, count: 256))
    for byte in 0..<0x80 {
      ends.first[byte] = steps[Int(Automaton.start) << 8 | byte] == Automaton.dead ? 0 : 1
      let isLast = isAccepting.indices.dropFirst(Int(Automaton.start)).contains {
        isAccepting[Int(steps[$0 << 8 | byte])]
      }
      ends.last[byte] = isLast || !isSure ? 1 : 0
    }
    self.ends = ends
  }

  private static let most = 512
}

extension ByteSteps {
  /// The rows whose texts begin and end as one that matches; told for 64 of them by no branch.
  func mayMatch(_ texts: TextAccess, among candidates: Bitmap) -> Bitmap {
    var result = candidates
    ends.first.withUnsafeBufferPointer { first in
      ends.last.withUnsafeBufferPointer { last in
        for i in result.words.indices where result.words[i] != 0 {
          var word: UInt64 = 0
          for row in i << 6..<min(i << 6 + 64, candidates.count) {
            let range = texts.range(row)
            let may =
              range.isEmpty
              ? 1
              : first[Int(texts.bytes[range.lowerBound])]
                & last[Int(texts.bytes[range.upperBound &- 1])]
            word |= UInt64(may) << UInt64(row & 63)
          }
          result.words[i] &= word
        }
      }
    }
    return result
  }

  /// Whether the bytes in a range match as a whole; nil where single bytes do not tell.
  @inline(__always)
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool? {
    steps.withUnsafeBufferPointer { steps in
      var state = Int(Automaton.start)
      for place in range {
        state = Int(steps[state << 8 | Int(bytes[place])])
        if state <= Int(Automaton.unknown) { return state == Automaton.dead ? false : nil }
      }
      return isAccepting[state]
    }
  }
}
