import KuraGraph

/// A deterministic finite automaton over Unicode scalars in UTF-8.
///
/// Scalars that no part of the pattern distinguishes form a class. A state is a row of the table with the next state
/// for each class.
struct Automaton: Sendable {
  private let classes: ScalarClasses
  /// The next state, for each state and class.
  private var table: [UInt16] = []
  private var isAccepting: [Bool] = []
  /// The states from which every text is accepted.
  private var isSettled: [Bool] = []
  /// The automaton byte by byte, which is faster where single bytes decide; nil if there are too many states.
  private var steps: ByteSteps?

  static let dead: UInt16 = 0
  /// The state of `ByteSteps` after a byte that does not decide.
  static let unknown: UInt16 = 1
  static let start: UInt16 = 2

  /// Creates the automaton of the texts in which a pattern is found; nil if it is not regular.
  init?(findingPattern pattern: String) {
    // An anchor at an end of the syntax would be ignored.
    guard pattern.first != "^", pattern.last != "$", let syntax = RegularSyntax(pattern) else {
      return nil
    }
    let rest = RegularSyntax.Node.several(.one(.all), nil, least: 0)
    self.init(RegularSyntax(tree: .sequence([rest, syntax.tree, rest])))
  }

  /// Returns nil if it would have too many states or classes.
  init?(_ syntax: RegularSyntax) {
    guard let positions = Positions(syntax.tree) else { return nil }
    guard let classes = ScalarClasses(positions.sets) else { return nil }
    self.classes = classes
    guard build(positions) else { return nil }
    steps = ByteSteps(
      table, classes: classes.count, isAccepting,
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
      for scalar in classes.examples {
        guard let next = made.next(of: state, by: scalar) else { return false }
        table.append(next)
      }
      state += 1
    }
    settle()
    return true
  }

  private mutating func settle() {
    isSettled = isAccepting
    let count = classes.count
    var isChanging = true
    while isChanging {
      isChanging = false
      for state in isSettled.indices where isSettled[state] {
        let next = table[state * count..<(state + 1) * count]
        isSettled[state] = next.allSatisfy { isSettled[Int($0)] }
        isChanging = isChanging || !isSettled[state]
      }
    }
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
    mutating func next(of state: Int, by scalar: UInt32) -> UInt16? {
      guard state >= Automaton.start else { return UInt16(state) }
      let moved = positions.move(states[state].next, scalar)
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

  /// Returns whether the bytes in a range match as a whole.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    let count = classes.count
    return (steps?.steps ?? []).withUnsafeBufferPointer { steps in
      table.withUnsafeBufferPointer { table in
        var (state, place) = (Automaton.start, range.lowerBound)
        while place < range.upperBound {
          var next = Automaton.unknown
          if !steps.isEmpty { next = steps[Int(state) << 8 | Int(bytes[place])] }
          if next == Automaton.unknown {
            next = table[Int(state) * count + classes[scalar(bytes, &place)]]
          } else {
            place += 1
          }
          if next == Automaton.dead { return false }
          if isSettled[Int(next)] { return true }
          state = next
        }
        return isAccepting[Int(state)]
      }
    }
  }

  /// Returns the rows with texts that may match, according to their first and last bytes.
  func mayMatch(_ texts: TextAccess, among candidates: Bitmap) -> Bitmap {
    steps?.mayMatch(texts, among: candidates) ?? candidates
  }

  /// Returns whether all scalars that begin with a byte have one class.
  private func kind(_ byte: UInt8) -> ByteSteps.Kind {
    guard let scalars = Self.scalars(byte) else { return .continuing }
    return classes.only(of: scalars).map { .oneClass($0) } ?? .several
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

  /// Reads a scalar of valid UTF-8.
  @inline(__always)
  private func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32 {
    let lead = bytes[place]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    defer { place += length }
    return UInt32(scalarIn: bytes, at: place, length)
  }
}

/// Classes of scalars that belong to the same sets.
struct ScalarClasses: Sendable {
  /// One scalar of each class.
  let examples: [UInt32]
  /// The first scalar of each range with one class, ascending from 0, and the class of the range.
  private let starts: [UInt32]
  private let classes: [UInt8]
  /// The classes of the scalars of the basic plane.
  private let basic: [UInt8]

  var count: Int { examples.count }

  /// Returns nil if there are too many classes.
  init?(_ sets: [ScalarSet]) {
    let sets = Array(Set(sets))
    let ranges = sets.flatMap(\.ranges)
    let cuts = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound + 1] } + [0])
    starts = cuts.filter { $0 <= ScalarSet.last }.sorted()
    var numbers: [[Bool]: UInt8] = [:]
    var examples: [UInt32] = []
    var classes: [UInt8] = []
    for start in starts {
      let memberships = sets.map { $0.contains(start) }
      if numbers[memberships] == nil {
        guard examples.count < 250 else { return nil }
        numbers[memberships] = UInt8(examples.count)
        examples.append(start)
      }
      classes.append(numbers[memberships] ?? 0)
    }
    (self.examples, self.classes) = (examples, classes)
    var basic = [UInt8](repeating: 0, count: 0x10000)
    for (place, start) in starts.enumerated() where start < 0x10000 {
      let end = place + 1 < starts.count ? min(starts[place + 1], 0x10000) : 0x10000
      for scalar in start..<end { basic[Int(scalar)] = classes[place] }
    }
    self.basic = basic
  }

  /// The class of a scalar.
  @inline(__always)
  subscript(scalar: UInt32) -> Int {
    Int(scalar < 0x10000 ? basic[Int(scalar)] : classes[range(of: scalar)])
  }

  private func range(of scalar: UInt32) -> Int {
    starts.indices.partitioningIndex { starts[$0] > scalar } - 1
  }

  /// Returns the class of all scalars in a range; nil if there are several.
  func only(of scalars: ClosedRange<UInt32>) -> Int? {
    let found = classes[range(of: scalars.lowerBound)...range(of: scalars.upperBound)]
    return found.allSatisfy { $0 == found.first } ? found.first.map(Int.init) : nil
  }
}

/// An automaton byte by byte, with one table lookup per byte in every script.
///
/// The first byte of a scalar changes the state if all scalars with that byte have the same effect. Continuation bytes
/// keep the state.
struct ByteSteps: Sendable {
  /// The next state, for each state and byte; unknown if the byte does not decide.
  let steps: [UInt16]
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
  /// `table`: the next state for each state and class. `kinds`: the role of each byte.
  init?(_ table: [UInt16], classes: Int, _ isAccepting: [Bool], kinds: [Kind]) {
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
      ends.last[byte] = isLast ? 1 : 0
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
}
