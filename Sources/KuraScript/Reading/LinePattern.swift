import KuraDiagnostics
import KuraPredicates
import KuraValues

/// The pattern of a line that was read. Only its texts and numbers differ in similar lines, and
/// only these are read there.
struct LinePattern: Sendable {
  /// The texts and numbers, each with the bytes before it.
  private let literals: [Literal]
  /// The bytes after the last one.
  private let rest: [UInt8]

  struct Literal {
    /// The index among the line's values.
    var place: Int
    fileprivate var before: [UInt8]
    /// The quote of a text; nil for a number.
    fileprivate var quote: UInt8?
    /// The end in the line that was read.
    fileprivate var end: Int
  }

  /// Creates the pattern of a line with the spans of its values; nil if none is a text or a number.
  init?(_ bytes: [UInt8], values: [SourceSpan]) {
    var literals: [Literal] = []
    var place = 0
    for (i, span) in values.enumerated() {
      guard place <= span.start, span.start < span.end, span.end <= bytes.count else { return nil }
      guard let quote = bytes[span.start].beginsLiteral else { continue }
      literals.append(
        Literal(place: i, before: Array(bytes[place..<span.start]), quote: quote, end: span.end))
      place = span.end
    }
    guard !literals.isEmpty else { return nil }
    self.literals = literals
    rest = Array(bytes[place...])
  }
}

/// The texts and numbers of a line that matches a pattern. Spans are relative to the line.
struct LineMatch {
  fileprivate(set) var values: [Value] = []
  fileprivate(set) var length = 0

  struct Value {
    /// The index among the line's values.
    let place: Int
    let constant: Constant
    let span: SourceSpan
    /// The end of the text or number in the line that was read.
    fileprivate let oldEnd: Int
  }

  /// Returns the text or number at an index among the line's values; nil for another value.
  func value(_ place: Int) -> Value? { values.first { $0.place == place } }

  /// Returns a span of the line that was read, moved to its place in this line.
  func moved(_ span: SourceSpan) -> SourceSpan {
    let last = values.last { $0.oldEnd <= span.start }
    let distance = last.map { $0.span.end - $0.oldEnd } ?? 0
    return SourceSpan(span.start + distance, span.end + distance)
  }
}

extension UInt8 {
  /// The quote of a text, nil inside for a number; nil for anything else.
  fileprivate var beginsLiteral: UInt8?? {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): .some(self)
    case UInt8(ascii: "-"): .some(nil)
    default: isASCIIDigit ? .some(nil) : nil
    }
  }

  fileprivate var isASCIIDigit: Bool { self &- 48 < 10 }
}

extension LinePattern {
  /// Returns whether a line at a place can match.
  func mayBegin(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.has(literals[0].before, at: start)
  }

