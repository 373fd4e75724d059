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

  private static let dead: UInt16 = 0
  /// What is known for ASCII alone has met another scalar.
  private static let unknown: UInt16 = 1
  private static let start: UInt16 = 2

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
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool? {
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

/// A set of Unicode scalars, as ascending ranges that do not touch.
struct ScalarSet: Hashable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>]
  /// Whether it is known for ASCII alone: `\d` beyond it is ICU's to say.
  var isASCIIOnly = false
  /// Whether no line feed may follow what it reads.
  private(set) var isBeforeNoLineFeed = false

  static let last: UInt32 = 0x10FFFF

  init(_ ranges: [ClosedRange<UInt32>]) {
    self.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound &+ 1 {
        let top = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound...top
      } else {
        self.ranges.append(range)
      }
    }
  }

  init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  /// `[^…]`
  var inverted: ScalarSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= ScalarSet.last { result.append(next...ScalarSet.last) }
    var set = ScalarSet(result)
    set.isASCIIOnly = isASCIIOnly
    return set
  }

  func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0 ~= scalar } }

  /// The others of it.
  func without(_ scalar: Unicode.Scalar) -> ScalarSet {
    var set = inverted.union(ScalarSet(scalar)).inverted
    set.isBeforeNoLineFeed = isBeforeNoLineFeed
    return set
  }

  func union(_ other: ScalarSet) -> ScalarSet {
    var set = ScalarSet(ranges + other.ranges)
    set.isASCIIOnly = isASCIIOnly || other.isASCIIOnly
    return set
  }

  /// The one scalar, if it is one.
  var only: Unicode.Scalar? {
    guard !isASCIIOnly, !isBeforeNoLineFeed, ranges.count == 1, ranges[0].count == 1 else {
      return nil
    }
    return Unicode.Scalar(ranges[0].lowerBound)
  }
}

extension ScalarSet {
  /// What `.` takes alone, wherever it stands.
  static let notReturn = ScalarSet("\r").inverted

  /// The return that `.` takes alone: one before a line feed it takes with that.
  static let loneReturn: ScalarSet = {
    var set = ScalarSet("\r")
    set.isBeforeNoLineFeed = true
    return set
  }()

  /// `\d`, `\w`, `\s` and their opposites
  static func named(_ letter: Unicode.Scalar) -> ScalarSet? {
    switch letter {
    case "d": asciiOnly([0x30...0x39])
    case "w": asciiOnly([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    case "s": asciiOnly([0x9...0xA, 0xC...0xD, 0x20...0x20])
    case "D": named("d")?.inverted
    case "W": named("w")?.inverted
    case "S": named("s")?.inverted
    default: nil
    }
  }

  private static func asciiOnly(_ ranges: [ClosedRange<UInt32>]) -> ScalarSet {
    var set = ScalarSet(ranges)
    set.isASCIIOnly = true
    return set
  }
}
