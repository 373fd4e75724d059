import CPseudoTerminal
import Foundation
import Synchronization
import Testing

@testable import LineEditor

/// A clock that only moves when it is set.
private final class Clock: Sendable {
  private let now = Mutex(Duration.zero)

  var time: Duration { now.withLock { $0 } }

  func move(milliseconds: Int) { now.withLock { $0 += .milliseconds(milliseconds) } }
}

@Suite struct StatusLineTests {
  /// Returns the output if a text is shown at these times, in milliseconds, and then erased.
  private func written(at times: [Int]) throws -> String {
    let pipe = Pipe()
    let clock = Clock()
    let line = StatusLine(pipe.fileHandleForWriting.fileDescriptor) { clock.time }
    for time in times {
      clock.move(milliseconds: time - Int(clock.time / .milliseconds(1)))
      line.show { columns in "\(time) of \(columns)" }
    }
    line.erase()
    try pipe.fileHandleForWriting.close()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: bytes, as: UTF8.self)
      .replacing("\r" + String(repeating: " ", count: 79) + "\r", with: "|")
  }

  @Test func nothingIsDrawnInTheFirstHalfSecond() throws {
    #expect(try written(at: [0, 100, 499]) == "")
  }

  @Test func itIsRewrittenTenTimesASecondAndErased() throws {
    #expect(try written(at: [0, 500, 550, 599, 600, 750]) == "|500 of 79|600 of 79|750 of 79|")
  }

  @Test func aPipeHasNoStatusLine() {
    #expect(StatusLine(Pipe().fileHandleForWriting.fileDescriptor) == nil)
  }
}
