/// A part of a line, as programs count it: from 1, columns in Unicode scalars.
struct LineSpan: Hashable {
  var line: Int
  var column: Int
  var endColumn: Int
}

extension SourceText {
  /// The parts of lines that a span covers, at least one; linear in the offset.
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
