import TestSupport
import Testing

@testable import KuraShell

/// An update of one object by its number is performed without a fetch, with the same result.
@Suite("Updates of one object") struct UpdateOneTests {
  private static let model = """
    entity Part {
      name: string check (name != "bad")
      count: integer = 3
      price: double?
      made: date?
      isSold: boolean = NO
      note: string?
      code: uuid?
      total: double? derived (count * price)
      owner: Part?
      parts: [Part] inverse owner
    }
    entity Screw: Part { length: integer? }
    """

  private static let values: [(key: String, values: [String])] = [
    ("name", ["\"x\"", "\"誕生日\"", "\"bad\"", "nil", "\"50 %\"", "\"a\\nb\"", "7", "name"]),
    ("count", ["1", "-7", "3", "nil", "1.5", "\"5\"", "9223372036854775807", "count + 1"]),
    ("price", ["1.5", "2", "nil", "-0.0", "0", "\"x\"", "1e999", "NULL"]),
    (
      "made",
      [
        "\"1935-06-11\"", "\"2024-02-29T10:00\"", "\"2011-13-01\"", "nil", "today()",
        "\"tomorrow\"",
      ]
    ),
    ("isSold", ["YES", "NO", "true", "1", "\"yes\"", "nil"]),
    ("note", ["\"\"", "\"が\"", "\"か\u{3099}\"", "nil"]),
    ("code", ["\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", "\"x\""]),
    ("total", ["1"]), ("owner", ["Part/1", "nil"]), ("length", ["1"]), ("nothing", ["1"]),
  ]
  private static let others = [
    "undo", "undo\nundo\nredo", "save", ".validate on", ".validate off", "changes", "undo list",
    "begin try", "commit", "cancel", "insert Screw name = \"s\"", "insert Part name = \"p\"",
    "watch fetch Part where count > 2 sort count, objectID as w", "unwatch w", "fetch Part",
    "alter entity Part add extra: integer = 3", "delete Part/3", "let c = Part/2",
  ]

  /// Returns updates of existing objects, each written by `wanted`.
  private func script(_ seed: UInt64, _ wanted: (Int, String) -> String) -> String {
    var dice = SeededNumbers(seed: seed)
    var lines = [Self.model]
    lines += (1...6).map { "insert Part name = \"p\($0)\", price = \($0).5" }
    lines += (7...8).map { "insert Screw name = \"s\($0)\", length = \($0)" }
    for _ in 0..<80 {
      guard !dice.oneIn(5) else {
        lines.append(dice.pick(Self.others))
        continue
      }
      let first = dice.pick(Self.values)
      let second = dice.oneIn(3) ? dice.pick(Self.values) : first
      var assignments = "\(first.key) = \(dice.pick(first.values))"
      if second.key != first.key { assignments += ", \(second.key) = \(dice.pick(second.values))" }
      if dice.oneIn(9) { assignments = "count += \(dice.below(3))" }
      lines.append(wanted(dice.pick([1, 2, 4, 5, 6, 7, 8]), assignments))
    }
    return lines.joined(separator: "\n") + "\nchanges\nundo list\nfetch Part\nfetch Screw\nsave\n"
  }

  /// Returns the output, except for the source lines in error messages.
  private func done(_ script: String) throws -> (output: [Substring], kept: String?) {
    let folder = try TestFolder()
    let result = folder.run(script) {
      $0.continuesAfterErrors = true
      $0.savesAtEnd = true
    }
    let output = result.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }
    return (output, folder.text("dates.json"))
  }

  @Test(
    "have the same result as with a fetch", arguments: 1...UInt64(TestLength.count(4, long: 10)))
  func same(seed: UInt64) throws {
    let byNumber = try done(script(seed) { "update Part/\($0) set \($1)" })
    let asked = try done(script(seed) { "update Part/\($0) set \($1) where TRUEPREDICATE" })
    for (a, b) in zip(byNumber.output, asked.output) where a != b {
      Issue.record("\(a)\n\(b)")
      return
    }
    #expect(byNumber.output.count == asked.output.count)
    #expect(byNumber.kept == asked.kept)
    #expect(byNumber.output.count { $0.contains(" updated: ") } > 15)
  }

  @Test("of a missing object, or one of another entity, are refused with their place")
  func refused() throws {
    let folder = try TestFolder()
    let output = folder.run(
      """
      entity A { n: integer }
      insert A n = 1
      update A/1 set n = 2
      update A/2 set n = 2
      update B/1 set n = 2

      """
    ) { $0.continuesAfterErrors = true }.output
    #expect(output.contains("script.kura:4:8: error: there is no object A/2"))
    #expect(output.contains("script.kura:5:8: error: there is no entity \"B\""))
  }
}
