import Foundation
import Testing
import Torture

/// The supervisor of the trials: a crash of a trial is a finding, and does not end the command.
@Suite("Torture, the command,")
struct CommandTests {
  private func run(_ arguments: String...) throws -> (output: String, status: Int32) {
    let ground = try TrialFolder("command")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
      .deletingLastPathComponent().appending(path: "torture-command")
    process.arguments = arguments
    // The files of a finding are removed with the test.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": ground.path]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    withExtendedLifetime(ground) {}
    return (output, process.terminationStatus)
  }

  @Test("continues after a crash, and reports its seed")
  func crash() throws {
    let (output, status) = try run("60", "probe-crash", "7", "2")
    #expect(
      output.contains("FOUND by probe-crash: the process of the trial was terminated by signal"))
    #expect(output.contains("again: Scripts/torture 60 probe-crash 7 1\n"))
    #expect(output.contains("again: Scripts/torture 60 probe-crash 8 1\n"))
    #expect(output.contains("| `probe-crash` | 2 |"))
    #expect(status == 1)
  }

  @Test("ends a round that hangs")
  func hang() throws {
    let (output, status) = try run("--patience", "0.5", "60", "probe-hang", "7", "1")
    #expect(output.contains("FOUND by probe-hang: the round did not end within 0.5 s"))
    #expect(output.contains("again: Scripts/torture 60 probe-hang 7 1\n"))
    #expect(status == 1)
  }

  @Test("finds the same with the same seed, with one worker and with two")
  func finding() throws {
    let (one, status) = try run("--workers", "1", "60", "probe-finding", "1", "9")
    let other = try run("--workers", "2", "60", "probe-finding", "1", "9").output
    let seeds = [one, other].map { $0.matches(of: /again: (.*)/).map { String($0.output.1) } }
    #expect(!seeds[0].isEmpty && seeds[0].count < 9)
    #expect(seeds[0] == seeds[1])
    #expect(one.contains("something\nof two lines"))
    #expect(status == 1)
  }

  @Test("lists the trials, and reports unknown ones")
  func list() throws {
    let (output, status) = try run("--list")
    #expect(output.split(separator: "\n").count == Trial.all.count && status == 0)
    let wrong = try run("5", "nothing")
    #expect(wrong.output.contains("there is no trial nothing") && wrong.status == 64)
  }
}
