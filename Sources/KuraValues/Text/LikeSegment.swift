/// A part of a LIKE pattern without stars.
struct LikeSegment: Sendable {
  enum Step: Sendable {
    /// `?`
    case one
    /// The bytes of what stands between.
    case literal([UInt8])
  }

  var steps: [Step] = []

  /// The bytes between its question marks.
  var literals: [[UInt8]] {
    steps.compactMap { if case .literal(let bytes) = $0 { bytes } else { nil } }
  }
}

extension LikeSegment {
  /// The parts of a pattern, at least one; what stands in them is folded under the options.
  static func segments(of pattern: String, _ options: TextOptions) -> [LikeSegment] {
    var segments = [LikeSegment()]
    var literal: [UInt8] = []
    func endLiteral() {
      guard !literal.isEmpty else { return }
      let folded = options.canonical(String(decoding: literal, as: UTF8.self))
      segments[segments.count - 1].steps.append(.literal([UInt8](folded.utf8)))
      literal = []
    }
    var rest = pattern.utf8[...]
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (0x5C, 0x2A?), (0x5C, 0x3F?): literal.append(rest.removeFirst())
      case (0x2A, _):
        endLiteral()
        segments.append(LikeSegment())
      case (0x3F, _):
        endLiteral()
        segments[segments.count - 1].steps.append(.one)
      default: literal.append(byte)
      }
    }
    endLiteral()
    return segments
  }
}

extension LikeSegment {
  /// Where the segment ends that begins with the text; nil if it does not stand there.
  func end(in text: UnsafeBufferPointer<UInt8>, _ count: inout Int) -> Int? {
    var place = 0
    for step in steps {
      switch step {
      case .one:
        guard place < text.count else { return nil }
        place = UTF8Scalar.end(in: text, from: place)
        count += 1
      case .literal(let bytes):
        guard holds(bytes, text, at: place, &count) else { return nil }
        place += bytes.count
      }
    }
    return place
  }

  /// Where the segment begins that ends with the text; nil if it does not stand there.
  func start(in text: UnsafeBufferPointer<UInt8>, _ count: inout Int) -> Int? {
    var place = text.count
    for step in steps.reversed() {
      switch step {
      case .one:
        guard place > 0 else { return nil }
        place = UTF8Scalar.start(in: text, to: place)
        count += 1
      case .literal(let bytes):
        place -= bytes.count
        guard holds(bytes, text, at: place, &count) else { return nil }
      }
    }
    return place
  }

  private func holds(
    _ bytes: [UInt8], _ text: UnsafeBufferPointer<UInt8>, at place: Int, _ count: inout Int
  ) -> Bool {
    guard place >= 0, place + bytes.count <= text.count else { return false }
    count += bytes.count
    return bytes.indices.allSatisfy { text[place + $0] == bytes[$0] }
  }
}

extension UTF8Scalar {
  /// Where the scalar ends that begins at a place.
  static func end(in text: UnsafeBufferPointer<UInt8>, from place: Int) -> Int {
    let lead = text[place]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return min(place + length, text.count)
  }

  /// Where the scalar begins that ends at a place.
  static func start(in text: UnsafeBufferPointer<UInt8>, to place: Int) -> Int {
    var start = place - 1
    while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }
}
