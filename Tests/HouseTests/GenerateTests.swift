import Foundation
import Testing

/// `kura generate man|bash|zsh|fish`
@Suite("What the command generates")
struct GenerateTests {
  private func run(_ arguments: String...) throws -> (out: String, status: Int32) {
    let process = Process()
    process.executableURL = try TranscriptRunner.findBinary()
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  @Test("is a manual page with every option, statement and setting")
  func manual() throws {
    let (page, status) = try run("generate", "man")
    #expect(status == 0)
    #expect(page.hasPrefix(".TH KURA 1 "))
    for text in [
      "\\-\\-read\\-only", "\\-\\-timeout", "delete ENTITY where PREDICATE", ".recover [drop]",
      "\\&.mode [FORMAT]", ".SH EXIT STATUS", "~/.kurarc",
    ] { #expect(page.contains(text), "\(text)") }
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let macros = lines.filter { $0.hasPrefix(".") }.map { $0.prefix { $0 != " " } }
    #expect(Set(macros) == [".TH", ".SH", ".TP", ".nf", ".fi"])
  }

  @Test("is shell completions, with every option", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) throws {
    let (script, status) = try run("generate", shell)
    #expect(status == 0)
    for option in ["read-only", "lock-timeout", "no-init"] { #expect(script.contains(option)) }
    #expect(script.contains("kura"))
  }

  @Test("is an error for an unknown name", arguments: [[], ["html"], ["man", "bash"]])
  func unknown(_ names: [String]) throws {
    let (said, status) =
      names.isEmpty
      ? try run("generate")
      : names.count == 1
        ? try run("generate", names[0]) : try run("generate", names[0], names[1])
    #expect(
      said.contains("write kura generate man for the manual, or bash, zsh or fish for completions"))
    #expect(status == 64)
  }

  @Test("is the same text with and without options")
  func plain() throws {
    #expect(try run("", "print 6 * 7").out.contains("42"))
    #expect(try run("", "print 6 * 7").out == run("--format", "table", "", "print 6 * 7").out)
    #expect(try run("no-such.json").status == 2)
    #expect(try run("", "count Nothing").status == 1)
    #expect(try run("--help").out.contains("USAGE"))
    #expect(try run("--", "", "print 6 * 7").out.contains("42"))
  }
}
