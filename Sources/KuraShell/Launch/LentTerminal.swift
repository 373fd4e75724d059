import Foundation

/// The terminal of the process, which one group of processes at a time reads.
///
/// Who else reads it is stopped; Control-C goes to those who have it.
final class LentTerminal {
  private let own = getpgrp()
  /// What the prompt wants to find again.
  private var settings = termios()
  private(set) var isLent = false

  private static let file: Int32 = 0

  /// Nil where there is none, or where others of a pipeline may read it too.
  init?() {
    guard isatty(0) == 1, isatty(1) == 1, tcgetpgrp(Self.file) == own else { return nil }
    tcgetattr(Self.file, &settings)
  }
}

extension LentTerminal {
  /// Gives it to a group of processes, which goes on if it was stopped. They find a terminal that edits
  /// lines and echoes them: the editor keeps it otherwise between two lines.
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

  /// Takes it back as it was, whatever a command that was ended has left.
  func takeBack() {
    guard isLent else { return }
    isLent = false
    Self.unstopped {
      _ = tcsetpgrp(Self.file, own)
      tcsetattr(Self.file, TCSADRAIN, &settings)
    }
  }

  /// Stops all of Kura, as Control-Z does, while the command that has the terminal is stopped.
  func suspend() {
    takeBack()
    kill(0, SIGTSTP)
  }

  /// Who is not in front is stopped when it changes the terminal, unless it does not listen.
  private static func unstopped(_ body: () -> Void) {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
