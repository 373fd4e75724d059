import CPseudoTerminal
import Foundation

/// A program at a terminal whose other end is a test.
package final class ProgramOnTerminal {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private let master: Int32
  private let process: Int32
  /// The mode of the terminal before the program.
  package let stateBefore: [UInt32]
  private var isOver = false
  private var isClosed = false
  /// The exit status after `hasEnded`; -1 if a signal ended it.
  package private(set) var ended: Int32 = -1
  package private(set) var shown = ""
  /// The first bytes of an incomplete character.
  private var unread: [UInt8] = []
  /// The store's name in the prompt.
  private let name: String
  /// The time limit for every step, in seconds.
  private let patience: Double

  /// Starts a program with some arguments in a folder that is its home.
  package init(
    _ path: String, _ arguments: [String] = [], home: String, patience: Double = 60,
    environment more: [String] = ["TERM=xterm", "NO_COLOR=1"]
  ) throws {
    self.patience = patience
    name =
      arguments.first { $0.hasSuffix(".json") }
      .map { URL(filePath: $0).deletingPathExtension().lastPathComponent } ?? "kura"
    var master: Int32 = -1
    var terminal: Int32 = -1
    guard pseudo_terminal_open(&master, &terminal) else {
      throw Failure(description: "no pseudo-terminal: \(errno)")
    }
    self.master = master
    pseudo_terminal_resize(master, 100, 24)
    // The first variable of a name counts.
    let environment = more + ["HOME=\(home)", "LC_ALL=C.UTF-8", "EDITRC=/dev/null"]
    stateBefore = Self.state(of: master)
    process = Self.start(terminal, path, [path] + arguments, environment)
    close(terminal)
  }

  deinit {
    if !hasEnded { kill(process, SIGKILL) }
    _ = hangUp()
  }

  private static func start(
    _ terminal: Int32, _ path: String, _ arguments: [String], _ environment: [String]
  ) -> Int32 {
    let lists = [arguments, environment].map { $0.map { strdup($0) } + [nil] }
    defer { for list in lists { for text in list { free(text) } } }
    return pseudo_terminal_start(terminal, path, lists[0], lists[1])
  }

  /// Takes everything that is shown until there is a pause: after a key, when the program waits for
  /// the next one.
  package func takeAll() -> String {
    let end = Date() + patience
    var quiet = Date() + 0.5
    var length = shown.utf8.count
    while Date() < min(end, quiet), receive() {
      guard shown.utf8.count != length else { continue }
      length = shown.utf8.count
      quiet = Date() + 0.15
    }
    defer { shown = "" }
    return shown
  }

  package func resize(columns: Int32, rows: Int32) {
    pseudo_terminal_resize(master, columns, rows)
  }

  package func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Types bytes, and takes what is shown meanwhile, so that neither end blocks the other.
  package func feed(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      var ready = pollfd(fd: master, events: Int16(POLLIN | POLLOUT), revents: 0)
      guard poll(&ready, 1, Int32(patience * 1000)) > 0, !hasEnded else {
        throw Failure(description: "it takes no keys any more; there was \(shown.suffix(500))")
      }
      if ready.revents & Int16(POLLIN) != 0 { _ = receive() }
      guard ready.revents & Int16(POLLOUT) != 0 else { continue }
      let piece = Array(rest.prefix(256))
      rest = rest.dropFirst(max(0, write(master, piece, piece.count)))
    }
  }

  /// Takes what is shown within a time.
  package func drain(milliseconds: Int) {
    let end = Date() + Double(milliseconds) / 1000
    while Date() < end, receive() {}
  }

  /// Takes what is shown until a condition holds, up to the time limit.
  package func drain(upTo holds: () -> Bool) {
    let end = Date() + patience
    while Date() < end, !holds() { _ = receive() }
  }

  /// Returns what was shown up to a text, after waiting for it.
  package func shown(upTo text: String) throws -> String {
    let start = Date()
    while !shown.contains(text) {
      guard Date().timeIntervalSince(start) < patience, receive() else {
        throw Failure(description: "waited for \(text.debugDescription); there was \(shown)")
      }
    }
    let end = shown.firstRange(of: text)?.upperBound ?? shown.endIndex
    defer { shown.removeSubrange(..<end) }
    return String(shown[..<end])
  }

  package func forget() { shown = "" }

  /// The mode of the terminal, which a program changes while it edits a line.
  package var state: [UInt32] { Self.state(of: master) }

  private static func state(of terminal: Int32) -> [UInt32] {
    var state = termios()
    guard tcgetattr(terminal, &state) == 0 else { return [] }
    return [
      UInt32(state.c_iflag), UInt32(state.c_oflag), UInt32(state.c_cflag), UInt32(state.c_lflag),
    ]
  }

  /// Whether the program has ended by itself; `ended` is then its status.
  package var hasEnded: Bool {
    guard !isOver else { return true }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return false }
    isOver = true
    ended = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    return true
  }

  package func send(_ signal: Int32) { kill(process, signal) }

  /// Waits until the program has shown a text, and takes everything up to it.
  package func sees(_ text: String) throws {
    try sees(text.debugDescription) { $0.firstRange(of: text) }
  }

  private func sees(_ what: String, _ find: (String) -> Range<String.Index>?) throws {
    let start = Date()
    while true {
      if let range = find(shown) {
        shown.removeSubrange(..<range.upperBound)
        return
      }
      guard Date().timeIntervalSince(start) < patience, receive() else {
        throw Failure(description: "waited for \(what); there was \(shown)")
      }
    }
  }

  /// Takes what comes next; throws if nothing can come any more.
  package func receiveMore() throws {
    guard receive() else { throw Failure(description: "it has ended; there was \(shown)") }
  }

  /// Types a statement, and waits until it has been run.
  package func runs(_ statement: String) throws {
    type(statement + "\r")
    try sees("\u{1B}[?2004l")
    try seesPrompt()
  }

  /// Waits for the prompt: the store's name, with a star for unsaved changes.
  package func seesPrompt() throws {
    try sees("the prompt") { shown in
      shown.ranges(of: "> ").first { range in
        let before = shown[..<range.lowerBound]
        return [name, name + "*"].contains { before.hasSuffix($0) }
      }
    }
  }

  /// Reads what comes within a short time; returns false at the end.
  private func receive() -> Bool {
    var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 20) > 0 else { return true }
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &block, block.count)
    guard count > 0 else { return false }
    let bytes = unread + block[..<count]
    let end = bytes.endOfLastCharacter
    shown += String(decoding: bytes[..<end], as: UTF8.self)
    unread = Array(bytes[end...])
    return true
  }

  /// Types keys repeatedly until a text is shown: the first ones may come too early.
  package func type(_ keys: String, untilItShows text: String) throws {
    let start = Date()
    while !shown.contains(text) {
      guard Date().timeIntervalSince(start) < patience else { break }
      type(keys)
      for _ in 0..<20 where !shown.contains(text) { _ = receive() }
    }
    try sees(text)
  }

  /// Waits for the end, and returns the exit status; -1 after a signal or a timeout.
  package func status() -> Int32 {
    let start = Date()
    while receive() {
      guard Date().timeIntervalSince(start) < patience else {
        kill(process, SIGKILL)
        break
      }
    }
    return hangUp()
  }

  /// Closes the terminal, as when its window is closed, and waits for the end.
  package func hangUp() -> Int32 {
    let isGone = hasEnded
    if !isClosed { close(master) }
    isClosed = true
    guard !isGone else { return ended }
    isOver = true
    var status: Int32 = 0
    waitpid(process, &status, 0)
    ended = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    return ended
  }
}

extension [UInt8] {
  /// The end of the last complete character; invalid UTF-8 ends with its last byte.
  fileprivate var endOfLastCharacter: Int {
    guard let lead = suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return count }
    let length = Swift.max(1, (~self[lead]).leadingZeroBitCount)
    return (2...4).contains(length) && lead + length > count ? lead : count
  }
}
