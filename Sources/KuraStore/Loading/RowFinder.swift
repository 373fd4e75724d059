import Foundation
import KuraDiagnostics
import KuraJSON
import KuraSentences

/// Finds the places of objects with problems in a document, by reading it a second time.
///
/// Problems that are found after all rows are read, such as a link to no object, have no place yet:
/// storing places for all rows would slow down the reading of every valid document.
struct RowFinder {
  private(set) var problems: [RowProblem]
  /// The problems without a place, by entity and row.
  private var wanted: [String: [Int: [Int]]] = [:]

  init(_ assembly: StoreAssembly) {
    problems = assembly.problems.first
    for (i, problem) in problems.enumerated() where problem.offset == nil {
      guard let origin = assembly.origin(of: problem) else { continue }
      wanted[origin.entity, default: [:]][origin.row, default: []].append(i)
    }
  }

  var isNeeded: Bool { !wanted.isEmpty }
}

extension RowFinder {
  /// Reads the document's objects up to the last one with a problem.
  mutating func read(_ loader: inout Loader) throws(LoadFailure) {
    try loader.object { loader, key, _ throws(LoadFailure) in
      guard key == "objects" else { return try loader.skip() }
      try loader.object { loader, entity, _ throws(LoadFailure) in
        try rows(of: entity, &loader)
      }
    }
  }

  private mutating func rows(of entity: String, _ loader: inout Loader) throws(LoadFailure) {
    guard let rows = wanted[entity] else { return try loader.skip() }
    var row = 0
    try loader.array { loader throws(LoadFailure) in
      if let found = rows[row] { try locate(found, &loader) } else { try loader.skip() }
      row += 1
    }
  }

  private mutating func locate(_ found: [Int], _ loader: inout Loader) throws(LoadFailure) {
    let (bytes, start) = try loader.tree()
    let object = try? JSONNode(reading: bytes)
    for i in found { problems[i].offset = start + (object?.offset(of: problems[i]) ?? 0) }
  }
}

extension JSONNode {
  /// Returns the offset of a problem in its object: the offset of the value, or of the number in its list.
  fileprivate func offset(of problem: RowProblem) -> Int {
    guard case .object(let members) = kind,
      let member = members.first(where: { $0.key == problem.key ?? "objectID" })
    else { return 0 }
    let value = member.value
    guard case .array(let elements) = value.kind, let number = problem.number else {
      return value.span.lowerBound
    }
    let place = elements.last {
      if case .number(let digits) = $0.kind { digits == String(number) } else { false }
    }
    return (place ?? value).span.lowerBound
  }
}

extension RowProblem {
  /// The invalid number in a list.
  fileprivate var number: Int64? {
    switch kind {
    case .dangling(let number, _), .twice(let number, _): number
    default: nil
    }
  }
}

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
