import Foundation
import KuraBytes
import KuraDiagnostics
import KuraSentences

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
    try LiveFiles.write(bytes, to: input, "the command", waitForRoom: waitForRoom)
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

/// A command that was just started, and the end of the pipe that it reads, if any.
///
/// Its signal handling is as a shell would set it, not what Kura ignores or blocks.
struct SpawnedCommand {
  let process: pid_t
  let input: Int32

  init(
    _ command: String, hasOwnGroup: Bool, isPager: Bool
  ) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    var code = pipe(&ends) == 0 ? 0 : errno
    if code == 0 {
      // Another command must not keep this pipe open.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    }
    var process: pid_t = 0
    if code == 0 {
      code = Self.start(command, reading: ends[0], hasOwnGroup, isPager, &process)
    }
    if ends[0] >= 0 { close(ends[0]) }
    if code != 0 {
      if ends[1] >= 0 { close(ends[1]) }
      throw Failure(FileProblem.cannotRun(command: command, reason: LiveFiles.reason(code)))
    }
    (self.process, input) = (process, ends[1])
  }
}

extension SpawnedCommand {
  /// Gives a command the terminal until it ends; returns its exit status as a shell does.
  static func runInForeground(_ command: String) throws(Failure) -> Int32 {
    var process: pid_t = 0
    let code = start(command, reading: nil, false, false, &process)
    guard code == 0 else {
      throw Failure(FileProblem.cannotRun(command: command, reason: LiveFiles.reason(code)))
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif

  /// Starts a command; returns the error number, or 0.
  private static func start(
    _ command: String, reading file: Int32?, _ hasOwnGroup: Bool, _ isPager: Bool,
    _ process: inout pid_t
  ) -> Int32 {
    var actions = FileActions()
    var attributes = Attributes()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let file { posix_spawn_file_actions_adddup2(&actions, file, 0) }
    setSignals(&attributes, hasOwnGroup)
    let arguments = strings(["sh", "-c", command])
    var variables = ProcessInfo.processInfo.environment
    if isPager { variables.merge(TerminalDisplay.pagerEnvironment(variables)) { $1 } }
    let environment = strings(variables.map { "\($0.key)=\($0.value)" })
    defer { for text in arguments + environment { free(text) } }
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment)
  }

  private static func setSignals(_ attributes: inout Attributes, _ hasOwnGroup: Bool) {
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU] {
      sigaddset(&defaults, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(group))
  }

  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}

/// The program in which the user edits longer texts: `$VISUAL`, `$EDITOR`, or vi.
package enum ExternalEditor {
  /// Returns the edited text.
  ///
  /// Throws a `Failure` if the program failed.
  package static func edit(_ text: String) throws(Failure) -> String {
    let path = try write(text)
    defer { unlink(path) }
    let status = try SpawnedCommand.runInForeground("\(command) \(quoted(path))")
    guard status == 0 else { throw Failure(EditProblem.failed(command, status: status)) }
    guard let bytes = FileManager.default.contents(atPath: path),
      let edited = String(validating: bytes, as: UTF8.self)
    else { throw Failure(EditProblem.unreadable(localized("it is not UTF-8"))) }
    return String(edited.reversed().drop(while: \.isNewline).reversed())
  }

  private static var command: String {
    let environment = ProcessInfo.processInfo.environment
    return ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// Writes a file that only its owner can read.
  private static func write(_ text: String) throws(Failure) -> String {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var name = Array((folder + "/kura-XXXXXX.kura").utf8CString)
    let file = mkstemps(&name, 5)
    guard file >= 0 else { throw Failure(EditProblem.unreadable(LiveFiles.reason(errno))) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do { try handle.write(contentsOf: Data((text + "\n").utf8)) } catch {
      unlink(path)
      throw Failure(EditProblem.unreadable(LiveFiles.reason(errno)))
    }
    return path
  }

  private static func quoted(_ path: String) -> String {
    "'" + path.replacing("'", with: "'\\''") + "'"
  }
}

/// The terminal of the process, which one process group at a time may use.
///
/// The system stops other groups that read it; the group that has it receives Control-C.
final class LentTerminal {
  private let own = getpgrp()
  /// The settings to restore for the prompt.
  private var settings = termios()
  private(set) var isLent = false

  private static let file: Int32 = 0

  /// Creates it; nil without a terminal, or if another process of a pipeline may read it too.
  init?() {
    guard isatty(0) == 1, isatty(1) == 1, tcgetpgrp(Self.file) == own else { return nil }
    tcgetattr(Self.file, &settings)
  }
}

extension LentTerminal {
  /// Gives the terminal to a process group, and continues the group if it was stopped. The terminal
  /// echoes and edits lines for it, unlike for the line editor.
  func lend(to group: pid_t) {
    Self.unstopped {
      if !isLent { prepareForPrograms() }
      _ = tcsetpgrp(Self.file, group)
    }
    isLent = true
    kill(-group, SIGCONT)
  }

  private func prepareForPrograms() {
    tcgetattr(Self.file, &settings)
    var lent = settings
    lent.c_lflag |= tcflag_t(ICANON | ECHO)
    lent.c_iflag |= tcflag_t(ICRNL)
    tcsetattr(Self.file, TCSADRAIN, &lent)
  }

  /// Takes the terminal back and restores its settings, whatever state a command left.
  func takeBack() {
    guard isLent else { return }
    isLent = false
    Self.unstopped {
      _ = tcsetpgrp(Self.file, own)
      tcsetattr(Self.file, TCSADRAIN, &settings)
    }
  }

  /// Stops Kura, as Control-Z does, while the command that has the terminal is stopped.
  func suspend() {
    takeBack()
    kill(0, SIGTSTP)
  }

  /// Runs `body` with SIGTTOU blocked: a background process that changes the terminal would be
  /// stopped.
  private static func unstopped(_ body: () -> Void) {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
