import Foundation
import KuraRendering
import Testing

@testable import KuraShell

@Suite("A command that reads results")
struct CommandTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(
    "that fails is reported, also in the status",
    arguments: [
      (
        ".output | cat 2> /dev/null > /dev/full",
        "the command \"cat 2> /dev/null > /dev/full\" failed with exit status 1"
      ),
      (".output | exit 3", "the command \"exit 3\" failed with exit status 3"),
      (".once | cat; false", "the command \"cat; false\" failed with exit status 1"),
      (".output | kill -9 $$", "the command \"kill -9 $$\" was terminated by signal 9"),
    ])
  func fails(setting: String, sentence: String) {
    for end in ["", "\n.output", "\n.quit"] {
      let (output, status) = folder.run("\(setting)\ncount Item\(end)")
      #expect(output.hasSuffix("error: \(sentence)\n"))
      #expect(status == 1)
    }
  }

  @Test("that fails is also reported if no statement follows")
  func failsAlone() {
    for rest in ["", "\n.timer off", "\n.once | cat", "\nlet $x = 1"] {
      let (output, status) = folder.run(".once | false\(rest)")
      let sentence = "error: the command \"false\" failed with exit status 1\n"
      #expect(output.hasSuffix(sentence), "\(rest)")
      #expect(status == 1)
    }
  }

  @Test("that fails stops a script")
  func stops() {
    #expect(!folder.run(".once | false\ncount Item\nprint 17").output.contains("17"))
    // The statement was right, so a fix is not offered.
    #expect(!folder.run(".once | false\nprint 3\n").output.contains("fix:"))
    #expect(
      folder.run(".once | false\ncount Item\nprint 17") { $0.continuesAfterErrors = true }.status
        == 1)
  }

  @Test(
    "that ends early, or stops reading, has not failed",
    arguments: [
      "true", "head -1 > /dev/null", "yes | head -1 > /dev/null", "kill -PIPE $$", "exit 141",
    ])
  func leaves(command: String) {
    let script = ".output | \(command)\n" + String(repeating: "fetch MemoDate\n", count: 200)
    #expect(folder.run(script) == ("", 0))
  }

  @Test("that Control-C ended was cancelled")
  func stopped() {
    #expect(folder.run(".once | exit 130\ncount Item").output.hasSuffix("error: stopped\n"))
  }

  @Test("gets the signal of a broken pipe as from a shell")
  func signals() throws {
    let file = folder.path + "/ignored"
    #expect(folder.run(".output | grep SigIgn /proc/self/status > \(file)\ncount Item").status == 0)
    let mask = try #require(folder.text("ignored")).split(whereSeparator: \.isWhitespace).last
    let bits = try #require(UInt64(mask ?? "", radix: 16))
    #expect(bits & 1 << UInt64(SIGPIPE - 1) == 0)
  }

  @Test("gets the results completely and in order")
  func reads() {
    let file = folder.path + "/numbers"
    let script = (0..<3000).map { "print \($0)" }.joined(separator: "\n")
    #expect(
      folder.run(".output | cat > \(file)\n" + script) { $0.format = .named("csv") ?? $0.format }
        == ("", 0))
    let expected = (0..<3000).map { "\($0)\n\($0)\n" }.joined()
    #expect(folder.text("numbers") == expected)
  }
}
