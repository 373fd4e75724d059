import KuraGraph

/// A deterministic finite automaton over Unicode scalars in UTF-8.
///
/// Scalars that no part of the pattern distinguishes form a class. A state is a row of the table with the next state
/// for each class.
struct Automaton: Sendable {
  /// The class of each ASCII byte.
  private var asciiClasses = [UInt8](repeating: 0, count: 128)
  /// The first scalar of each class, ascending from 0.
  private let cuts: [UInt32]
  /// The next state, for each state and class.
  private var table: [UInt16] = []
  private var isAccepting: [Bool] = []
  /// The automaton byte by byte, which is faster; nil if it is not possible.
  private var steps: ByteSteps?

  static let dead: UInt16 = 0
  /// The state after a scalar beyond ASCII that meets a set known only for ASCII.
  static let unknown: UInt16 = 1
  static let start: UInt16 = 2

  /// Whether it has an answer for every text.
  let neverFallsBack: Bool

  /// Returns nil if it would have too many states or classes.
  init?(_ syntax: RegularSyntax) {
    guard let positions = Positions(syntax.tree) else { return nil }
    cuts = positions.cuts
    neverFallsBack = positions.sets.allSatisfy { !$0.isASCIIOnly }
    guard cuts.count < 250 else { return nil }
    for byte in 0..<128 {
      asciiClasses[byte] = UInt8(cuts.lastIndex { $0 <= UInt32(byte) } ?? 0)
    }
    guard build(positions) else { return nil }
    steps = ByteSteps(
      table, classes: cuts.count, isAccepting, neverFallsBack: neverFallsBack,
      kinds: (UInt8.min...UInt8.max).map(kind))
  }
}

extension Automaton {
  /// Creates the states that are reachable from the start.
  private mutating func build(_ positions: Positions) -> Bool {
    var made = MadeStates(positions)
    var state = 0
    while state < made.states.count {
      isAccepting.append(made.states[state].accepts)
      for cut in cuts {
        guard let next = made.next(of: state, by: cut) else { return false }
        table.append(next)
      }
      state += 1
    }
    return true
  }

  /// The states found so far, each with the places that may follow.
  private struct MadeStates {
    struct State: Hashable {
      var next: [Int] = []
      var accepts = false
    }

    private static let most = 1000
    private let positions: Positions
    private(set) var states: [State]
    private var numbers: [State: UInt16]
    /// The states per set of places that were read last; there are more such sets than states.
    private var read: [[Int]: UInt16] = [:]

    init(_ positions: Positions) {
      self.positions = positions
      let first = State(next: positions.first, accepts: positions.isNullable)
      states = [State(), State(), first]
      numbers = [first: Automaton.start]
    }

    /// Returns the state after a scalar of a class; nil if there are too many states.
    mutating func next(of state: Int, by cut: UInt32) -> UInt16? {
      guard state >= Automaton.start else { return UInt16(state) }
      guard let moved = positions.move(states[state].next, cut) else { return Automaton.unknown }
      if moved.isEmpty { return Automaton.dead }
      if let known = read[moved] { return known }
      let (next, accepts) = positions.end(of: moved)
      let number = number(of: State(next: next, accepts: accepts))
      read[moved] = number
      return number
    }

    private mutating func number(of state: State) -> UInt16? {
      if let known = numbers[state] { return known }
      guard states.count < Self.most else { return nil }
      let number = UInt16(states.count)
      numbers[state] = number
      states.append(state)
      return number
    }
  }

  /// Returns whether the bytes in a range match as a whole; nil if ICU must decide.
  @inline(__always)
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool? {
    steps?.matches(bytes, range) ?? matchesScalars(bytes, range)
  }

  /// Returns the rows with texts that may match, according to their first and last bytes.
  func mayMatch(_ texts: TextAccess, among candidates: Bitmap) -> Bitmap {
    steps?.mayMatch(texts, among: candidates) ?? candidates
  }

