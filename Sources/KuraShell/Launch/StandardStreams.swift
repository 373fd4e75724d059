import Foundation
package import KuraDiagnostics
import KuraSentences

/// Standard input, output and error of the process.
package enum StandardStreams {
  /// Makes the streams safe to use; to be called before any file is opened.
  package static func prepare() {
    // A closed pipe then is an error of the write, instead of the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that reaches `ulimit -f` is an error of the write, too. The signal is not ignored,
    // because child processes would inherit that.
    signal(SIGXFSZ) { _ in }
    openMissing()
    if let failure = tooFewFiles { refuse(failure) }
  }

  /// The message if a bug of Kura ends the process.
  package static let crashMessage: StaticString =
    "\nkura: Kura has a bug and must end. Everything that was saved is on the disk.\n"

  /// The message if the system has no more memory.
  package static let memoryMessage: StaticString =
    "\nkura: out of memory, so Kura must end. Everything that was saved is on the disk.\n"

  /// Ends a process that cannot work, with the reason.
  private static func refuse(_ failure: Failure) -> Never {
    LiveFiles.report(failure.rendered(in: nil, style: style(.automatic, width: nil)) + "\n")
    exit(failure.status.rawValue)
  }

  /// Returns the style of messages on standard error, which has `width` cells in a line.
  package static func style(_ color: ColorChoice, width: Int?) -> DiagnosticStyle {
    var style = color.colors(onTerminal: isatty(2) == 1) ? DiagnosticStyle.ansi : .plain
    if let width { style.columns = columns(ofWidth: width) }
    return style
  }

  /// Returns how many cells of a source line a message shows on a terminal of this width.
  static func columns(ofWidth width: Int) -> Int { max(20, width - 4) }

  /// Ends the process with a message, in which control characters of arguments are escaped.
  package static func refuse(_ message: String, _ status: Int32) -> Never {
    var shown: [UInt8] = []
    Array(message.utf8).withUnsafeBytes { VisibleText.append(lines: $0, to: &shown) }
    LiveFiles.report(String(decoding: shown, as: UTF8.self) + "\n")
    exit(status)
  }

  /// Writes the text that was requested, and ends the process.
  package static func answer(_ message: String) -> Never {
    let output = LiveFiles.stream(to: 1, "standard output")
    let isWritten = (try? output.append(message + "\n")) != nil && (try? output.flush()) != nil
    exit((isWritten ? ExitStatus.done : .statementFailed).rawValue)
  }

  /// Opens a failing file for each standard stream that is closed.
  ///
  /// Otherwise the store, which is opened next, would get its number, and results would be written
  /// into the store.
  private static func openMissing() {
    for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)] as [(Int32, Int32)]
    where fcntl(file, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }
}

extension StandardStreams {
  /// The number of files that a session may have open at once: the store, results, scripts.
  private static let filesNeeded = 16

  /// The reason if the process may open too few files; nil if the limit is sufficient.
  ///
  /// Raises the limit if the system allows that.
  private static var tooFewFiles: Failure? {
    if hasFiles { return nil }
    var limit = rlimit()
    guard getrlimit(fileLimit, &limit) == 0 else { return nil }
    let before = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, 256)
    if limit.rlim_cur > before, setrlimit(fileLimit, &limit) == 0, hasFiles { return nil }
    return Failure(
      TooFewFiles(limit: Int(clamping: before), needed: filesNeeded),
      status: .storeFailed)
  }

  #if os(Linux) && canImport(Glibc)
    private static let fileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let fileLimit = RLIMIT_NOFILE
  #endif

  private static var hasFiles: Bool {
    let files = (0..<filesNeeded).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
    for file in files where file >= 0 { close(file) }
    return files.allSatisfy { $0 >= 0 }
  }
}

/// `--color auto|always|never`
package enum ColorChoice: String, Sendable, CaseIterable {
  case automatic = "auto"
  case always, never
}

/// Whether messages are text for people, or JSON objects with one on each line.
package enum MessageForm: String, Sendable, CaseIterable {
  case text, json
}

extension ColorChoice {
  /// Returns whether messages and results are colored; by default on a terminal that supports it.
  package func colors(
    onTerminal isTerminal: Bool,
    _ environment: [String: String] = TerminalDisplay.environment
  ) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .automatic:
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
        && TerminalDisplay.isCapable(environment)
    }
  }
}

/// `ulimit -n 7`
private struct TooFewFiles: DiagnosticFacts {
  let limit: Int
  let needed: Int

  var sentence: String {
    localized("cannot open \(needed) more files; the limit is \(limit) open files")
  }

  var help: String? { localized("raise the limit: ulimit -n 256") }
}
