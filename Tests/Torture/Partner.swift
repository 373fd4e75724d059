import Foundation

/// A kura process that is controlled through pipes: a test can wait for its answers.
final class Partner {
  /// An answer: lines of standard output, and the reports.
  struct Answer {
    var lines: [Substring]
    var reports: String

    /// Whether a save was acknowledged.
    var isSaved: Bool { ("\n" + reports).contains("\nsaved: ") }
    /// Whether something was refused.
    var hasFailed: Bool { reports.contains("error: ") }
  }

  let name: String
  let process: Process
  private let input = Pipe()
  private let output = Pipe()
  private let reports: FileHandle
  private var marks = 0
  private var rest: [UInt8] = []
  private static let patience = 60.0

  init(_ name: String, at store: String, in ground: TrialFolder, _ options: [String] = []) throws {
    self.name = name
    process = Program.make(["--keep-going"] + options + [store], in: ground)
    let file = "reports-\(name)-" + UUID().uuidString
    try ground.write([UInt8](), to: file)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: ground.file(file))
    guard let reports = FileHandle(forReadingAtPath: ground.file(file)) else {
      throw Finding("cannot create a file for the messages of \(name)")
    }
    self.reports = reports
    try process.run()
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
    try send(".mode jsonl\n.timezone UTC")
    _ = try answer()
  }

  deinit { kill() }

  /// Sends statements without waiting for their answer.
  func send(_ text: String) throws {
    marks += 1
    let bytes = Data("\(text)\nprint \"\(mark)\";\n".utf8)
    try input.fileHandleForWriting.write(contentsOf: bytes)
  }

  /// Waits for the answer to everything that was sent.
  func answer() throws -> Answer {
    let end = Date(timeIntervalSinceNow: Self.patience)
    let wanted = Array(mark.utf8)
    while true {
      if let answer = takeAnswer(upTo: wanted) { return answer }
      try receive(before: end)
    }
  }

  func ask(_ text: String) throws -> Answer {
    try send(text)
    return try answer()
  }

  /// Ends it as a loss of power would.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Lets it end by itself, and returns its status.
  func leave() throws -> Int32 {
    try input.fileHandleForWriting.write(contentsOf: Data("\n.quit\n".utf8))
    try? input.fileHandleForWriting.close()
    try hold(process.ends(within: Self.patience), "\(name) does not end")
    try hold(process.terminationReason == .exit, "\(name) ended by signal")
    return process.terminationStatus
  }
}

extension Partner {
  private var mark: String { "mark-\(marks)-of-\(name)" }

  private func takeAnswer(upTo wanted: [UInt8]) -> Answer? {
    guard rest.last == UInt8(ascii: "\n"), rest.count > wanted.count else { return nil }
    let text = String(decoding: rest, as: UTF8.self)
    let lines = text.split(separator: "\n")
    guard lines.last?.contains(mark) == true else { return nil }
    rest = []
    let said = (try? reports.readToEnd()) ?? Data()
    return Answer(
      lines: lines.filter { !$0.contains("mark-") }, reports: String(decoding: said, as: UTF8.self))
  }

  private func receive(before end: Date) throws {
    let file = output.fileHandleForReading.fileDescriptor
    var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 100) > 0 else {
      return try hold(Date() < end, "\(name) does not answer")
    }
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = read(file, &block, block.count)
    guard count > 0 else {
      process.waitUntilExit()
      let said = (try? reports.readToEnd()).flatMap { $0 } ?? Data()
      throw Finding(
        "\(name) ended, \(process.terminationReason == .exit ? "status" : "signal") "
          + "\(process.terminationStatus): \(String(decoding: said, as: UTF8.self))")
    }
    rest += block[..<count]
  }
}
