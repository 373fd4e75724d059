import CPseudoTerminal
import Foundation
import TestSupport

extension FileTrial {
  /// A person's own files, broken: the conversation goes on.
  static func runAtTerminal(_ numbers: inout SeededNumbers, _ ground: Ground) throws {
    for (name, text) in [(".kurarc", script), (".kura_history", "fetch A\nprint 1\n")] {
      switch numbers.below(6) {
      case 0: break
      case 1: mkfifo(ground.file(name), 0o600)
      case 2:
        try FileManager.default.createDirectory(
          atPath: ground.file(name), withIntermediateDirectories: true)
      case 3:
        try FileManager.default.createSymbolicLink(
          atPath: ground.file(name),
          withDestinationPath: numbers.pick([name, "/dev/zero", "/dev/full"]))
      default: try ground.write(Corruption.corrupted(Array(text.utf8), &numbers), to: name)
      }
    }
    let terminal = try TerminalProcess(in: ground)
    try terminal.type("print 6 * 7;\n", untilItShows: "42")
    terminal.type("\n.quit\n")
    terminal.type("y\n")
    let status = try terminal.end()
    try hold(status == 0 || status == 1 << 8 || status == 3 << 8, "wait status \(status)")
  }
}

/// The program at a terminal, whose other end is here.
private final class TerminalProcess {
  private let master: Int32
  private let process: Int32
  private var shown = ""
  private var isOver = false

  init(in ground: Ground) throws {
    var (master, terminal): (Int32, Int32) = (-1, -1)
    try hold(pseudo_terminal_open(&master, &terminal), "no pseudo-terminal")
    pseudo_terminal_resize(master, 100, 24)
    let texts: [[String]] = [
      [Program.path],
      ["HOME=\(ground.path)", "TERM=xterm", "LC_ALL=C.UTF-8", "EDITRC=/dev/null", "NO_COLOR=1"],
    ]
    let lists = texts.map { $0.map { strdup($0) } + [nil] }
    defer { for list in lists { for text in list { free(text) } } }
    (self.master, process) = (
      master, pseudo_terminal_start(terminal, Program.path, lists[0], lists[1])
    )
    close(terminal)
  }

  deinit { if !isOver { giveUp() } }

  private func giveUp() {
    isOver = true
    kill(process, SIGKILL)
    close(master)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Types again now and then: the first keys may come a moment too early.
  func type(_ keys: String, untilItShows text: String) throws {
    let end = Date(timeIntervalSinceNow: FileTrial.seconds)
    while !shown.contains(text) {
      try hold(Date() < end, "it shows \(shown.suffix(3000).debugDescription)")
      type(keys)
      for _ in 0..<50 where !shown.contains(text) {
        try hold(receive(), "it ended: \(shown.suffix(3000).debugDescription)")
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
    shown += String(decoding: block[..<count], as: UTF8.self)
    return true
  }

  /// Waits for the end, and gives what `waitpid` says of it.
  func end() throws -> Int32 {
    let end = Date(timeIntervalSinceNow: FileTrial.seconds)
    while receive() {
      try hold(Date() < end, "it does not leave: \(shown.suffix(3000).debugDescription)")
    }
    isOver = true
    close(master)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status
  }
}
