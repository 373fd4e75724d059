/// The statements of all sessions in a file: one JSON string a line, the newest last.
///
///     "fetch MemoDate where title CONTAINS \"誕生\"\n  sort date"
///
/// A statement is written when it is entered, with one call and at the file's end: a session that
/// is killed loses nothing, and two sessions keep what both wrote. The file is its owner's alone.
package struct HistoryFile: Sendable {
  private let path: String

  /// The file at a path, which is made with the first statement.
  package init(path: String) { self.path = path }

  /// How many statements a session begins with.
  package static let defaultLimit = 10_000

  /// The newest statements, oldest first; none if there is no file.
  ///
  /// Reads from the end, so that the cost does not grow with the file. What is no JSON string is
  /// left out: the end of a line may be missing if the disk was full.
  package func load(limit: Int = defaultLimit) -> [String] {
    guard let file = System.open(path, for: .reading) else { return [] }
    return Self.lastLines(of: file, limit: limit).compactMap(HistoryLine.decode)
  }

  /// Writes a statement; false if the system refuses.
  @discardableResult
  package func append(_ statement: String) -> Bool {
    guard let file = System.open(path, for: .appending) else { return false }
    let line = HistoryLine.encode(statement)
    return System.write(
      Self.endsInMidLine(file) ? "\n\(line)".utf8 : line.utf8, to: file.descriptor)
  }

  private static func endsInMidLine(_ file: borrowing System.File) -> Bool {
    let length = System.length(of: file)
    return length > 0 && System.read(file, at: length - 1, count: 1) != [UInt8(ascii: "\n")]
  }

  private static func lastLines(
    of file: borrowing System.File, limit: Int
  ) -> [ArraySlice<UInt8>] {
    var start = System.length(of: file)
    var blocks: [[UInt8]] = []
    var breaks = 0
    while start > 0, breaks <= limit {
      let count = min(start, 65_536)
      start -= count
      blocks.append(System.read(file, at: start, count: count))
      breaks += blocks.last?.count { $0 == UInt8(ascii: "\n") } ?? 0
    }
    let bytes = Array(blocks.reversed().joined())
    return bytes.split(separator: UInt8(ascii: "\n")).suffix(limit)
  }
}