  /// Returns the texts and numbers of the line at a place; nil as `scan`.
  func match(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> LineMatch? {
    var match = LineMatch()
    match.values.reserveCapacity(literals.count)
    let end = scan(at: start, bytes) { literal, constant, place in
      let span = SourceSpan(place.lowerBound - start, place.upperBound - start)
      match.values.append(
        LineMatch.Value(
          place: literal.place, constant: constant, span: span, oldEnd: literal.end))
    }
    match.length = (end ?? start) - start
    return end == nil ? nil : match
  }

  /// Calls `found` with each text and number of the line at a place and its range, and returns the
  /// end of the line. Nil if the line does not match, or if the next line, whose first byte must be
  /// available, can continue it.
  @inline(__always)
  func scan(
    at start: Int, _ bytes: UnsafeBufferPointer<UInt8>,
    _ found: (Literal, Constant, Range<Int>) -> Void
  ) -> Int? {
    var place = start
    for literal in literals {
      guard bytes.has(literal.before, at: place) else { return nil }
      place += literal.before.count
      guard let (constant, end) = literal.constant(at: place, bytes) else { return nil }
      found(literal, constant, place..<end)
      place = end
    }
    guard bytes.has(rest, at: place) else { return nil }
    place += rest.count
    guard place + 1 < bytes.count, bytes[place] == .newline else { return nil }
    // An indented line would continue it, and a comment does not show what follows.
    let next = bytes[place + 1]
    let isOther = next.isASCIILetter && !Self.beginsClause(next) || next == UInt8(ascii: ".")
    return isOther ? place : nil
  }

  /// Returns whether a letter begins a clause, which may continue the line above.
  private static func beginsClause(_ letter: UInt8) -> Bool {
    clauseLetters & bit(of: letter) != 0
  }

  private static let clauseLetters = (FetchClause.words + ["and", "or"])
    .compactMap(\.utf8.first).reduce(0 as UInt32) { $0 | bit(of: $1) }

  private static func bit(of letter: UInt8) -> UInt32 { 1 << UInt32(letter & 0x1F) }
}

extension LinePattern.Literal {
  /// Returns the constant at a place and its end; nil if it needs the complete reader.
  fileprivate func constant(
    at start: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (Constant, end: Int)? {
    guard let quote else { return bytes.number(at: start) }
    guard start < bytes.count, bytes[start] == quote else { return nil }
    var end = start + 1
    while end < bytes.count, bytes[end] != quote {
      // Escapes and specifiers need the complete reader.
      if bytes[end] == UInt8(ascii: "\\") || bytes[end] == UInt8(ascii: "%") { return nil }
      if bytes[end] == .newline { return nil }
      end += 1
    }
    let utf8 = UnsafeBufferPointer(rebasing: bytes[start + 1..<min(end, bytes.count)])
    guard end < bytes.count, let text = String(validating: utf8, as: UTF8.self) else { return nil }
    return (Constant(.string(text)), end + 1)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func has(_ part: [UInt8], at place: Int) -> Bool {
    guard place + part.count <= count else { return false }
    for i in part.indices where self[place + i] != part[i] { return false }
    return true
  }

  /// Reads digits, possibly with a sign and a fraction.
  fileprivate func number(at start: Int) -> (Constant, end: Int)? {
    let isNegative = start < count && self[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    var end = digits(from: first)
    guard end > first else { return nil }
    if end < count, self[end] == UInt8(ascii: ".") {
      let fraction = digits(from: end + 1)
      guard fraction > end + 1 else { return nil }
      end = fraction
    }
    let text = String(decoding: self[first..<end], as: UTF8.self)
    return NumberLiteral.constant(text, isNegative: isNegative).map { ($0, end) }
  }

  private func digits(from start: Int) -> Int {
    var end = start
    while end < count, self[end].isASCIIDigit { end += 1 }
    return end
  }
}

/// A statement that many lines may repeat with other texts and numbers.
protocol RepeatableStatement: Sendable {
  /// Returns the common part of such lines, given the line of this statement; nil if each line must
  /// be parsed.
  func pattern(of line: [UInt8]) -> LinePattern?
  /// Returns the statement of a line that matches the pattern; nil if the line must be parsed.
  func repeated(_ match: LineMatch) -> (any StatementTree)?
}

/// A statement that was parsed from a complete line, for similar lines with other texts and
/// numbers: scripts change thousands of objects one by one.
///
///     insert MemoDate title = "父の誕生日", date = "1935-06-11"
///     insert MemoDate title = "母の誕生日", date = "1939-10-16"
struct RepeatedLine: Sendable {
  let tree: any RepeatableStatement
  fileprivate let pattern: LinePattern

  /// Creates the pattern of a statement that is a complete line; nil for other kinds of statements,
  /// and if a value is not a constant.
  init?(_ tree: any StatementTree, _ line: ArraySlice<UInt8>) {
    guard let tree = tree as? any RepeatableStatement, let pattern = tree.pattern(of: Array(line))
    else { return nil }
    (self.tree, self.pattern) = (tree, pattern)
  }

  /// Returns the statement of the line at a place, if it matches and the next line, whose first
  /// byte must be available, cannot continue it; otherwise nil.
  func statement(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Statement? {
    guard pattern.mayBegin(at: start, bytes), let match = pattern.match(at: start, bytes) else {
      return nil
    }
    return tree.repeated(match).map { Statement($0, span: SourceSpan(0, match.length)) }
  }
}

extension RepeatedLine {
  /// Passes the values of matching lines to `take` until it returns false, and adds their places to
  /// `places`. Returns the end of the last line; nil if there is none.
  func take(
    from start: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ assignments: [Assignment],
    _ places: inout [Int], _ take: ([Value]) -> Bool
  ) -> Int? {
    guard pattern.mayBegin(at: start, bytes) else { return nil }
    var values = assignments.map { $0.literal ?? .null }
    var (place, end): (Int, Int?) = (start, nil)
    while let lineEnd = pattern.scan(
      at: place, bytes, { literal, constant, _ in values[literal.place] = constant.value }),
      take(values)
    {
      places.append(place)
      (end, place) = (lineEnd, lineEnd + 1)
    }
    return end
  }
}
