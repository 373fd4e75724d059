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
  private static let mostStates = 1000

  /// Makes the states that can be reached, from the start on.
  private mutating func build(_ positions: Positions) -> Bool {
    var numbers: [[Int]: UInt16] = [positions.first: Automaton.start]
    var states: [(next: [Int], accepts: Bool)] = [
      ([], false), ([], false), (positions.first, positions.isNullable),
    ]
    var i = 0
    while i < states.count {
      isAccepting.append(states[i].accepts)
      for cut in cuts {
        if i < Automaton.start {
          table.append(UInt16(i))
          continue
        }
        let moved = positions.move(states[i].next, cut)
        guard let moved else {
          table.append(Automaton.unknown)
          continue
        }
        if moved.isEmpty {
          table.append(Automaton.dead)
          continue
        }
        let key = moved + [-1]
        if let known = numbers[key] {
          table.append(known)
        } else {
          guard states.count < Automaton.mostStates else { return false }
          let number = UInt16(states.count)
          numbers[key] = number
          let end = positions.end(of: moved)
          states.append((end.next, end.accepts))
          table.append(number)
        }
      }
      i += 1
    }
    return true
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
