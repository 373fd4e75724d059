import CPseudoTerminal
import Foundation

/// A program at a terminal whose other end is a test.
package final class ProgramOnTerminal {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private let master: Int32
  private let process: Int32
  /// How the terminal was set when it began.
  package let stateBefore: [UInt32]
  private var isOver = false
  private var isClosed = false
  /// The exit status of one that `hasEnded`; -1 if a signal ended it.
  package private(set) var ended: Int32 = -1
  package private(set) var shown = ""
  /// The first bytes of a character whose others are still to come.
  private var unread: [UInt8] = []
  /// What its prompt calls the store.
  private let name: String
  /// How many seconds everything may take.
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
    // The first of a name counts.
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

  /// Takes all that it shows until it is quiet: behind a key that is when it waits for the next one.
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

  /// Types bytes, and takes what is shown meanwhile: neither end waits for the other for ever.
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

  /// Takes what is shown until something holds, as long as there is patience.
  package func drain(upTo holds: () -> Bool) {
    let end = Date() + patience
    while Date() < end, !holds() { _ = receive() }
  }

  /// What was shown up to a text, which is awaited and taken too.
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

  /// How the terminal is set: what a program changes while it edits a line.
  package var state: [UInt32] { Self.state(of: master) }

  private static func state(of terminal: Int32) -> [UInt32] {
    var state = termios()
    guard tcgetattr(terminal, &state) == 0 else { return [] }
    return [
      UInt32(state.c_iflag), UInt32(state.c_oflag), UInt32(state.c_cflag), UInt32(state.c_lflag),
    ]
  }

  /// Whether it has ended by itself; `ended` is its status then.
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

  /// Takes what comes next, and fails where nothing can.
  package func receiveMore() throws {
    guard receive() else { throw Failure(description: "it has ended; there was \(shown)") }
  }

  /// Types a statement, and waits until it has been run.
  package func runs(_ statement: String) throws {
    type(statement + "\r")
    try sees("\u{1B}[?2004l")
    try seesPrompt()
  }

  /// Waits for the prompt: the store's name, with a star where changes are unsaved.
  package func seesPrompt() throws {
    try sees("the prompt") { shown in
      shown.ranges(of: "> ").first { range in
        let before = shown[..<range.lowerBound]
        return [name, name + "*"].contains { before.hasSuffix($0) }
      }
    }
  }

  /// Reads what comes within a while; false at the end.
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

  /// Types keys again and again until a text is shown: the first may come a moment too early.
  package func type(_ keys: String, untilItShows text: String) throws {
    let start = Date()
    while !shown.contains(text) {
      guard Date().timeIntervalSince(start) < patience else { break }
      type(keys)
      for _ in 0..<20 where !shown.contains(text) { _ = receive() }
    }
    try sees(text)
  }

  /// Waits for the end, and gives the exit status; -1 if a signal ended it, or nothing did in time.
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

  /// Takes the terminal away, as when its window is closed, and waits for the end.
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
  /// Where the last character ends that is there whole; what is no UTF-8 ends with its last byte.
  fileprivate var endOfLastCharacter: Int {
    guard let lead = suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return count }
    let length = Swift.max(1, (~self[lead]).leadingZeroBitCount)
    return (2...4).contains(length) && lead + length > count ? lead : count
  }
}
