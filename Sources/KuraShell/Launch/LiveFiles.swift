import Foundation
import KuraBytes
import KuraDiagnostics
import KuraSentences
package import KuraStore

/// The system calls of a session's surroundings.
package enum LiveFiles {
  /// Returns the system's description of an error.
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
  /// Returns the path of a file in the user's home folder.
  package static func home(_ name: String) -> String {
    // URLs would take a tenth of the time until the first prompt.
    if let home = getenv("HOME"), home.pointee == UInt8(ascii: "/") {
      return String(cString: home) + "/" + name
    }
    return FileManager.default.homeDirectoryForCurrentUser.appending(path: name).path
  }

  /// The file with the statements of all conversations.
  package static var history: String { home(".kura_history") }

  /// The folder for data that is neither settings nor history, and is kept between sessions.
  static var stateFolder: String {
    let folder = getenv("XDG_STATE_HOME").map { String(cString: $0) } ?? ""
    return (folder.hasPrefix("/") ? folder : home(".local/state")) + "/kura"
  }

  /// The recovery files for sessions that are ended from outside.
  package static var recoveryFiles: RecoveryFiles { RecoveryFiles(folder: stateFolder) }
}

// Paths while they are typed
extension LiveFiles {
  /// Lists files; hidden files only for a path that begins with a dot.
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
  /// Returns a stream to an open file, with a name for messages.
  static func stream(
    to file: Int32, _ name: String, finish: @escaping () throws -> Void = {}
  ) -> ResultStream {
    ResultStream(
      isTerminal: isatty(file) == 1, write: { try write($0, to: file, name) }, finish: finish)
  }

  /// Returns the stream of standard output.
  ///
  /// Messages keep their place among the results if both go to one file or a terminal.
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

  /// Writes everything; throws `ClosedOutput` if nothing reads any more. Control-C ends a wait.
  ///
  /// - Parameter waitForRoom: Waits until a file that never blocks can take more bytes.
  static func write(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, _ name: String,
    waitForRoom: (() throws -> Void)? = nil
  ) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw ClosedOutput()
      } else if errno == EAGAIN, let waitForRoom {
        try waitForRoom()
      } else if errno == EINTR {
        try CancelFlag.current.check()
      } else {
        throw Failure(FileProblem.cannotWriteResults(to: name, reason: reason(errno)))
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
      throw Failure(FileProblem.cannotWrite(path: path, reason: reason(errno)))
    }
    let name = "\"\(path)\""
    return stream(to: file, name) {
      // A full or remote disk may report only now what it could not store.
      guard close(file) != 0, errno != EINTR else { return }
      throw Failure(FileProblem.cannotWriteResults(to: name, reason: reason(errno)))
    }
  }

  private static func openCommand(_ command: String) throws(Failure) -> ResultStream {
    let process = try CommandProcess(command, for: .lasting)
    return ResultStream(
      write: process.write, finish: process.end, hasEnded: { process.isOver })
  }

  /// Returns a stream to a command that starts with the first output and then has the terminal.
  /// Without output it starts at the end, with empty input.
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

/// The reasons why the user's settings file is not run.
enum SettingsFileProblem {
  case isOthers, isWritable, isNoFile

  var sentence: String {
    switch self {
    case .isOthers: localized("it belongs to another user")
    case .isWritable: localized("other users can write to it")
    case .isNoFile: localized("it is not a regular file")
    }
  }
}

/// A problem with a file or a command.
enum FileProblem: DiagnosticFacts {
  /// `.read FILE`, `-f FILE`
  case cannotRead(path: String, reason: String)
  /// `.output FILE`
  case cannotWrite(path: String, reason: String)
  /// A full disk after `>`, `.output` or `.once`
  case cannotWriteResults(to: String, reason: String)
  /// `.output | COMMAND`
  case cannotRun(command: String, reason: String)
  /// `.once | false`
  case commandFailed(String, status: Int32)
  /// `.output | COMMAND` that was killed
  case commandKilled(String, signal: Int32)
  /// A `~/.kurarc` that another user could have written
  case ownFileOfOthers(String, SettingsFileProblem)

  var sentence: String {
    switch self {
    case .cannotRead(let path, let reason): localized("cannot read \"\(path)\": \(reason)")
    case .cannotWrite(let path, let reason): localized("cannot write \"\(path)\": \(reason)")
    case .cannotWriteResults(let name, let reason):
      localized("cannot write the results to \(name.localized): \(reason)")
    case .cannotRun(let command, let reason): localized("cannot run \"\(command)\": \(reason)")
    case .commandFailed(let command, let status):
      localized("the command \"\(command)\" failed with exit status \(status)")
    case .commandKilled(let command, let signal):
      localized("the command \"\(command)\" was terminated by signal \(signal)")
    case .ownFileOfOthers(let path, let why): localized("\"\(path)\" was not run: \(why.sentence)")
    }
  }

  var help: String? {
    switch self {
    case .ownFileOfOthers(let path, .isWritable):
      localized("remove write permission for others: chmod go-w \(path)")
    case .ownFileOfOthers: localized("use --no-init to skip it")
    case .cannotRead, .cannotWrite, .cannotWriteResults, .cannotRun, .commandFailed,
      .commandKilled:
      nil
    }
  }
}

