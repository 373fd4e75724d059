import Foundation
import KuraBytes
import KuraDiagnostics
import KuraScript
import Testing

@testable import KuraShell

@Suite("A statement that takes too long")
struct TimeoutTests {
  /// A loop over all pairs: a comparison of `$b.n` alone would be a join.
  private static let slow =
    "SUBQUERY((fetch A), $a, SUBQUERY((fetch A), $b, $b.n + 0 == $a.n).@count > 900).@count"

  /// Returns the output of a script in which each statement has a tenth of a second.
  private func run(_ script: String) throws -> (
    output: String, status: KuraShell.ExitStatus, isRaised: Bool
  ) {
    let folder = try TestFolder()
    var services = folder.services
    services.cancel = CancelFlag()
    var launch = Launch()
    launch.continuesAfterErrors = true
    let session = try Session(launch, services)
    let objects = (0..<400).map { "{\"n\": \($0)}" }.joined(separator: ", ")
    session.run("entity A { n: integer }\ninsert A [\(objects)]\n.timeout 0.1\n\(script)\n")
    try session.targets.flush()
    return (folder.output, session.status, services.cancel.isRequested)
  }

  @Test(
    "is ended, fails, and has no effect",
    arguments: [
      "count A where \(slow) > n", "fetch A sort \(slow)", "print \(slow)", "let $x = \(slow)",
      "fetch A select n, \(slow) as m", "fetch A group by \(slow)",
      "update A set n = \(slow) + 1000 where n >= 0", "delete A where \(slow) == 0",
      "print \"\(String(repeating: "a", count: 40))\" MATCHES \"(a+)+b\"",
    ])
  func isEnded(_ statement: String) throws {
    let (output, status, isRaised) = try run("\(statement)\ncount A where n < 400")
    #expect(output.contains("error: timed out after 0.1 s"))
    #expect(output.hasSuffix("400\n"))
    #expect(status == .statementFailed && !isRaised)
  }

  @Test("is not a setting that changes the limit")
  func lifting() throws {
    for (text, isLimited) in [(".timeout off", false), (".TIMEOUT 3", false), (".fold", true)] {
      var reader = StatementReader()
      reader.feed((text + "\n").utf8)
      reader.finish()
      guard case .statement(let statement, _) = reader.next() else {
        Issue.record("\(text) is no statement")
        continue
      }
      #expect(try statement.command.isLimited == isLimited, "\(text)")
    }
  }

  @Test("uses no other statement's time")
  func others() throws {
    let (output, status, _) = try run(".timeout 60\ncount A\ncount A where n > 3")
    #expect(output.hasSuffix("400\n396\n") && status == .done)
  }

  @Test("is reported with the limit if opening a store takes too long")
  func opening() throws {
    let folder = try TestFolder()
    var services = folder.services
    services.cancel = CancelFlag()
    let keys = (0..<40_000).map { "\"k\($0)\": {\"type\": \"integer\", \"optional\": true}" }
    let document = """
      {"format": "kura/1", "timezone": "Etc/UTC", "model": {"entities": {"A": {"attributes": {\(
        keys.joined(separator: ", "))}}}}, "nextObjectID": {}, "objects": {}}
      """
    try document.write(toFile: folder.path + "/wide.json", atomically: true, encoding: .utf8)
    var launch = Launch()
    launch.store = .file(folder.path + "/wide.json")
    launch.caches = false
    launch.timeout = .milliseconds(1)
    let failure = #expect(throws: Failure.self) { _ = try Session(launch, services) }
    #expect(
      failure?.diagnostics.first?.facts.sentence == "timed out after 0.001 s")
  }
}
