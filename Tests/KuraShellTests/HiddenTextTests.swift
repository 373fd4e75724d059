import Foundation
import KuraBytes
import KuraRendering
import Testing

@testable import KuraShell

/// Texts of other users with control characters for the terminal.
@Suite("Control characters in texts of other users")
struct HiddenTextTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Returns whether a text has only visible characters and line ends.
  static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "\n": true
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200B}"..."\u{200F}",
        "\u{2028}"..."\u{202E}", "\u{2060}"..."\u{206F}", "\u{FEFF}", "\u{61C}":
        false
      default: true
      }
    }
  }

  /// A sequence that clears the screen, a C1 colour, a change of direction, a line separator, and a
  /// zero-width character.
  static let hostile = "誕\u{1B}[2J\u{9B}31m\u{202E}x\u{200B}\u{2028}\u{7F}"

  /// Runs a script in a session whose standard output is a terminal.
  private func run(_ script: String, _ format: String) -> String {
    var services = folder.services
    services.results = ResultStream(isTerminal: true) { [folder] in
      folder.appendOutput(String(decoding: $0, as: UTF8.self))
    }
    var launch = Launch()
    (launch.store, launch.statements) = (.file(folder.path + "/hostile.json"), [script])
    launch.format = OutputFormat.named(format) ?? launch.format
    launch.continuesAfterErrors = true
    _ = launch.run(services, nil)
    return folder.output
  }

  private func makeStore() throws {
    let text = Self.hostile.replacing("\u{1B}", with: #"\u001b"#).replacing(
      "\u{7F}", with: #"\u007f"#)
    try #"""
    {"format": "kura/1", "model": {"entities": {"A": {"attributes": {"t": {"type": "string", "default": "\#(text)"},
      "j": {"type": "json", "optional": true}}, "userInfo": {"\#(text)": "\#(text)"}}}},
     "objects": {"A": [{"objectID": 1, "t": "\#(text)", "j": {"\#(text)": ["\#(text)", {"a\n\t\#(text)": 1}]}}]}}
    """#.replacing("a\n\t", with: "a")
      .write(toFile: folder.path + "/hostile.json", atomically: true, encoding: .utf8)
  }

  @Test("are shown as escapes at a terminal", arguments: OutputFormat.all.map(\.name))
  func formats(format: String) throws {
    try makeStore()
    let (h, q) = (Self.hostile, "\"")
    let script = [
      "fetch A", "print \(q)\(h)\(q)", "fetch A select t, t + \(q)\(h)\(q)", "model",
      "model as json",
      "model as mermaid", "describe A", "explain fetch A where t == \(q)\(h)\(q)",
      "fetch A section by t", "let $x = \(q)\(h)\(q)", "print $x", "insert A t = \(q)\(h)\(q)",
      "changes", "undo list", "begin \(q)\(h)\(q)", "insert A t = \(q)\(h)\(q)", "commit",
      "undo list", "undo",
      "begin \(q)\(h)\(q)", "cancel", ".null \(q)\(h)\(q)", ".null", "print nil",
      ".mode \(q)\(h)\(q)", ".help \(q)\(h)\(q)",
      ".locale \(q)\(h)\(q)", ".timezone \(q)\(h)\(q)", ".read \(q)\(h)\(q)", ".open \(q)\(h)\(q)",
      ".output \(q)/\(h)/x\(q)", "print 1", ".output | exit 3 # \(h)", "print 1", ".output",
      ".once | false # \(h)", "print 1", ".\(h) x", "fetch \(h)", "fetch A where \(h)", "\(h)",
      "request R = fetch A where t == \(q)\(h)\(q)", "model", "run R", "drop request R",
      "save \(q)\(folder.path)/\(h).json\(q)", "update A set t = \(q)\(h)2\(q)", "save",
      "save \(q)\(h)/\(h)\(q)",
      "alter entity A add \(h): string",
      "entity B { s: string = \(q)\(h)\(q) matches \(q)\(h)\(q) }",
      "insert B", "save", "fetch B", "model as swift", "describe B", "rollback",
      "print f(\(q)\(h)\(q))",
      "let $\(h) = 1", "print $\(h)", "fetch A where t MATCHES \(q)[\(h)\(q)", ".timer on",
      "print 1",
    ].joined(separator: "\n")
    let output = run(script, format)
    let bad = output.split(separator: "\n").filter {
      !Self.isHarmless(String($0).replacing("\t", with: ""))
    }
    #expect(bad.isEmpty, "\(bad.map { $0.debugDescription })")
    #expect(output.contains("\\u{1B}[2J") || output.contains(#"\u001b[2J"#))
    // Tabs separate fields in tsv and plain; no other format writes them.
    if !["tsv", "plain"].contains(format) { #expect(!output.contains("\t")) }
  }

  @Test("are written unchanged to a file or a pipe, in csv and tsv", arguments: ["csv", "tsv"])
  func bytes(format: String) throws {
    let (output, status) = folder.run(".mode \(format)\nprint \"a\u{1B}b\u{202E}\"")
    #expect(output == "\"\"\"a\u{1B}b\u{202E}\"\"\"\na\u{1B}b\u{202E}\n")
    #expect(status == 0)
  }

  @Test("are escaped in json everywhere if readers of JSON may misinterpret them")
  func json() {
    let (output, _) = folder.run(".mode jsonl\nprint {\"a\u{9B}\u{2028}\u{7F}\u{202E}誕…\"}")
    #expect(output.hasSuffix(#": ["a\u009b\u2028\u007f"# + "\u{202E}誕…\"]}\n"))
  }

  @Test("are escaped in questions, greetings and progress")
  func questions() {
    let moment = WorkProgress.Moment(.loading(Self.hostile), done: 1, of: 2)
    #expect(Self.isHarmless(moment.text(columns: 200)))
    folder.answers = ["n"]
    var services = folder.services
    services.readFile = { _ in [] }
    var launch = Launch()
    launch.store = .file(folder.path + "/\(Self.hostile).json")
    launch.creates = true
    var lines = ["entity A { b: string }", ".quit"]
    _ = launch.run(services, Conversation { _ in .text(lines.removeFirst()) })
    #expect(folder.output.contains("Save the changes to "))
    #expect(Self.isHarmless(folder.output), "\(folder.output.debugDescription)")
  }
}
