import CPseudoTerminal
import Foundation

/// A terminal whose other end is a test.
final class PseudoTerminal: Sendable {
  private let master: Int32
  /// The end for a program.
  let terminal: Int32

  init?(columns: Int, rows: Int) {
    var master: Int32 = -1
    var terminal: Int32 = -1
    guard pseudo_terminal_open(&master, &terminal) else { return nil }
    self.master = master
    self.terminal = terminal
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(terminal)
    close(master)
  }

  func resize(columns: Int, rows: Int) {
    pseudo_terminal_resize(master, Int32(columns), Int32(rows))
  }

  /// Columns and rows.
  var size: [Int] {
    var size = winsize()
    _ = ioctl(terminal, UInt(TIOCGWINSZ), &size)
    return [Int(size.ws_col), Int(size.ws_row)]
  }

  /// Types keys.
  func type(_ keys: String) { type(Array(keys.utf8)) }

  /// Sends bytes unchanged.
  func type(_ bytes: [UInt8]) { _ = write(master, bytes, bytes.count) }

  /// Returns the output to the screen since the last call, after waiting for more.
  func received(waiting milliseconds: Int32) -> String {
    var bytes: [UInt8] = []
    var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, bytes.isEmpty ? milliseconds : 0) > 0 {
      var block = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &block, block.count)
      guard count > 0 else { break }
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the terminal echoes and buffers lines, as for a program that does not change its mode.
  var isCooked: Bool {
    var settings = termios()
    tcgetattr(terminal, &settings)
    let wanted = tcflag_t(ECHO) | tcflag_t(ICANON)
    return settings.c_lflag & wanted == wanted
  }
}
