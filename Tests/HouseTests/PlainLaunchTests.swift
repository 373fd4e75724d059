import KuraShell
import TestSupport
import Testing

@testable import KuraCommand

/// Most command lines are read without the parser of options; they mean the same to it.
@Suite("A plain command line")
struct PlainLaunchTests {
  private static let parts: [[String]] = [
    [], ["todo.json"], ["count Item"], ["--no-init"], ["--create"], ["--read-only"], ["--autosave"],
    ["--no-cache"], ["--no-lock"], ["--keep-going"], ["-f", "report.kura"], ["-f", "-"],
    ["--format", "jsonl"], ["--format", "csv"], ["--format", "jsno"], ["--format"], ["-f"],
    ["--format=tsv"], ["--safe"], ["-"], [""], ["lesson"], ["--arg", "a", "b"], ["--nonsense"],
  ]

  private func parsed(_ arguments: [String]) -> Launch? {
    try? ShellCommand.launch(parsing: arguments)
  }

  private func text(_ launch: Launch) -> String {
    var text = ""
    dump(launch, to: &text)
    return text
  }

  @Test("is what the parser of options makes of it", arguments: [1 as UInt64, 2])
  func same(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var plain = 0
    for _ in 0..<2000 {
      let arguments = (0..<numbers.below(6)).flatMap { _ in numbers.pick(Self.parts) }
      guard let launch = Launch.plain(arguments) else { continue }
      plain += 1
      let other = parsed(arguments)
      #expect(other.map(text) == text(launch), "\(arguments)")
    }
    #expect(plain > 200)
  }

  @Test("has the options that programs give")
  func options() throws {
    let launch = try #require(
      Launch.plain(["--no-init", "--format", "jsonl", "todo.json", "-f", "report.kura"]))
    #expect(launch.initFile == nil && launch.scripts == ["report.kura"])
    #expect(text(launch).contains("jsonl") && launch.store == .file("todo.json"))
  }

  @Test(
    "is none where something is wrong, or of another kind",
    arguments: [
      ["lesson"], ["check", "a.tsv"], ["--help"], ["--format"], ["--format", "jsno", "a.json"],
      ["--create"], ["--create", "--read-only", "a.json"], ["-"], ["a.json", "-f"],
      ["--no-init", "--no-init", "a.json"], ["--format=csv", "a.json"],
    ])
  func others(_ arguments: [String]) { #expect(Launch.plain(arguments) == nil) }
}
