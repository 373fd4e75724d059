import Foundation
import Testing

@testable import LineEditor

@Suite("The lines of a pipe")
struct StreamReaderTests {
  private func events(of bytes: [UInt8]) throws -> [LineEvent] {
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    Thread.detachNewThread {
      writer.write(Data(bytes))
      try? writer.close()
    }
    let reader = StreamReader(pipe.fileHandleForReading.fileDescriptor)
    return try withExtendedLifetime(pipe) {
      var events: [LineEvent] = []
      while events.last != .end { events.append(try reader.readLine(Prompt("never shown"))) }
      return events
    }
  }

  @Test(
    "are returned one by one",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\n誕生日\nb", ["a", "", "誕生日", "b"]), ("\n", [""]),
    ])
  func comeOneByOne(text: String, lines: [String]) throws {
    #expect(try events(of: Array(text.utf8)) == lines.map { .text($0) } + [.end])
  }

  @Test func areWholeAcrossTheBordersOfReads() throws {
    let lines = (0..<300).map { "\($0) " + String(repeating: "誕", count: $0 * 3) }
    let text = lines.joined(separator: "\n")
    #expect(try events(of: Array(text.utf8)) == lines.map { .text($0) } + [.end])
  }

  @Test func thatAreNotUTF8AreAnErrorWithTheirNumber() {
    #expect(throws: LineInputError.notUTF8(line: 2)) {
      try events(of: Array("ok\n".utf8) + [0xFF, 0x0A])
    }
  }

  @Test func aFileThatCannotBeReadIsAnError() {
    #expect(throws: LineInputError.self) { try StreamReader(-1).readLine(Prompt("")) }
    #expect(LineInputError.unreadable(code: EBADF).description.contains("cannot be read"))
  }

  @Test("are not read with libedit", arguments: [nil, "", "dumb"])
  func choice(terminal: String?) {
    #expect(!LineInput.canMoveCursor(terminal))
    #expect(LineInput.canMoveCursor("xterm-256color"))
    #expect(LineInput.kind(input: -1) == .stream)
  }
}
