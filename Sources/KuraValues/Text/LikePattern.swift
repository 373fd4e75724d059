import Foundation

/// A pattern of LIKE. `*` matches any number of scalars, `?` exactly one. A backslash escapes these
/// characters and itself.
///
///     LikePattern("hel*o").matches("helllo")   // true
///
/// A scalar corresponds to a character of ICU, whose `.` Foundation uses for `?`. Each part between
/// two stars is searched from left to right and found once. A text is therefore read once, or, for
/// a part with question marks inside, once per 64 characters of that part.
package struct LikePattern: Sendable {
  /// The part before the first star; the whole pattern if there is none.
  private let head: LikeSegment
  /// The parts between the stars.
  private let middle: [LikeSearch]
  /// The part after the last star.
  private let tail: LikeSegment?
  /// The longest run of bytes that every matching text contains, after folding.
  package let longestLiteral: [UInt8]?
  /// The bytes with which every matching text begins and ends, after folding; nil for none.
  package let (firstLiteral, lastLiteral): ([UInt8]?, [UInt8]?)
  package let fold: TextFold?

  /// Prepares a pattern, and folds its literal parts under the options.
  package init(_ pattern: String, _ options: TextOptions = []) {
    let fold = TextFold.of(options)
    self.fold = fold
    var segments = LikeSegment.segments(of: pattern, fold)
    longestLiteral = segments.flatMap(\.literals).max { $0.count < $1.count }
    firstLiteral = segments.first?.steps.first?.literal
    lastLiteral = segments.last?.steps.last?.literal
    head = segments.removeFirst()
    tail = segments.popLast()
    middle = segments.filter { !$0.steps.isEmpty }.map(LikeSearch.init)
  }
}

extension LikePattern {
  /// Returns whether the whole text matches the pattern.
  package func matches(_ text: String) -> Bool {
    var steps = 0
    return matches(text, &steps)
  }

  /// Returns whether the text matches, and counts the bytes or scalars that were read.
  func matches(_ text: String, _ steps: inout Int) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard let fold else { return matches(utf8, &steps) }
      return fold.withKey(utf8) { bytes, _ in matches(bytes, &steps) }
    }
  }

  /// Returns whether bytes that are already folded match the pattern.
  package func matches(folded text: UnsafeBufferPointer<UInt8>) -> Bool {
    var steps = 0
    return matches(text, &steps)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>, _ steps: inout Int) -> Bool {
    guard var place = head.end(in: text, &steps) else { return false }
    guard let tail else { return place == text.count }
    guard let end = tail.start(in: text, &steps), place <= end else { return false }
    let text = UnsafeBufferPointer(rebasing: text[..<end])
    for search in middle {
      guard let next = search.end(in: text, from: place, &steps) else { return false }
      place = next
    }
    return true
  }
}

/// Searches for a part of a LIKE pattern between two stars.
struct LikeSearch: Sendable {
  /// The numbers of question marks at the ends, which are skipped.
  private let before: Int
  private let after: Int
  private let core: Core

  enum Core: Sendable {
    case nothing
    case literal(LiteralSearch)
    case mixed(ScalarSearch)
  }

  init(_ segment: LikeSegment) {
    let steps = segment.steps
    before = steps.prefix(while: \.isSingle).count
    let rest = steps.dropFirst(before)
    after = rest.reversed().prefix(while: \.isSingle).count
    core = Core(Array(rest.dropLast(after)))
  }
}

extension LikeSearch.Core {
  fileprivate init(_ steps: [LikeSegment.Step]) {
    if steps.isEmpty {
      self = .nothing
    } else if steps.count == 1, case .literal(let bytes) = steps[0] {
      self = .literal(LiteralSearch(bytes))
    } else {
      self = .mixed(ScalarSearch(steps))
    }
  }
}

extension LikeSegment.Step {
  fileprivate var isSingle: Bool { literal == nil }

  /// The bytes; nil for a question mark.
  var literal: [UInt8]? { if case .literal(let bytes) = self { bytes } else { nil } }
}

extension LikeSearch {
  /// Returns the end of the first match at or after a place.
  func end(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
    guard let start = skip(before, text, place, &count) else { return nil }
    let end =
      switch core {
      case .nothing: start as Int?
      case .literal(let search): search.end(in: text, from: start, &count)
      case .mixed(let search): search.end(in: text, from: start, &count)
      }
    return end.flatMap { skip(after, text, $0, &count) }
  }

