import Foundation

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
