import Foundation
import Torture

/// Runs a slice in a process of its own, and reads its lines.
final class SliceProcess {
  /// The result of a slice.
  struct Outcome {
    var rounds = 0
    var findings: [(seed: UInt64, what: String)] = []
    /// Whether it was completed; otherwise it continues after the last round.
    var isDone = false
    var last: UInt64 = 0
  }

  private let process = Process()
  private let pipe = Pipe()
  private let reports: String
  private var rest: [UInt8] = []
  private var outcome = Outcome()
  private let patience: Double

  /// `patience` is the number of seconds that a round may take.
  init(_ slice: Slice, patience: Double) {
    self.patience = patience
    reports = NSTemporaryDirectory() + "kura-torture-reports-" + UUID().uuidString
    _ = FileManager.default.createFile(atPath: reports, contents: nil)
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = slice.arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle(forWritingAtPath: reports)
  }

  deinit { try? FileManager.default.removeItem(atPath: reports) }

  func run() throws -> Outcome {
    try process.run()
    try? pipe.fileHandleForWriting.close()
    let isInTime = listen()
    if !isInTime { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    if !outcome.isDone { addEnd(isInTime) }
    return outcome
  }

  /// Reads to the end; returns false if nothing came for too long.
  private func listen() -> Bool {
    let file = pipe.fileHandleForReading.fileDescriptor
    while true {
      var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, Int32(patience * 1000))
      if count == 0 { return false }
      guard count > 0 else { continue }
      var block = [UInt8](repeating: 0, count: 65_536)
      let length = read(file, &block, block.count)
      guard length > 0 else { return true }
      take(block[..<length])
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    rest += bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest.removeSubrange(...end)
      switch SliceLine(line[...]) {
      case .round(let seed):
        outcome.rounds += 1
        outcome.last = seed
      case .found(let seed, let what): outcome.findings.append((seed, what))
      case .done: outcome.isDone = true
      case nil: break
      }
    }
  }

  /// Records that the process ended early.
  private func addEnd(_ isInTime: Bool) {
    let said = (try? String(contentsOfFile: reports, encoding: .utf8))?.suffix(4000) ?? ""
    let status = process.terminationStatus
    let what =
      if !isInTime {
        "the round did not end within \(patience) s"
      } else if process.terminationReason == .uncaughtSignal {
        "the process of the trial was terminated by signal \(status): \(said)"
      } else {
        "the process of the trial ended with status \(status): \(said)"
      }
    outcome.findings.append((outcome.last, what))
  }
}
