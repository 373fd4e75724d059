import KuraDiagnostics
import KuraPredicates
import KuraValues

/// The line of an `insert` that was read, for lines that are the same but for its texts and numbers:
/// these are read from what stands there, and nothing else is read again.
///
///     insert MemoDate title = "父の誕生日", date = "1935-06-11"
///     insert MemoDate title = "母の誕生日", date = "1939-10-16"
struct RepeatedInsert: Sendable {
  let model: InsertStatement
  private let assignments: [Assignment]
  /// Each text and number with the bytes before it.
  private let literals: [Literal]
  /// The bytes behind the last.
  private let rest: [UInt8]

  fileprivate struct Literal {
    /// Which of the assignments has it.
    var assignment: Int
    var before: [UInt8]
    /// Its quote; nil of a number.
    var quote: UInt8?
    var end: Int
  }

  /// Of a statement that begins a line and is all of it; nil where something is given that is no
  /// constant, and where no text or number is.
  init?(_ tree: any StatementTree, _ line: ArraySlice<UInt8>) {
    guard let statement = tree as? InsertStatement, statement.actionName == nil,
      case .assignments(let assignments) = statement.values
    else { return nil }
    let bytes = Array(line)
    var literals: [Literal] = []
    var place = 0
    for (i, assignment) in assignments.enumerated() {
      guard case .constant = assignment.value.kind else { return nil }
      let span = assignment.value.span
      guard place <= span.start, span.start < span.end, span.end <= bytes.count else { return nil }
      guard let quote = bytes[span.start].beginsLiteral else { continue }
      literals.append(
        Literal(
          assignment: i, before: Array(bytes[place..<span.start]), quote: quote, end: span.end))
      place = span.end
    }
    guard !literals.isEmpty else { return nil }
    (model, self.assignments, self.literals) = (statement, assignments, literals)
    rest = Array(bytes[place...])
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

extension RepeatedInsert {
  /// The statement of the line that begins at a place, if it is such a line and the next one, whose
  /// first byte is there, cannot go on with it; nil: it is to be read as any other.
  func statement(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Statement? {
    var assignments = assignments
    var (shift, next) = (0, 0)
    let end = scan(at: start, bytes) { literal, constant, place in
      while next < literal.assignment {
        assignments[next].move(by: shift)
        next += 1
      }
      assignments[next].key.span = assignments[next].key.span.moved(by: shift)
      assignments[next].value = ExpressionTree(
        .constant(constant),
        span: SourceSpan(place.lowerBound - start, place.upperBound - start))
      next += 1
      shift = place.upperBound - start - literal.end
    }
    guard let end else { return nil }
    while next < assignments.count {
      assignments[next].move(by: shift)
      next += 1
    }
    var tree = model
    tree.values = .assignments(assignments)
    return Statement(tree, span: SourceSpan(0, end - start))
  }

  /// What each of its assignments gives; those that are the same in each line are there already.
  var valuesOfAll: [Value] {
    assignments.map { assignment in
      if case .constant(let constant) = assignment.value.kind { constant.value } else { .null }
    }
  }

  /// Puts what the line at a place gives into `values`, and says where it ends; nil as of `statement`.
  func read(
    at start: Int, _ bytes: UnsafeBufferPointer<UInt8>, into values: inout [Value]
  ) -> Int? {
    scan(at: start, bytes) { literal, constant, _ in values[literal.assignment] = constant.value }
  }

  /// Hands over each text and number of the line at a place, with where it stands, and says where the
  /// line ends; nil where it is none of these.
  @inline(__always)
  private func scan(
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
    let isLine =
      place + 1 < bytes.count && bytes[place] == .newline && bytes[place + 1].isASCIILetter
    return isLine ? place : nil
  }
}

extension RepeatedInsert.Literal {
  /// What stands at a place, and where it ends; nil of what is not read in a moment.
  fileprivate func constant(
    at start: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (Constant, end: Int)? {
    guard let quote else { return bytes.number(at: start) }
    guard start < bytes.count, bytes[start] == quote else { return nil }
    var end = start + 1
    while end < bytes.count, bytes[end] != quote {
      // Escapes and specifiers have a meaning, or none that is to be told.
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

  /// Digits, perhaps with a sign and a fraction.
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

extension Assignment {
  fileprivate mutating func move(by distance: Int) {
    key.span = key.span.moved(by: distance)
    value.span = value.span.moved(by: distance)
  }
}

extension SourceSpan {
  fileprivate func moved(by distance: Int) -> SourceSpan {
    SourceSpan(start + distance, end + distance)
  }
}
