import Foundation
package import KuraDiagnostics
import KuraSentences

/// Standard input, output and error of the process.
package enum StandardStreams {
  /// Makes them safe to use: to be called before any file is opened.
  package static func prepare() {
    // A reader that is gone is an error of the write, and not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that has grown to `ulimit -f` is an error of the write, too. It is not ignored: what
    // is ignored would be so in the programs that are started.
    signal(SIGXFSZ) { _ in }
    openMissing()
    if let failure = tooFewFiles { refuse(failure) }
  }

  /// What is said where the process ends by a fault of its own.
  package static let crashMessage: StaticString =
    "\nkura: this is a fault of Kura itself, and it has to end. What was saved is on the disk.\n"

  /// What is said where it ends because the system gives it no more memory.
  package static let memoryMessage: StaticString =
    "\nkura: there is not enough memory for this, and it has to end. What was saved is on the disk.\n"

  /// Ends a process that cannot work, with the reason.
  private static func refuse(_ failure: Failure) -> Never {
    LiveFiles.report(failure.rendered(in: nil, style: style(.automatic, width: nil)) + "\n")
    exit(failure.status.rawValue)
  }

  /// How messages look on standard error, which has so many cells in a line.
  package static func style(_ color: ColorChoice, width: Int?) -> DiagnosticStyle {
    var style = color.colors(onTerminal: isatty(2) == 1) ? DiagnosticStyle.ansi : .plain
    if let width { style.columns = columns(ofWidth: width) }
    return style
  }

  /// How many cells of a source line a message shows on such a terminal.
  static func columns(ofWidth width: Int) -> Int { max(20, width - 4) }

  /// Ends the process with a message, in which what an argument hides is shown.
  package static func refuse(_ message: String, _ status: Int32) -> Never {
    var shown: [UInt8] = []
    Array(message.utf8).withUnsafeBytes { VisibleText.append(lines: $0, to: &shown) }
    LiveFiles.report(String(decoding: shown, as: UTF8.self) + "\n")
    exit(status)
  }

  /// Writes what was asked for, and ends.
  package static func answer(_ message: String) -> Never {
    let output = LiveFiles.stream(to: 1, "standard output")
    let isWritten = (try? output.append(message + "\n")) != nil && (try? output.flush()) != nil
    exit((isWritten ? ExitStatus.done : .statementFailed).rawValue)
  }

  /// Puts something that fails in the place of a stream that is closed.
  ///
  /// Else the store, which is opened next, would get its number, and results would be written
  /// into it.
  private static func openMissing() {
    for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)] as [(Int32, Int32)]
    where fcntl(file, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }
}

extension StandardStreams {
  /// The files that a session may have open at once: of a store, of results, of what it reads.
  private static let filesNeeded = 16

  /// Why the process cannot work where it may open too few files; nil: it may open enough.
  ///
  /// Where the system would give more, more is asked for.
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

/// Whether messages are for people, or a JSON object each on a line.
package enum MessageForm: String, Sendable, CaseIterable {
  case text, json
}

extension ColorChoice {
  /// Whether messages and results are coloured: on a terminal that can, unless somebody said otherwise.
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
    localized("\(needed) more files could not be opened; the limit is \(limit) at once")
  }

  var help: String? { localized("give more: ulimit -n 256") }
}
