import Foundation

/// The command `kura`, as a process of its own.
package enum Program {
  /// The result of a run.
  package struct Outcome: Sendable {
    package var status: Int32
    /// The signal that ended it, if one did.
    package var signal: Int32?
    package var output: String
    package var reports: String
  }

  /// `KURA`, or the program that was built with the tests.
  package static let path: String = {
    if let path = ProcessInfo.processInfo.environment["KURA"] {
      return URL(fileURLWithPath: path).path
    }
    let folder = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let start = folder ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return start.deletingLastPathComponent().appending(path: "kura").path
  }()

  /// Returns the words that start a program with a stack of this many kilobytes.
  private static func limiting(stackTo kilobytes: Int) -> [String] {
    ["/bin/sh", "-c", #"ulimit -s \#(kilobytes) && exec "$0" "$@""#]
  }

  /// Starts it in a folder, and waits for its end; standard input has a text.
  ///
  /// One that takes longer than `seconds` is ended, which is a finding; `memory` is a limit in
  /// megabytes, `stack` one in kilobytes. `by` has words that precede the command:
  /// `/usr/bin/setpriv --reuid 5001 --`.
  package static func run(
    _ arguments: [String], input: String = "", in ground: TrialFolder,
    environment: [String: String] = [:], seconds: Double = 120, memory: Int? = nil,
    stack: Int? = nil, by starter: [String] = []
  ) throws -> Outcome {
    // Files instead of pipes: they cannot fill up, and what was written survives a kill.
    let names = (0..<3).map { _ in "stream-" + UUID().uuidString }
    defer { for name in names { try? FileManager.default.removeItem(atPath: ground.file(name)) } }
    try ground.write(input, to: names[0])
    for name in names[1...] { try ground.write([UInt8](), to: name) }
    let process = make(
      arguments, in: ground, environment: environment, memory: memory,
      by: starter + (stack.map(limiting) ?? []))
    process.standardInput = FileHandle(forReadingAtPath: ground.file(names[0]))
    process.standardOutput = FileHandle(forWritingAtPath: ground.file(names[1]))
    process.standardError = FileHandle(forWritingAtPath: ground.file(names[2]))
    try process.run()
    let isInTime = process.ends(within: seconds)
    let wasKilled = process.terminationReason == .uncaughtSignal
    let outcome = Outcome(
      status: process.terminationStatus, signal: wasKilled ? process.terminationStatus : nil,
      output: String(decoding: try ground.bytes(of: names[1]), as: UTF8.self),
      reports: String(decoding: try ground.bytes(of: names[2]), as: UTF8.self))
    try hold(isInTime, "kura \(arguments) took more than \(seconds) s: \(outcome.reports)")
    return outcome
  }

  /// Returns the process before its start, without this process's environment.
  static func make(
    _ arguments: [String], in ground: TrialFolder, environment: [String: String] = [:],
    memory: Int? = nil, by starter: [String] = []
  ) -> Process {
    let process = Process()
    let limit = memory.map {
      ["/bin/sh", "-c", "ulimit -v \($0 * 1024); exec \"$0\" \"$@\""]
    }
    let words = starter + (limit ?? []) + [path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: ground.path)
    process.environment = ["HOME": ground.path, "LC_ALL": "C.UTF-8", "TERM": "dumb"]
      .merging(environment) { $1 }
    return process
  }
}

extension Process {
  /// Waits for its end; returns false if it had to be ended.
  func ends(within seconds: Double) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while isRunning, Date() < end { usleep(500) }
    let isInTime = !isRunning
    if !isInTime { kill(processIdentifier, SIGKILL) }
    waitUntilExit()
    return isInTime
  }
}

extension Program.Outcome {
  /// Throws if a signal ended it, which no input may cause.
  package func holdAlive(_ what: @autoclosure () -> String) throws {
    try hold(signal == nil && status < 128, "\(what()): ended by signal \(signal ?? status - 128)")
  }
}

/// Waits for a time.
func pause(microseconds: Int) { usleep(UInt32(microseconds)) }