  /// Returns whether all scalars that begin with a byte have one class.
  private func kind(_ byte: UInt8) -> ByteSteps.Kind {
    guard let scalars = Self.scalars(byte) else { return .continuing }
    let kind = kind(scalars.lowerBound)
    return kind == self.kind(scalars.upperBound) ? .oneClass(kind) : .several
  }

  /// Returns the scalars that begin with a byte; nil for a continuation byte.
  private static func scalars(_ byte: UInt8) -> ClosedRange<UInt32>? {
    let byte32 = UInt32(byte)
    switch byte {
    case ..<0x80: return byte32...byte32
    case ..<0xC0: return nil
    case ..<0xE0: return (byte32 & 0x1F) << 6...(byte32 & 0x1F) << 6 | 0x3F
    case ..<0xF0: return (byte32 & 0x0F) << 12...(byte32 & 0x0F) << 12 | 0xFFF
    default: return (byte32 & 0x07) << 18...(byte32 & 0x07) << 18 | 0x3FFFF
    }
  }

  private func matchesScalars(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool? {
    var state = Automaton.start
    var place = range.lowerBound
    let classes = cuts.count
    return table.withUnsafeBufferPointer { table in
      asciiClasses.withUnsafeBufferPointer { ascii in
        while place < range.upperBound {
          let byte = bytes[place]
          let kind: Int
          if byte < 0x80 {
            kind = Int(ascii[Int(byte)])
            place += 1
          } else {
            kind = self.kind(scalar(bytes, &place))
          }
          state = table[Int(state) * classes + kind]
          if state <= Automaton.unknown { return state == Automaton.dead ? false : nil }
        }
        return isAccepting[Int(state)]
      }
    }
  }

  /// Returns the class of a scalar.
  private func kind(_ scalar: UInt32) -> Int {
    cuts.indices.partitioningIndex { cuts[$0] > scalar } - 1
  }

  /// Reads a scalar of valid UTF-8 that is not ASCII.
  private func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32 {
    let lead = bytes[place]
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for i in 1..<length { value = value << 6 | UInt32(bytes[place + i] & 0x3F) }
    place += length
    return value
  }
}

/// An automaton byte by byte, with one table lookup per byte in every script.
///
/// The first byte of a scalar changes the state if all scalars with that byte have the same effect. Continuation bytes
/// keep the state.
struct ByteSteps: Sendable {
  /// The next state, for each state and byte.
  private let steps: [UInt16]
  private let isAccepting: [Bool]
  /// Whether a text may match if it begins with a byte, and if it ends with a byte. Every byte beyond ASCII may match.
  private let ends: (first: [UInt8], last: [UInt8])

  /// The role of a byte in texts.
  enum Kind: Sendable {
    /// All scalars that begin with it have one class; several classes
    case oneClass(Int), several
    /// It continues a scalar.
    case continuing
  }

  /// Returns nil if there are too many states.
  ///
  /// `table`: the next state for each state and class. `neverFallsBack`: whether the table has all reachable states. `kinds`:
  /// the role of each byte.
  init?(
    _ table: [UInt16], classes: Int, _ isAccepting: [Bool], neverFallsBack: Bool, kinds: [Kind]
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
      ends.last[byte] = isLast || !neverFallsBack ? 1 : 0
    }
    self.ends = ends
  }

  private static let most = 512
}

extension ByteSteps {
  /// Returns the rows with texts that have a first and a last byte of a match, without a branch per text.
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

  /// Returns whether the bytes in a range match as a whole; nil if single bytes do not decide.
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

/// The places of a pattern that read a scalar, and the places that may follow each (Glushkov).
struct Positions {
  private(set) var sets: [ScalarSet] = []
  private var follow: [Set<Int>] = []
  private var last: Set<Int> = []
  private(set) var first: [Int] = []
  private(set) var isNullable = false
  private(set) var cuts: [UInt32] = []

