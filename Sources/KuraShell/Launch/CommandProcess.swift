import Foundation
import KuraDiagnostics

/// A command of the system's shell that reads results: `.output | less`.
///
/// It finds signals as a shell would leave them: what Kura ignores, it does not.
struct CommandProcess {
  private let command: String
  private let process: pid_t
  /// Where it reads.
  let input: Int32

  init(_ command: String) throws(Failure) {
    self.command = command
    var ends: [Int32] = [-1, -1]
    var code = pipe(&ends) == 0 ? 0 : errno
    if code == 0 {
      // Another command must not hold this one's end open.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    var process: pid_t = 0
    if code == 0 { code = Self.start(command, reading: ends[0], &process) }
    if ends[0] >= 0 { close(ends[0]) }
    if code != 0 {
      if ends[1] >= 0 { close(ends[1]) }
      throw Failure(FileFacts.cannotRun(command: command, reason: LiveFiles.reason(code)))
    }
    (self.process, input) = (process, ends[1])
  }

  /// Lets it read to the end, waits for it, and throws what it failed with.
  func end() throws(Failure) {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if let facts = fault(status) { throw Failure(facts) }
  }

  /// A command that did not want to read on is no fault: it was a pager, or `head`.
  private func fault(_ status: Int32) -> (any DiagnosticFacts)? {
    let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
    if signal == SIGPIPE || signal == 0 && [0, 128 + SIGPIPE].contains(code) { return nil }
    // Control-C goes to the command too.
    if signal == SIGINT || signal == 0 && code == 128 + SIGINT { return StopFacts.stopped }
    return signal == 0
      ? FileFacts.commandFailed(command, status: code)
      : FileFacts.commandKilled(command, signal: signal)
  }
}

extension CommandProcess {
  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif

  /// The error's number; 0 where it was started.
  private static func start(_ command: String, reading file: Int32, _ process: inout pid_t) -> Int32
  {
    var actions = FileActions()
    var attributes = Attributes()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, file, 0)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments = strings(["sh", "-c", command])
    let environment = strings(
      ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    defer { for text in arguments + environment { free(text) } }
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment)
  }

  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}
