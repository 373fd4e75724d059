import Foundation
import KuraBytes
import KuraDiagnostics
import KuraSentences
package import KuraStore

/// The calls of the system that a session's surroundings make.
package enum LiveFiles {
  /// What went wrong, as the system says it.
  static func reason(_ code: Int32) -> String {
    code == EISDIR
      ? localized("it is a folder") : String(cString: strerror(code)).lowercased().localized
  }

  static func report(_ text: String) {
    var text = text
    text.withUTF8 { try? write(UnsafeRawBufferPointer($0), to: 2, "standard error") }
  }

  private static let start = ContinuousClock.now

  static func uptime() -> Duration { start.duration(to: .now) }
}

extension LiveFiles {
  /// The path of a file in the person's own folder.
  package static func home(_ name: String) -> String {
    // Before the first prompt: without URLs, which take a tenth of the start.
    if let home = getenv("HOME"), home.pointee == UInt8(ascii: "/") {
      return String(cString: home) + "/" + name
    }
    return FileManager.default.homeDirectoryForCurrentUser.appending(path: name).path
  }

  /// Where the statements of all conversations are.
  package static var history: String { home(".kura_history") }
}

extension LiveFiles {
  /// Where what outlasts a session is kept, that is neither settings nor history.
  static var stateFolder: String {
    let folder = getenv("XDG_STATE_HOME").map { String(cString: $0) } ?? ""
    return (folder.hasPrefix("/") ? folder : home(".local/state")) + "/kura"
  }

  /// Where unsaved changes of a session are kept that is ended from outside.
  package static var recoveryFiles: RecoveryFiles { RecoveryFiles(folder: stateFolder) }
}

// Paths while they are typed
extension LiveFiles {
  /// Hidden files are listed for a path that asks for them.
  static func list(_ typed: String) -> [ListedFile] {
    let path = typed.drop { $0 == "\"" || $0 == "'" }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let begun = path.dropFirst(folder.count)
    let place = NSString(string: folder.isEmpty ? "." : folder).expandingTildeInPath
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.sorted().filter { $0.hasPrefix(".") == begun.hasPrefix(".") }.map { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: place + "/" + name, isDirectory: &isFolder)
      return ListedFile(path: folder + name, isFolder: isFolder.boolValue)
    }
  }
}

// Results
extension LiveFiles {
  /// A stream to an open file, with the name that messages give it.
  static func stream(
    to file: Int32, _ name: String, finish: @escaping () throws -> Void = {}
  ) -> ResultStream {
    ResultStream(
      isTerminal: isatty(file) == 1, write: { try write($0, to: file, name) }, finish: finish)
  }

  /// Standard output.
  ///
  /// Messages keep their place among the results where both go to one file, or a person sees them.
  static func standardOutput() -> ResultStream {
    let results = stream(to: 1, "standard output")
    results.messages =
      isatty(2) == 1 ? .shown : isOneFile(1, 2) ? .sameFile : .elsewhere
    return results
  }

  private static func isOneFile(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    guard fstat(one, &first) == 0, fstat(other, &second) == 0 else { return true }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Writes everything; a reader that is gone is `ClosedOutput`, and Control-C ends a wait.
  static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ name: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw ClosedOutput()
      } else if errno == EINTR {
        try CancelFlag.current.check()
      } else {
        throw Failure(FileFacts.cannotWriteResults(to: name, reason: reason(errno)))
      }
    }
  }

  static func open(_ place: OutputPlace) throws(Failure) -> ResultStream {
    switch place {
    case .file(let path): try openFile(path)
    case .command(let command): try openCommand(command)
    case .commandOnce(let command): openLater(command, for: .once)
    case .pager(let command): openLater(command, for: .pager)
    }
  }

  private static func openFile(_ path: String) throws(Failure) -> ResultStream {
    let file = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      throw Failure(FileFacts.cannotWrite(path: path, reason: reason(errno)))
    }
    let name = "\"\(path)\""
    return stream(to: file, name) {
      // What a full or a remote disk could not take is said here at the latest.
      guard close(file) != 0, errno != EINTR else { return }
      throw Failure(FileFacts.cannotWriteResults(to: name, reason: reason(errno)))
    }
  }

  private static func openCommand(_ command: String) throws(Failure) -> ResultStream {
    let process = try CommandProcess(command, for: .lasting)
    return ResultStream(
      write: process.write, finish: process.end, hasEnded: { process.isOver })
  }

  /// A command that begins when something comes for it, and has the terminal from then on; one for
  /// which nothing comes reads an empty input.
  private static func openLater(
    _ command: String, for use: CommandProcess.Use
  ) -> ResultStream {
    var started: CommandProcess?
    func process() throws(Failure) -> CommandProcess {
      if let started { return started }
      let process = try CommandProcess(command, for: use)
      started = process
      return process
    }
    return ResultStream(
      isTerminal: use == .pager, write: { try process().write($0) }, finish: { try process().end() }
    )
  }
}

/// Why the person's own file is not run.
enum OwnFileFault {
  case isOthers, isWritable, isNoFile

  var sentence: String {
    switch self {
    case .isOthers: localized("it belongs to somebody else")
    case .isWritable: localized("others can write it")
    case .isNoFile: localized("it is no file")
    }
  }
}

/// What went wrong with a file or a command outside.
enum FileFacts: DiagnosticFacts {
  /// `.read FILE`, `-f FILE`
  case cannotRead(path: String, reason: String)
  /// `.output FILE`
  case cannotWrite(path: String, reason: String)
  /// A full disk behind `>`, `.output` or `.once`
  case cannotWriteResults(to: String, reason: String)
  /// `.output | COMMAND`
  case cannotRun(command: String, reason: String)
  /// `.once | false`
  case commandFailed(String, status: Int32)
  /// `.output | COMMAND` that was killed
  case commandKilled(String, signal: Int32)
  /// `~/.kurarc` that somebody else could have written
  case ownFileOfOthers(String, OwnFileFault)

  var sentence: String {
    switch self {
    case .cannotRead(let path, let reason): localized("cannot read \"\(path)\": \(reason)")
    case .cannotWrite(let path, let reason): localized("cannot write \"\(path)\": \(reason)")
    case .cannotWriteResults(let name, let reason):
      localized("the results cannot be written to \(name.localized): \(reason)")
    case .cannotRun(let command, let reason): localized("cannot run \"\(command)\": \(reason)")
    case .commandFailed(let command, let status):
      localized("the command \"\(command)\" failed, with the exit status \(status)")
    case .commandKilled(let command, let signal):
      localized("the command \"\(command)\" was ended by the signal \(signal)")
    case .ownFileOfOthers(let path, let why): localized("\"\(path)\" was not run: \(why.sentence)")
    }
  }

  var help: String? {
    switch self {
    case .ownFileOfOthers(let path, .isWritable):
      localized("take that right away: chmod go-w \(path)")
    case .ownFileOfOthers: localized("--no-init leaves it unread")
    case .cannotRead, .cannotWrite, .cannotWriteResults, .cannotRun, .commandFailed,
      .commandKilled:
      nil
    }
  }
}