extension LiveFiles {
  /// The settings of the column cache; nil if the environment has `KURA_CACHE=off`.
  package static var cache: CacheSettings? {
    if getenv("KURA_CACHE").map({ String(cString: $0).lowercased() }) == "off" { return nil }
    var cache = CacheSettings(
      folder: cacheFolder, program: CacheSettings.program(version: Version.current))
    cache.lost = { path in
      StandardStreams.refuse(
        Diagnostic(CacheProblem.lost(path)).rendered(style: .plain), ExitStatus.storeFailed.rawValue
      )
    }
    return cache
  }

  private static var cacheFolder: String {
    let folder = getenv("XDG_CACHE_HOME").map { String(cString: $0) } ?? ""
    return (folder.hasPrefix("/") ? folder : home(".cache")) + "/kura"
  }
}

/// The reason why a process with a cache ended.
private enum CacheProblem: DiagnosticFacts {
  /// The store's path.
  case lost(String)

  var sentence: String {
    switch self {
    case .lost(let path):
      localized(
        "the cached columns of \"\(path)\" are damaged, and the document has changed since it was opened"
      )
    }
  }

  var help: String? { localized("no data is lost: open the document again") }
}

extension LiveFiles {
  /// The language of the environment: the first variable that names one decides.
  static var language: Language {
    Language { name in getenv(name).map { String(cString: $0) } }
  }

  /// The file with a learner's progress.
  static var progressFile: ProgressFile {
    let path = stateFolder + "/lessons.json"
    return ProgressFile(
      path: path, read: { access(path, F_OK) == 0 ? try read(path) : nil },
      write: { try replace(path, with: $0) }, putAside: { rename(path, path + ".damaged") })
  }

  /// Writes a file under a temporary name first, so that a file with the final name is complete.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let folder = NSString(string: path).deletingLastPathComponent
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let temporary = "\(path).\(getpid())"
    let file = Foundation.open(
      temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw Failure(FileProblem.cannotWrite(path: path, reason: reason(errno)))
    }
    defer { unlink(temporary) }
    do {
      defer { close(file) }
      // The new file gets the permissions of the existing one.
      var status = stat()
      if stat(path, &status) == 0 { fchmod(file, status.st_mode & 0o7777) }
      try bytes.withUnsafeBytes { try write($0, to: file, "\"\(path)\"") }
    } catch { throw Failure(error) }
    guard rename(temporary, path) == 0 else {
      throw Failure(FileProblem.cannotWrite(path: path, reason: reason(errno)))
    }
  }

  /// Reads a complete file; `-` is standard input.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    if isStandardInput(path) { return try whole(of: 0, path) }
    let file = try OpenScript(path)
    return try file.whole()
  }

  /// Returns all bytes of an open file, which may be a pipe or an endless device.
  fileprivate static func whole(of file: Int32, _ path: String) throws(Failure) -> [UInt8] {
    var status = stat()
    let isPlain = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let size = isPlain ? Int64(status.st_size) : nil
    let read = try FileLimit.text.read(size: size, .current) { (window, _) throws(Failure) in
      try fill(window, from: file, path)
    }
    switch read {
    case .whole(let bytes): return bytes
    case .tooLarge:
      throw Failure(
        FileProblem.cannotRead(
          path: path, reason: localized("it is larger than \(FileLimit.text.megabytes) MB")))
    case .stopped: throw Failure(StopReason.stopped)
    }
  }

  /// Waits for the next bytes of an open file; returns 0 at its end. Control-C ends the wait.
  private static func fill(
    _ window: UnsafeMutableRawBufferPointer, from file: Int32, _ path: String
  ) throws(Failure) -> Int {
    while true {
      let count = Foundation.read(file, window.baseAddress, window.count)
      if count >= 0 { return count }
      try checkWait(errno, path)
    }
  }

  /// Returns the input of a file, which is read without a pause, or of a pipe, which may have to be
  /// waited for.
  static func script(_ path: String) throws(Failure) -> ScriptInput {
    if isStandardInput(path) {
      var script = ScriptInput(name: path, read: readInput)
      script.hasMore = inputHasMore
      return script
    }
    let file = try OpenScript(path)
    var script = ScriptInput(name: path) { () throws(Failure) in try file.next() }
    script.isWhole = file.isPlain
    if !file.isPlain { script.hasMore = { hasMore(file.file) } }
    return script
  }

  /// Returns whether a path means standard input: `-`, and paths that some systems do not open a
  /// second time.
  static func isStandardInput(_ path: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0"].contains(path)
  }

  /// Returns whether an argument between the store and the statements is a file of plain JSON.
  ///
  /// It has an extension of JSON, and exists or has no blank: `.output old.json` is a setting.
  static func isPlainFile(_ argument: String) -> Bool {
    let ending = argument.split(separator: ".").last?.lowercased() ?? ""
    guard ["json", "jsonl", "ndjson", "ldjson"].contains(ending) else { return false }
    return !argument.contains(where: \.isWhitespace) || access(argument, F_OK) == 0
  }

  /// Returns the available bytes of standard input; waits if there are none.
  static func readInput() throws(Failure) -> [UInt8]? {
    try bytes(of: 0, path: "standard input", atMost: 65_536)
  }

  static func inputHasMore() -> Bool { hasMore(0) }

  /// Returns whether a file has more input, or ends, within 250 ms: a program that writes line by
  /// line may pause between two lines of one statement.
  private static func hasMore(_ file: Int32) -> Bool {
    var files = [pollfd(fd: file, events: Int16(POLLIN), revents: 0)]
    return poll(&files, 1, 250) != 0
  }

  /// Returns the next bytes of an open file; nil at its end. Control-C ends a wait.
  fileprivate static func bytes(
    of file: Int32, path: String, atMost limit: Int
  ) throws(Failure) -> [UInt8]? {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(Failure) {
        count = try fill(UnsafeMutableRawBufferPointer(buffer), from: file, path)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes.isEmpty ? nil : bytes
  }

  /// Throws unless a system call is to be repeated.
  fileprivate static func checkWait(_ code: Int32, _ path: String) throws(Failure) {
    guard code == EINTR else {
      throw Failure(FileProblem.cannotRead(path: path, reason: reason(code)))
    }
    if CancelFlag.current.isRequested { throw Failure(StopReason.stopped) }
  }
}

