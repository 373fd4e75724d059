import KuraDiagnostics

/// The window of a terminal.
struct Screen {
  var columns: Int
  var rows: Int
  var width: DisplayWidth
}

extension Screen {
  /// Whether text is seen at once, with the prompt under it.
  func fits(_ text: [UInt8]) -> Bool {
    var lines = 0
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      lines += 1
      guard lines <= rows, line.count > columns else { continue }
      let cells = width.cells(TerminalSequences.removed(from: line) { _ in true })
      lines += max(0, cells - 1) / max(1, columns)
    }
    return lines <= rows
  }
}

/// Drawn text on its way to a terminal, which goes through a pager once it is longer than the screen.
final class PagedOutput {
  private let screen: Screen
  private let open: () throws -> ResultStream
  private var pending: [UInt8] = []
  private var pager: ResultStream?

  /// So much is made before it is handed on: about what a screen holds.
  static let piece = 8_192

  init(_ screen: Screen, open: @escaping () throws -> ResultStream) {
    self.screen = screen
    self.open = open
  }
}

extension PagedOutput {
  var isPaged: Bool { pager != nil }

  /// Takes whole lines; throws `ClosedOutput` when the pager was left.
  func append(_ bytes: UnsafeRawBufferPointer) throws {
    pending.append(contentsOf: bytes)
    if pager == nil {
      if screen.fits(pending) { return }
      pager = try open()
    }
    try handOn()
  }

  private func handOn() throws {
    let bytes = TerminalSequences.removed(from: pending[...]) { $0 != UInt8(ascii: "m") }
    pending.removeAll(keepingCapacity: true)
    try bytes.withUnsafeBytes { try pager?.append(drawn: $0) }
    try pager?.flush()
  }

  /// Shows what is short, or waits until the pager is left, and throws what it failed with.
  func close(onto target: ResultStream) throws {
    if let pager { return try pager.close() }
    try pending.withUnsafeBytes { try target.append(drawn: $0) }
  }
}

/// `ESC [ 31 m` and its like in drawn text.
enum TerminalSequences {
  /// The text without those whose last letter is so: a pager takes colours alone.
  static func removed(
    from text: ArraySlice<UInt8>, where isRemoved: (_ last: UInt8) -> Bool
  ) -> [UInt8] {
    guard text.contains(0x1B) else { return Array(text) }
    var result: [UInt8] = []
    var rest = text
    while let escape = rest.firstIndex(of: 0x1B) {
      result += rest[..<escape]
      guard let last = rest[escape...].dropFirst(2).firstIndex(where: { $0 >= 0x40 }) else {
        return result
      }
      if !isRemoved(rest[last]) { result += rest[escape...last] }
      rest = rest[(last + 1)...]
    }
    return result + rest
  }
}
