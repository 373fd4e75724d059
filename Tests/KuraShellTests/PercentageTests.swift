import KuraSentences
import Testing

@testable import KuraShell

@Suite("A percentage of integers that loses its fraction gets a note")
struct PercentageTests {
  private static let model = """
    entity Task { title: string; kind: string; done: integer; total: integer; hours: double }
    insert Task title = "a", kind = "x", done = 1, total = 3, hours = 1.5
    insert Task title = "b", kind = "x", done = 1, total = 2, hours = 2.5
    insert Task title = "c", kind = "y", done = 2, total = 2, hours = 3

    """

  /// Returns the notes about a statement, without its result.
  private func notes(
    _ statement: String, asPerson: Bool = true, _ prepare: (inout Launch) -> Void = { _ in }
  ) throws -> [Substring] {
    let folder = try TestFolder()
    if asPerson { folder.answers = [] }
    let output = folder.run(Self.model + statement) {
      $0.store = nil
      $0.isDryRun = true
      prepare(&$0)
    }.output
    return output.split(separator: "\n").filter { $0.contains("note") }
  }

  static let losing = [
    "fetch Task select title, done * 100 / total", "fetch Task select 100 * done / total as p",
    "fetch Task select (done * 100) / total sort title limit 1",
    "fetch Task select done / total * 100", "fetch Task select done / total as pct",
    "fetch Task select done / total as doneShare", "fetch Task select done / total as 完了率",
    "fetch Task select divide:by:(multiply:by:(done, 100), total)",
    "fetch Task select round(done * 100 / total) as p where title == \"a\"",
    "fetch Task select kind, sum(done) * 100 / 3 as p group by kind sort p desc",
    "fetch Task select kind, avg(done * 100 / total) as p group by kind",
    "fetch Task select kind, count(SELF) * 100 / 7 as p group by kind having p > 0",
    "print (count Task where kind == \"x\") * 100 / (count Task)", "print 200 / 3 as percent",
    "fetch Task select done * 100 / total as a, done * 100 / total as b",
    "let $n = 7; print 4 * 100 / $n",
  ]

  @Test("once for a statement", arguments: losing)
  func loses(statement: String) throws {
    #expect(try notes(statement).count == 1)
  }

  @Test(
    "but not if nothing is lost, or the result is not a percentage",
    arguments: [
      "fetch Task select done * 100 / total where title != \"a\"",
      "fetch Task select done * 100.0 / total", "fetch Task select hours * 100 / total",
      "fetch Task select done / total", "fetch Task select done * 10 / total as tenths",
      "fetch Task select done * 100 / total where title == \"none\"",
      "fetch Task select done * 100 / total sort title desc limit 1",
      "print 200 / 4 as percent", "print 7 / 2", "print 7 * 100 / 2", "print 7.0 / 2 as percent",
      "fetch Task where done * 100 / total > 30", "count Task where done * 100 / total > 30",
      "fetch Task select total, 0 * 100 / total as p",
    ])
  func keeps(statement: String) throws {
    #expect(try notes(statement).isEmpty)
  }

  @Test("for a user and a program that reads messages, but not for a script")
  func audience() throws {
    let statement = "print 1 * 100 / 3"
    #expect(try notes(statement, asPerson: false).isEmpty)
    let json = try notes(statement, asPerson: false) { $0.messages = .json }
    #expect(json.count == 1, "\(json)")
  }

  @Test("with the lost fraction, and how to keep it")
  func text() throws {
    let folder = try TestFolder()
    folder.answers = []
    let output = folder.run("print 2 * 100 / 3") { $0.store = nil }.output
    #expect(
      output.hasSuffix(
        """
        66
        FOLDER/script.kura:1:7: note: integer division drops the fraction: 200 / 3 is 66
          print 2 * 100 / 3
                ^~~~~~~~~~~
          to keep the fraction, multiply by 100.0 before the division

        """), "\(output)")
    let japanese = folder.run("print 2 / 3 as ratio") {
      ($0.store, $0.language) = (nil, .japanese)
    }.output
    #expect(japanese.contains("整数の割り算では小数点以下が切り捨てられる：2 / 3は0"), "\(japanese)")
    #expect(japanese.contains("小数点以下を残すには、割る前に1.0を掛ける"), "\(japanese)")
  }
}
