import Foundation

/// A pattern of LIKE: `*` is any run of scalars, `?` exactly one, `\*` and `\?` are themselves.
///
///     LikePattern("hel*o").matches("helllo")   // true
///
/// Each text is matched in one pass that goes back to the last star alone.
package struct LikePattern: Sendable {
  /// A step of the pattern.
  private enum Step: Sendable {
    /// `*`
    case anyRun
    /// `?`
    case one
    /// The bytes of what stands between.
    case literal([UInt8])
  }

  private let steps: [Step]
  private let options: TextOptions
  private let fold: TextFold?

  /// Prepares a pattern; what stands between the wildcards is folded under the options.
  package init(_ pattern: String, _ options: TextOptions = []) {
    self.options = options
    fold = TextFold.of(options)
    steps = Self.parts(pattern).map { part in
      switch part {
      case .anyRun, .one: part
      case .literal(let bytes):
        .literal([UInt8](options.canonical(String(decoding: bytes, as: UTF8.self)).utf8))
      }
    }
  }

  private static func parts(_ pattern: String) -> [Step] {
    var steps: [Step] = []
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
    return text.withUTF8(matches)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    var step = 0
    // Behind the last star, and where in the text its run ends for now.
    var star: (step: Int, place: Int)?
    while place < text.count || step < steps.count {
      if step < steps.count, case .anyRun = steps[step] {
        step += 1
        star = (step, place)
      } else if step < steps.count, let next = end(of: steps[step], text, at: place) {
        step += 1
        place = next
      } else if let last = star, last.place < text.count {
        place = last.place + scalarLength(text, at: last.place)
        step = last.step
        star = (step, place)
      } else {
        return false
      }
    }
    return true
  }

  /// Where the step ends that begins at a place; nil if it does not stand there.
  private func end(of step: Step, _ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
    switch step {
    case .anyRun: return place
    case .one: return place < text.count ? place + scalarLength(text, at: place) : nil
    case .literal(let bytes):
      guard place + bytes.count <= text.count else { return nil }
      return bytes.indices.allSatisfy { text[place + $0] == bytes[$0] } ? place + bytes.count : nil
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