  private func skip(
    _ scalars: Int, _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ count: inout Int
  ) -> Int? {
    var place = place
    for _ in 0..<scalars {
      guard place < text.count else { return nil }
      place = UTF8Scalar.end(in: text, from: place)
      count += 1
    }
    return place
  }
}

/// A part of a LIKE pattern without stars.
struct LikeSegment: Sendable {
  enum Step: Sendable {
    /// `?`
    case one
    /// The bytes between wildcards.
    case literal([UInt8])
  }

  var steps: [Step] = []

  /// The literal bytes between its question marks.
  var literals: [[UInt8]] { steps.compactMap(\.literal) }
}

extension LikeSegment {
  /// Returns the parts of a pattern, at least one, with literals folded.
  static func segments(of pattern: String, _ fold: TextFold?) -> [LikeSegment] {
    var segments = [LikeSegment()]
    var literal: [UInt8] = []
    func endLiteral() {
      guard !literal.isEmpty else { return }
      let text = String(decoding: literal, as: UTF8.self)
      segments[segments.count - 1].steps.append(.literal([UInt8]((fold?.key(text) ?? text).utf8)))
      literal = []
    }
    var rest = pattern.utf8[...]
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (0x5C, 0x2A?), (0x5C, 0x3F?), (0x5C, 0x5C?): literal.append(rest.removeFirst())
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

  /// Returns the end of a match at the beginning of the text; nil if there is none.
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

  /// Returns the start of a match at the end of the text; nil if there is none.
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
  /// Returns the end of the scalar that begins at a place.
  static func end(in text: UnsafeBufferPointer<UInt8>, from place: Int) -> Int {
    let lead = text[place]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return min(place + length, text.count)
  }

  /// Returns the start of the scalar that ends at a place.
  static func start(in text: UnsafeBufferPointer<UInt8>, to place: Int) -> Int {
    var start = place - 1
    while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }
}

/// The folding for a regular expression under `[c]` and `[d]`: width, and marks under `[d]`.
///
/// The engine handles case, because folding it in a pattern would turn `\S` into `\s`.
package struct PatternFolding: Sendable {
  package let fold: TextFold

  /// Creates the folding; nil if nothing is folded.
  package init?(_ options: TextOptions) {
    guard options.folds else { return nil }
    fold = options.contains(.diacriticInsensitive) ? .d : .width
  }
}

extension PatternFolding {
  /// Returns a pattern folded and composed, in which a full-width （ remains a literal character.
  package func folded(pattern: String) -> String {
    var narrowing = Narrowing(rest: Array(pattern.unicodeScalars)[...])
    while let scalar = narrowing.rest.popFirst() { narrowing.take(scalar) }
    return fold.key(String(narrowing.result))
  }

  /// A pattern whose full-width ASCII is being replaced.
  private struct Narrowing {
    var rest: ArraySlice<Unicode.Scalar>
    var result = String.UnicodeScalarView()
    /// Whether the position is between `\Q` and `\E`.
    var isQuoted = false

    mutating func take(_ scalar: Unicode.Scalar) {
      if scalar == "\\", let next = rest.first {
        takeEscape(next)
      } else if let narrow = scalar.narrowASCII {
        if !isQuoted, !narrow.isASCIILetterOrDigit { result.append("\\") }
        result.append(narrow)
      } else {
        result.append(scalar)
      }
    }

    private mutating func takeEscape(_ next: Unicode.Scalar) {
      let endsQuote = isQuoted && next == "E"
      guard !isQuoted || endsQuote else { return result.append("\\") }
      rest.removeFirst()
      isQuoted = next == "Q"
      // `\ｄ` is a letter and not a class.
      guard let narrow = next.narrowASCII, narrow.isASCIILetterOrDigit else {
        return result.append(contentsOf: ["\\", next.narrowASCII ?? next])
      }
      result.append(narrow)
    }
  }
}

extension Unicode.Scalar {
  /// The ASCII character, such as `(` for `（`; nil if it is not full-width ASCII.
  fileprivate var narrowASCII: Unicode.Scalar? {
    (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(value - 0xFEE0) : nil
  }

  fileprivate var isASCIILetterOrDigit: Bool {
    isASCII && (properties.isAlphabetic || ("0"..."9").contains(self))
  }
}
