extension Diagnostic {
  /// The subject of a diagnostic, for programs that handle errors by kind: a service responds
  /// differently to a predicate that it does not allow and to one that it cannot parse.
  ///
  ///     do { try PredicateTree(parsing: text, within: limits) } catch {
  ///       switch error.kind {
  ///       case .notAllowed: return 403
  ///       case .timeLimit: return 503
  ///       default: return 400
  ///       }
  ///     }
  ///
  /// Later versions can add kinds, so a `switch` needs a `default`.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind in Swift.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// The text cannot be parsed: `a ==`.
    public static let syntax = Kind("syntax")
    /// The text can be parsed, but does not fit the model or data: an unknown key, a text compared
    /// with a date, a to-many relationship used as a single object.
    public static let semantics = Kind("semantics")
    /// It exceeds its `PredicateLimits`.
    public static let notAllowed = Kind("notAllowed")
    /// A value causes the evaluation to fail: a division by zero, a variable without a value.
    public static let evaluation = Kind("evaluation")
    /// It exceeded its time limit.
    public static let timeLimit = Kind("timeLimit")
    /// It was cancelled.
    public static let cancelled = Kind("cancelled")
    /// A change is impossible: a value does not fit its key, or an object does not exist.
    public static let change = Kind("change")
    /// A file or its content.
    public static let file = Kind("file")
    /// Anything else.
    public static let other = Kind("other")
  }

  /// The subject of the diagnostic. Constant time.
  ///
  ///     try? PredicateTree(parsing: "a ==")   // throws one of kind .syntax
  public var kind: Kind { facts.kind }
}

/// A part of a line, as programs count it: from 1, with columns in Unicode scalars.
struct LineSpan: Hashable {
  var line: Int
  var column: Int
  var endColumn: Int
}

extension SourceText {
  /// Returns the parts of lines that a span covers, at least one; linear in the offset.
  ///
  ///     SourceText("ab\n誕生日").lineSpans(of: SourceSpan(1, 6))   // 1:2–3 and 2:1–2
  func lineSpans(of span: SourceSpan) -> [LineSpan] {
    let end = min(max(span.end, 0), bytes.count)
    var start = min(max(span.start, 0), end)
    var (spans, number) = ([LineSpan](), firstLine + lineEnds(before: start))
    while true {
      let line = lineRange(at: start)
      spans.append(lineSpan(start..<max(start, min(end, line.upperBound)), in: line, number))
      guard let next = bytes[line.upperBound...].firstIndex(of: UInt8(ascii: "\n")), next < end
      else { return spans }
      (start, number) = (next + 1, number + 1)
    }
  }

  private func lineSpan(_ part: Range<Int>, in line: Range<Int>, _ number: Int) -> LineSpan {
    let first = line.lowerBound == 0 ? firstColumn : 1
    let column = first + scalars(in: min(line.lowerBound, part.lowerBound)..<part.lowerBound)
    return LineSpan(line: number, column: column, endColumn: column + scalars(in: part))
  }

  private func scalars(in range: Range<Int>) -> Int {
    bytes[range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }

  private func lineEnds(before end: Int) -> Int {
    bytes[..<end].reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }
}