/// An open script.
private final class OpenScript {
  private let path: String
  let file: Int32
  /// Whether it is a regular file, and not a pipe.
  let isPlain: Bool
  private let limit: Int

  init(_ path: String) throws(Failure) {
    self.path = path
    while true {
      let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
      if file >= 0 {
        self.file = file
        break
      }
      try LiveFiles.checkWait(errno, path)
    }
    var status = stat()
    isPlain = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    limit = isPlain ? min(max(4096, Int(status.st_size) + 1), 1 << 20) : 65_536
  }

  deinit { close(file) }

  func next() throws(Failure) -> [UInt8]? {
    if CancelFlag.current.isRequested { throw Failure(StopReason.stopped) }
    return try LiveFiles.bytes(of: file, path: path, atMost: limit)
  }

  func whole() throws(Failure) -> [UInt8] { try LiveFiles.whole(of: file, path) }
}

extension LiveFiles {
  /// Returns the user's settings file; nil if there is none.
  ///
  /// A file that another user could have written is not read, because it may run commands.
  static func readOwn(_ path: String) throws(Failure) -> [UInt8]? {
    // Opening a pipe would wait otherwise.
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard file >= 0 else {
      throw Failure(FileProblem.cannotRead(path: path, reason: reason(errno)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw Failure(FileProblem.cannotRead(path: path, reason: reason(errno)))
    }
    if let fault = SettingsFileProblem(status) {
      throw Failure(FileProblem.ownFileOfOthers(path, fault))
    }
    return try whole(of: file, path)
  }
}

extension SettingsFileProblem {
  init?(_ status: stat) {
    if status.st_mode & S_IFMT != S_IFREG {
      self = .isNoFile
    } else if status.st_uid != geteuid(), status.st_uid != 0 {
      self = .isOthers
    } else if status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      self = .isWritable
    } else {
      return nil
    }
  }
}

extension LiveFiles {
  /// Waits until files in a store's folder change. If the system does not report changes, and on
  /// remote disks, it checks every second.
  ///
  /// The wait ends if the `isEnding` flag is raised, or nothing reads standard output any more.
  static func waiting(
    beside path: String, _ cancel: CancelFlag, _ isEnding: @escaping () -> Bool
  ) -> StoreWaiting? {
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    let notices = FolderNotices(folder.path)
    return StoreWaiting {
      var waited = 0
      while waited < 8 {
        if cancel.isRequested || isEnding() { return .end }
        if let moment = notices.wait(milliseconds: 125) { return moment }
        waited += 1
      }
      return .look
    }
  }
}

/// The system's notifications of changes in a folder.
private final class FolderNotices {
  /// The descriptor; -1 if there are no notifications.
  private let file: Int32

  init(_ folder: String) {
    #if os(Linux)
      file = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
      let kinds = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE)
      if file >= 0 { inotify_add_watch(file, folder, kinds) }
    #else
      file = -1
    #endif
  }

  deinit { if file >= 0 { close(file) } }

  /// Waits for a notification; nil if there was none in that time.
  func wait(milliseconds: Int32) -> StoreWaiting.Moment? {
    var files = [
      pollfd(fd: file, events: Int16(POLLIN), revents: 0), pollfd(fd: 1, events: 0, revents: 0),
    ]
    guard poll(&files, nfds_t(files.count), milliseconds) > 0 else { return nil }
    if Int32(files[1].revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 { return .end }
    return drained() ? .look : nil
  }

  /// Reads all notifications; returns whether there were any.
  private func drained() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var wasTold = false
    while file >= 0, read(file, &bytes, bytes.count) > 0 { wasTold = true }
    return wasTold
  }
}
