import Foundation
import KuraDiagnostics

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
}

extension SpawnedCommand {
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
