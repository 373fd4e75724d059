import Foundation
import KuraBytes
import KuraDiagnostics

/// A command of the system's shell that reads results: `.output | gzip > report.gz`.
///
/// It has a process group of its own, so that Control-C at the prompt does not end it, and gets the
/// terminal where it reads that.
final class CommandProcess {
  private let command: String
  private let process: pid_t
  /// Where it reads; writes to it never wait.
  private let input: Int32
  /// Nil: there is none to lend, and it shares our group.
  private let terminal: LentTerminal?
  /// What it ended with, once that is known.
  private var status: Int32?
  private var isOpen = true
  /// Whether Control-C is a key of its own, as in a pager, and no wish to stop all.
  private let takesInterrupts: Bool

  /// What a command is for.
  enum Use {
    /// `.output | COMMAND`: it stays behind the prompt.
    case lasting
    /// `.once | COMMAND`: it has the terminal.
    case once
    case pager
  }

  /// Starts it.
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
  /// Writes everything; a reader that is gone is `ClosedOutput`, and Control-C ends a wait.
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
        throw Failure(FileFacts.cannotWriteResults(to: "the command", reason: reason))
      } else {
        try CancelFlag.current.check()
      }
    }
  }

  /// It may be stopped, for it wants the terminal: then nothing would ever be read.
  private func waitForRoom() throws {
    var ready = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
    if poll(&ready, 1, 100) > 0 { return }
    try CancelFlag.current.check()
    look(WNOHANG)
  }

  /// Whether it has ended, or was given the terminal which the prompt wants.
  var isOver: Bool {
    look(WNOHANG)
    return status != nil || terminal?.isLent == true
  }

  /// Lets it read to the end, waits for it, and throws what it failed with.
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
  /// Learns whether it has ended or was stopped.
  private func look(_ options: Int32) {
    var code: Int32 = 0
    guard status == nil else { return }
    let found = waitpid(process, &code, options | WUNTRACED)
    if found < 0 {
      if errno != EINTR { return status = 0 }
      // What is in a group of its own has not heard of Control-C, unless it has the terminal.
      if CancelFlag.current.isRequested, terminal != nil { kill(-process, SIGINT) }
    } else if found == process {
      if code & 0xFF == 0x7F { stopped(by: code >> 8 & 0xFF) } else { status = code }
    }
  }

  private func stopped(by signal: Int32) {
    guard let terminal else { return }
    let wantsTerminal = signal == SIGTTIN || signal == SIGTTOU
    if !wantsTerminal, terminal.isLent { terminal.suspend() }
    // At the prompt it waits for its turn: until its input is full, or ends.
    if !wantsTerminal || terminal.isLent || !isOpen || isFull { terminal.lend(to: process) }
  }

  private var isFull: Bool {
    var ready = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, 0) == 0
  }

  /// A command that did not want to read on is no fault: it was a pager, or `head`.
  private func fault(_ status: Int32) -> (any DiagnosticFacts)? {
    let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
    if signal == SIGPIPE || signal == 0 && [0, 128 + SIGPIPE].contains(code) { return nil }
    // Control-C goes to the command.
    if signal == SIGINT || signal == 0 && code == 128 + SIGINT {
      return takesInterrupts ? nil : StopFacts.stopped
    }
    return signal == 0
      ? FileFacts.commandFailed(command, status: code)
      : FileFacts.commandKilled(command, signal: signal)
  }
}

extension Failure {
  /// Whether a command was not found, or cannot be run: the shell says so with a status of its own.
  var isOfMissingCommand: Bool {
    guard case .commandFailed(_, let status)? = diagnostics.first?.facts as? FileFacts else {
      return false
    }
    return status == 126 || status == 127
  }
}