  /// Returns nil if there are too many places.
  init?(_ tree: RegularSyntax.Node) {
    guard let part = part(tree) else { return nil }
    first = part.first.sorted()
    last = part.last
    isNullable = part.isNullable
    keepLineFeedsOff()
    cuts = Positions.cuts(sets)
  }

  private struct Part {
    var first: Set<Int> = []
    var last: Set<Int> = []
    var isNullable = true
  }

  /// Adds copies of all places that do not read a line feed; sets that no line feed may follow continue with the
  /// copies.
  private mutating func keepLineFeedsOff() {
    let lone = sets.indices.filter { sets[$0].isBeforeNoLineFeed }
    let count = sets.count
    guard !lone.isEmpty else { return }
    sets += sets.map { $0.without("\n") }
    last.formUnion(last.map { $0 + count })
    for place in lone { follow[place] = Set(follow[place].map { $0 + count }) }
    follow += follow
  }

  /// Returns the first scalar of each class; it represents the whole class.
  private static func cuts(_ sets: [ScalarSet]) -> [UInt32] {
    var cuts: Set<UInt32> = [0, 0x80]
    for range in sets.flatMap(\.ranges) {
      cuts.insert(range.lowerBound)
      if range.upperBound < ScalarSet.last { cuts.insert(range.upperBound + 1) }
    }
    return cuts.sorted()
  }
}

extension Positions {
  private mutating func part(_ node: RegularSyntax.Node) -> Part? {
    switch node {
    case .one(let set):
      guard sets.count < 400 else { return nil }
      sets.append(set)
      follow.append([])
      let place: Set<Int> = [sets.count - 1]
      return Part(first: place, last: place, isNullable: false)
    case .sequence(let nodes):
      var result = Part()
      for node in nodes {
        guard let next = part(node) else { return nil }
        result = join(result, next)
      }
      return result
    case .choice(let nodes):
      var result = Part(isNullable: false)
      for node in nodes {
        guard let next = part(node) else { return nil }
        result.first.formUnion(next.first)
        result.last.formUnion(next.last)
        result.isNullable = result.isNullable || next.isNullable
      }
      return result
    case .several(let inner, let range, let least): return several(inner, range, least)
    }
  }

  private mutating func join(_ a: Part, _ b: Part) -> Part {
    for place in a.last { follow[place].formUnion(b.first) }
    return Part(
      first: a.isNullable ? a.first.union(b.first) : a.first,
      last: b.isNullable ? a.last.union(b.last) : b.last, isNullable: a.isNullable && b.isNullable)
  }

  /// Expands repetitions: `a{2,4}` is `aaa?a?`, `a{2,}` is `aaa*`.
  private mutating func several(
    _ inner: RegularSyntax.Node, _ range: ClosedRange<Int>?, _ least: Int
  ) -> Part? {
    var result = Part()
    for _ in 0..<least {
      guard let next = part(inner) else { return nil }
      result = join(result, next)
    }
    if let range {
      for _ in range.dropFirst() {
        guard var next = part(inner) else { return nil }
        next.isNullable = true
        result = join(result, next)
      }
      return result
    }
    guard var next = part(inner) else { return nil }
    for place in next.last { follow[place].formUnion(next.first) }
    next.isNullable = true
    return join(result, next)
  }
}

extension Positions {
  /// Returns the places that read a scalar of the class that begins at `cut`.
  ///
  /// Nil if one of them is known only for ASCII and the class is beyond ASCII.
  func move(_ places: [Int], _ cut: UInt32) -> [Int]? {
    if cut >= 0x80, places.contains(where: { sets[$0].isASCIIOnly }) { return nil }
    return places.filter { sets[$0].contains(cut) }
  }

  /// Returns the places that may follow, and whether the text may end there.
  func end(of places: [Int]) -> (next: [Int], accepts: Bool) {
    var next: Set<Int> = []
    for place in places { next.formUnion(follow[place]) }
    return (next.sorted(), places.contains { last.contains($0) })
  }
}
