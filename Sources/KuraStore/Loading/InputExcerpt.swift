import Foundation
import KuraDiagnostics
import KuraSentences

/// The lines of an input around a span, and the span in them.
struct InputExcerpt {
  let source: SourceText
  let span: SourceSpan
  private let start: Int

  /// The number of bytes of a line that are shown on each side of the span. The rest of a longer line is not read.
  private static let reach = 1 << 16

  /// Reads the file again up to the span, to count its lines; nil if it cannot be read.
  init?(path: String, span: SourceSpan) {
    guard isRegularFile(path), let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let lineStart = InputExcerpt.lineStart(file, span.start) else { return nil }
    start = max(lineStart.offset, span.start - InputExcerpt.reach)
    guard let text = InputExcerpt.line(file, from: start, upTo: span.end + InputExcerpt.reach)
    else { return nil }
    source = SourceText(
      bytes: text, name: path, firstLine: lineStart.line,
      firstColumn: 1 + start - lineStart.offset)
    self.span = SourceSpan(span.start - start, span.end - start)
  }

  /// Uses the bytes of a pipe that are still in its window; nil if the span has left it.
  init?(_ window: InputWindow, name: String? = nil, span: SourceSpan) {
    guard span.start >= window.baseOffset else { return nil }
    start = window.baseOffset
    source = SourceText(
      bytes: Array(UnsafeBufferPointer(start: window.start, count: window.end - window.start)),
      name: name ?? localized("standard input"), firstLine: window.lineFeedsBefore + 1,
      firstColumn: 1 + window.baseOffset - window.lineOffset)
    self.span = SourceSpan(span.start - start, span.end - start)
  }

  func shifted(_ span: SourceSpan) -> SourceSpan {
    SourceSpan(span.start - start, span.end - start)
  }

  /// Returns the number and the start of the line that contains an offset.
  private static func lineStart(_ file: FileHandle, _ offset: Int) -> (line: Int, offset: Int)? {
    var line = 1
    var start = 0
    var position = 0
    while position < offset {
      guard let data = try? file.read(upToCount: min(1 << 20, offset - position)), !data.isEmpty
      else { break }
      for (i, byte) in data.enumerated() where byte == 0x0A {
        line += 1
        start = position + i + 1
      }
      position += data.count
    }
    return (line, start)
  }

  /// Returns the bytes from an offset to the end of the line in which the span ends.
  private static func line(_ file: FileHandle, from start: Int, upTo limit: Int) -> [UInt8]? {
    guard (try? file.seek(toOffset: UInt64(start))) != nil,
      let data = try? file.read(upToCount: limit - start)
    else { return nil }
    return Array(data)
  }
}

/// Returns whether a path leads to a file that can be read again from its start.
func isRegularFile(_ path: String) -> Bool {
  (try? FileStatus(path: path))?.isRegular ?? false
}
