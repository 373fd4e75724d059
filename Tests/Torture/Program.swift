package import Foundation

/// The command `kura`, as a process of its own.
package enum Program {
  /// What came of a run.
  package struct Outcome: Sendable {
    package var status: Int32
    /// The signal that ended it, if one did.
    package var signal: Int32?
    package var output: String
    package var reports: String
  }

  /// `KURA`, or what was built beside the tests.
  package static let path: String = {
    if let path = ProcessInfo.processInfo.environment["KURA"] { return path }
    let folder = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let start = folder ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return start.deletingLastPathComponent().appending(path: "kura").path
  }()

  /// A shell's arguments that start it with so many kilobytes of stack.
  private static func limiting(stackTo kilobytes: Int) -> [String] {
    ["-c", #"ulimit -s \#(kilobytes) && exec "$0" "$@""#, path]
  }

  /// Starts it in a folder; standard input brings a text, `stack` a limit in kilobytes.
  package static func run(
    _ arguments: [String], input: String = "", in ground: Ground,
    environment: [String: String] = [:], stack: Int? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: stack == nil ? path : "/bin/sh")
    process.arguments = (stack.map { limiting(stackTo: $0) } ?? []) + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: ground.path)
    process.environment = ["HOME": ground.path, "LC_ALL": "C.UTF-8", "TERM": "dumb"]
      .merging(environment) { $1 }
    // Files, not pipes: nothing can fill up, and what was written outlives a kill.
    let names = (0..<3).map { _ in "stream-" + UUID().uuidString }
    try ground.write(input, to: names[0])
    for name in names[1...] { try ground.write([UInt8](), to: name) }
    process.standardInput = FileHandle(forReadingAtPath: ground.file(names[0]))
    process.standardOutput = FileHandle(forWritingAtPath: ground.file(names[1]))
    process.standardError = FileHandle(forWritingAtPath: ground.file(names[2]))
    try process.run()
    process.waitUntilExit()
    defer { for name in names { try? FileManager.default.removeItem(atPath: ground.file(name)) } }
    let wasKilled = process.terminationReason == .uncaughtSignal
    return Outcome(
      status: process.terminationStatus, signal: wasKilled ? process.terminationStatus : nil,
      output: String(decoding: try ground.bytes(of: names[1]), as: UTF8.self),
      reports: String(decoding: try ground.bytes(of: names[2]), as: UTF8.self))
  }
}
