import Foundation

/// A pattern of LIKE: `*` is any run of scalars, `?` exactly one, `\*` and `\?` are themselves.
///
///     LikePattern("hel*o").matches("helllo")   // true
///
/// Each text is matched in one pass that goes back to the last star alone.
package struct LikePattern: Sendable {
  private struct Step: Sendable {
    enum Kind {
      /// `*`
      case anyRun
      /// `?`
      case one
      /// What stands between.
      case literal
    }
    var kind: Kind
    /// The bytes of a literal among all literals' bytes.
    var bytes: Range<Int>
  }

  private enum Part {
    case anyRun
    case one
    case literal([UInt8])
  }

  private let steps: [Step]
  private let literals: [UInt8]
  private let options: TextOptions
  private let fold: TextFold?

  /// Prepares a pattern; what stands between the wildcards is folded under the options.
  package init(_ pattern: String, _ options: TextOptions = []) {
    self.options = options
    fold = TextFold.of(options)
    var literals: [UInt8] = []
    steps = Self.parts(pattern).map { part in
      let start = literals.count
      switch part {
      case .anyRun: return Step(kind: .anyRun, bytes: start..<start)
      case .one: return Step(kind: .one, bytes: start..<start)
      case .literal(let bytes):
        literals += options.canonical(String(decoding: bytes, as: UTF8.self)).utf8
        return Step(kind: .literal, bytes: start..<literals.count)
      }
    }
    self.literals = literals
  }

  private static func parts(_ pattern: String) -> [Part] {
    var steps: [Part] = []
    var literal: [UInt8] = []
    func endLiteral() {
      if !literal.isEmpty { steps.append(.literal(literal)) }
      literal = []
    }
    var rest = pattern.utf8[...]
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (0x5C, 0x2A?), (0x5C, 0x3F?): literal.append(rest.removeFirst())
      case (0x2A, _):
        endLiteral()
        steps.append(.anyRun)
      case (0x3F, _):
        endLiteral()
        steps.append(.one)
      default: literal.append(byte)
      }
    }
    endLiteral()
    return steps
  }
}

extension LikePattern {
  /// Whether the whole text is of the pattern.
  package func matches(_ text: String) -> Bool {
    var text = text
    if let fold {
      if let answer = text.withUTF8({ fold.withFolded($0) { bytes, _ in matches(bytes) } }) {
        return answer
      }
      text = options.canonical(text)
    }
    return text.withUTF8 { matches($0) }
  }

  /// Whether bytes are of the pattern that have been folded under its options.
  package func matches(folded text: UnsafeBufferPointer<UInt8>) -> Bool { matches(text) }

  /// The longest run of bytes that every text of the pattern has, once it is folded.
  package var longestLiteral: [UInt8]? {
    steps.filter { $0.kind == .literal }.max { $0.bytes.count < $1.bytes.count }
      .map { Array(literals[$0.bytes]) }
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    literals.withUnsafeBufferPointer { literals in
      steps.withUnsafeBufferPointer { matches(text, $0, literals) }
    }
  }

  private func matches(
    _ text: UnsafeBufferPointer<UInt8>, _ steps: UnsafeBufferPointer<Step>,
    _ literals: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var place = 0
    var step = 0
    // Behind the last star, and where in the text its run ends for now.
    var star: (step: Int, place: Int)?
    while place < text.count || step < steps.count {
      if step < steps.count, steps[step].kind == .anyRun {
        step += 1
        if step == steps.count { return true }
        if step == steps.count - 1, steps[step].kind == .literal {
          // The last literal stands at the end or not at all.
          let at = text.count - steps[step].bytes.count
          return at >= place && end(of: steps[step], literals, text, at: at) != nil
        }
        star = (step, place)
      } else if step < steps.count, let next = end(of: steps[step], literals, text, at: place) {
        step += 1
        place = next
      } else if let last = star, last.place < text.count {
        place = last.place + scalarLength(text, at: last.place)
        step = last.step
        if steps[step].kind == .literal {
          let first = literals[steps[step].bytes.lowerBound]
          while place < text.count, text[place] != first { place += 1 }
        }
        star = (step, place)
      } else {
        return false
      }
    }
    return true
  }

  /// Where the step ends that begins at a place; nil if it does not stand there.
  private func end(
    of step: Step, _ literals: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>,
    at place: Int
  ) -> Int? {
    switch step.kind {
    case .anyRun: return place
    case .one: return place < text.count ? place + scalarLength(text, at: place) : nil
    case .literal:
      guard place + step.bytes.count <= text.count else { return nil }
      for (i, byte) in step.bytes.enumerated() where text[place + i] != literals[byte] {
        return nil
      }
      return place + step.bytes.count
    }
  }

  private func scalarLength(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
    let length = text[place] < 0x80 ? 1 : text[place] < 0xE0 ? 2 : text[place] < 0xF0 ? 3 : 4
    return min(length, text.count - place)
  }
}

extension TextOptions {
  /// A text folded and composed, for matchers that go scalar by scalar.
  func canonical(_ text: String) -> String {
    guard folds else { return text }
    return text.folding(options: foundation, locale: nil).precomposedStringWithCanonicalMapping
  }
}
