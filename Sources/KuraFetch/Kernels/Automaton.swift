import KuraGraph

/// A deterministic automaton over Unicode scalars in UTF-8.
///
/// Scalars that no part of the pattern tells apart are one class; a state is a row of the table with
/// the next state for each class.
struct Automaton: Sendable {
  /// The class of each ASCII byte.
  private var asciiClasses = [UInt8](repeating: 0, count: 128)
  /// Where the classes begin, ascending from 0.
  private let cuts: [UInt32]
  /// The next state, for each state and class.
  private var table: [UInt16] = []
  private var isAccepting: [Bool] = []
  /// The same byte by byte, which is quicker.
  private var steps: ByteSteps?

  static let dead: UInt16 = 0
  /// What is known for ASCII alone has met another scalar.
  static let unknown: UInt16 = 1
  static let start: UInt16 = 2

  /// Whether it answers for every text.
  let isSure: Bool

  /// Nil where it would have more states or classes than are worth it.
  init?(_ syntax: RegularSyntax) {
    guard let positions = Positions(syntax.tree) else { return nil }
    cuts = positions.cuts
    isSure = positions.sets.allSatisfy { !$0.isASCIIOnly }
    guard cuts.count < 250 else { return nil }
    for byte in 0..<128 {
      asciiClasses[byte] = UInt8(cuts.lastIndex { $0 <= UInt32(byte) } ?? 0)
    }
    guard build(positions) else { return nil }
    steps = ByteSteps(
      table, classes: cuts.count, isAccepting, isSure: isSure,
      kinds: (UInt8.min...UInt8.max).map(kind))
  }
}

extension Automaton {
  /// Makes the states that can be reached, from the start on.
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

  /// The states that have been found, each with what may come behind it.
  private struct MadeStates {
    struct State: Hashable {
      var next: [Int] = []
      var accepts = false
    }

    private static let most = 1000
    private let positions: Positions
    private(set) var states: [State]
    private var numbers: [State: UInt16]
    /// By the places that were read last, which are more than there are states.
    private var read: [[Int]: UInt16] = [:]

    init(_ positions: Positions) {
      self.positions = positions
      let first = State(next: positions.first, accepts: positions.isNullable)
      states = [State(), State(), first]
      numbers = [first: Automaton.start]
    }

    /// The state behind another one and a scalar of a class; nil for more than are worth it.
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

  /// Whether the bytes in a range match as a whole; nil where ICU must say.
  @inline(__always)
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool? {
    steps?.matches(bytes, range) ?? matchesScalars(bytes, range)
  }

  /// The rows whose texts may match, by how they begin and end.
  func mayMatch(_ texts: TextAccess, among candidates: Bitmap) -> Bitmap {
    steps?.mayMatch(texts, among: candidates) ?? candidates
  }

  /// The class of all scalars that begin with a byte.
  private func kind(_ byte: UInt8) -> ByteSteps.Kind {
    guard let scalars = Self.scalars(byte) else { return .continuing }
    let kind = kind(scalars.lowerBound)
    return kind == self.kind(scalars.upperBound) ? .oneClass(kind) : .several
  }

  /// The scalars that begin with a byte; nil for one that continues them.
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

  /// The class of a scalar.
  private func kind(_ scalar: UInt32) -> Int {
    var low = 0
    var high = cuts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if cuts[middle] <= scalar { low = middle } else { high = middle }
    }
    return low
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
