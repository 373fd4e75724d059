import Foundation
import KuraBytes
import KuraDiagnostics

/// A command of the system's shell that reads results: `.output | gzip > report.gz`.
///
/// It has a process group of its own, so that Control-C at the prompt does not end it. It gets the
/// terminal when it reads from it.
final class CommandProcess {
  private let command: String
  private let process: pid_t
  /// The pipe that the command reads; writes to it never block.
  private let input: Int32
  /// The terminal to lend to the command; nil without one, so that the command shares our process
  /// group.
  private let terminal: LentTerminal?
  /// The exit status, once known.
  private var status: Int32?
  private var isOpen = true
  /// Whether Control-C is a key of the command itself, as in a pager, and does not stop the
  /// statement.
  private let takesInterrupts: Bool

  /// The period in which a command reads results.
  enum Use {
    /// `.output | COMMAND`: it runs while the user types further statements.
    case lasting
    /// `.once | COMMAND`: it has the terminal.
    case once
    case pager
  }

  /// Starts the command.
  init(_ command: String, for use: Use) throws(Failure) {
    self.command = command
    takesInterrupts = use == .pager
    terminal = LentTerminal()
    let spawned = try SpawnedCommand(
      command, hasOwnGroup: terminal != nil, isPager: use == .pager)
    (process, input) = (spawned.process, spawned.input)
    if use != .lasting { terminal?.lend(to: process) }
  }

  deinit { if isOpen { close(input) } }
}

extension CommandProcess {
  /// Writes everything; throws `ClosedOutput` if nothing reads any more. Control-C ends a wait.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        input, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw ClosedOutput()
      } else if errno == EAGAIN {
        try waitForRoom()
      } else if errno != EINTR {
        let reason = LiveFiles.reason(errno)
        throw Failure(FileProblem.cannotWriteResults(to: "the command", reason: reason))
      } else {
        try CancelFlag.current.check()
      }
    }
  }

  /// Waits for room. The command may have been stopped because it needs the terminal, and would
  /// then never read.
  private func waitForRoom() throws {
    var ready = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
    if poll(&ready, 1, 100) > 0 { return }
    try CancelFlag.current.check()
    look(WNOHANG)
  }

  /// Whether it has ended, or has the terminal that the prompt needs.
  var isOver: Bool {
    look(WNOHANG)
    return status != nil || terminal?.isLent == true
  }

  /// Closes its input, waits for its end, and throws if it failed.
  func end() throws(Failure) {
    if isOpen { close(input) }
    isOpen = false
    if status == nil { terminal?.lend(to: process) }
    while status == nil { look(0) }
    terminal?.takeBack()
    if let facts = fault(status ?? 0) { throw Failure(facts) }
  }
}

extension CommandProcess {
  /// Checks whether it has ended or was stopped.
  private func look(_ options: Int32) {
    var code: Int32 = 0
    guard status == nil else { return }
    let found = waitpid(process, &code, options | WUNTRACED)
    if found < 0 {
      if errno != EINTR { return status = 0 }
      // A command with a group of its own does not receive Control-C unless it has the terminal.
      if CancelFlag.current.isRequested, terminal != nil { kill(-process, SIGINT) }
    } else if found == process {
      if code & 0xFF == 0x7F { stopped(by: code >> 8 & 0xFF) } else { status = code }
    }
  }

  private func stopped(by signal: Int32) {
    guard let terminal else { return }
    let wantsTerminal = signal == SIGTTIN || signal == SIGTTOU
    if !wantsTerminal, terminal.isLent { terminal.suspend() }
    // While the prompt has the terminal, the command waits: until its input is full or ends.
    if !wantsTerminal || terminal.isLent || !isOpen || isFull { terminal.lend(to: process) }
  }

  private var isFull: Bool {
    var ready = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, 0) == 0
  }

  /// Returns the problem of an exit status. A command that stopped reading early, such as a pager
  /// or `head`, did not fail.
  private func fault(_ status: Int32) -> (any DiagnosticFacts)? {
    let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
    if signal == SIGPIPE || signal == 0 && [0, 128 + SIGPIPE].contains(code) { return nil }
    // The command received Control-C.
    if signal == SIGINT || signal == 0 && code == 128 + SIGINT {
      return takesInterrupts ? nil : StopReason.stopped
    }
    return signal == 0
      ? FileProblem.commandFailed(command, status: code)
      : FileProblem.commandKilled(command, signal: signal)
  }
}

extension Failure {
  /// Whether a command was not found or cannot be run; the shell has exit statuses for that.
  var isOfMissingCommand: Bool {
    guard case .commandFailed(_, let status)? = diagnostics.first?.facts as? FileProblem else {
      return false
    }
    return status == 126 || status == 127
  }
}
