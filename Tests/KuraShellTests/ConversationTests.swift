import KuraBytes
import KuraDiagnostics
import Testing

@testable import KuraShell

@Suite("A conversation")
struct ConversationTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    folder.answers = []
  }

  /// Returns the output for a user who types these lines and then Control-D forever.
  private func say(
    _ events: Conversation.Event..., store: String? = "dates.json",
    prepare: (inout SystemServices) -> Void = { _ in }
  ) throws -> (output: String, status: KuraShell.ExitStatus) {
    var launch = Launch()
    launch.store = store.map { .file(folder.path + "/" + $0) }
    var services = folder.services
    prepare(&services)
    let session = try Session(launch, services)
    var rest = events[...]
    let status = session.converse(Conversation { _ in rest.popFirst() ?? .end })
    return (folder.output.replacing(folder.path, with: "FOLDER"), status)
  }

  private static let insertion = Conversation.Event.text("insert Category name = \"x\"")
  private static let question = "Save the changes to FOLDER/dates.json? [y]es, [n]o, [c]ancel: "

  @Test(
    "reports what is missing in an incomplete line, and runs one that is ended by an empty line")
  func expected() throws {
    let (output, _) = try say(
      .text("show Category/1"), .interrupted, .text("count Category where"), .text("name != nil"))
    #expect(
      output.contains(
        "\nexpected \"as\" after \"Category/1\"\nexpected a predicate after \"where\"; for example title CONTAINS \"x\"\n1\n"
      ))
  }

  @Test("without changes ends with the input")
  func nothingToAsk() throws {
    let (output, status) = try say(.text("count Category"))
    #expect(output.hasSuffix("\n1\n"))
    #expect(status == .done)
  }

  @Test(
    "runs words of SQL that can mean only one thing, and says once what Kura calls them",
    arguments: [
      ("fetch Category order by name", "Kura writes \"sort\" for ORDER BY"),
      ("count Category where name IS NOT NULL", "Kura writes \"!= NULL\" for IS NOT NULL"),
      ("count Category where name is null;", "Kura writes \"== NULL\" for IS NULL"),
      ("count Category where name IN ['a', 'b']", "Kura writes \"{…}\" for […]"),
      ("count Category where name IN (\"a\", \"b\")", "Kura writes \"{…}\" for (…)"),
      (
        "count Item where number BETWEEN 1 AND 2",
        "Kura writes \"BETWEEN {…, …}\" for BETWEEN … AND …"
      ),
      ("fetch Category select count(*)", "Kura writes \"SELF\" for *"),
      ("let $all = (fetch Category order by name)", "Kura writes \"sort\" for ORDER BY"),
    ])
  func respelled(_ statement: String, _ note: String) throws {
    let model = "alter entity Item add number: integer?"
    let (output, _) = try say(.text(model), .text(statement), .text(statement), .text("rollback"))
    #expect(output.ranges(of: note + "\n").count == 1, "\(output)")
    #expect(!output.contains("error"), "\(output)")
  }

  @Test("runs a SELECT, and shows each time what it runs")
  func translated() throws {
    let select = Conversation.Event.text("SELECT name FROM Category WHERE name <> '' ORDER BY name")
    let (output, _) = try say(select, select)
    let note = "in Kura: fetch Category where name != \"\" sort name select name"
    #expect(output.ranges(of: note).count == 2, "\(output)")
    #expect(!output.contains("error"))
  }

  /// The last ones are guesses of a name, and texts with several statements.
  @Test(
    "runs no correction that changes something, or that is a guess",
    arguments: [
      "delete Category where name IS NULL", "update Category set name = \"x\" where name IS NULL",
      "DELETE FROM Category WHERE name IS NULL", "insert Item tags = [Tag/1, Tag/2]",
      "alter entity Item add x: string? where name IS NULL", "save order by name",
      "fetch Category order by nam", "fetch Category where nam IS NULL",
      "SELECT nam FROM Category", "fetch Category where name NOT IN ('a')",
      "let $a = 1; fetch Category order by name",
    ])
  func notRespelled(_ statement: String) throws {
    let (output, _) = try say(.text(statement))
    #expect(output.contains("error: "), "\(output)")
    #expect(!output.contains("Kura writes") && !output.contains("in Kura:"), "\(output)")
  }

  @Test("does not take the end of input as an answer, and stays")
  func staysOnce() throws {
    folder.answers = []
    let (output, status) = try say(Self.insertion, .end, .text("rollback"))
    #expect(
      output.hasSuffix(
        """
        1 inserted: Category/2
        \(Self.question)not quitting: there are unsaved changes; save or rollback first
        rolled back: 1 object

        """))
    #expect(status == .done)
  }

  @Test("with a closed terminal ends, and reports the lost changes")
  func terminalIsGone() throws {
    let (output, status) = try say(Self.insertion)
    #expect(output.hasSuffix("\(Self.question)quit without saving: 1 object\n"))
    #expect(status == .unsavedChanges)
    #expect(folder.text("dates.json") == TestFolder.dates)
  }

  @Test("with a graph in memory reports them, too")
  func inMemory() throws {
    let (output, status) = try say(.text("entity A { b: string }"), store: nil)
    #expect(output.hasSuffix("[y/N]: quit without saving: 1 entity\n"))
    #expect(status == .unsavedChanges)
  }

  @Test("accepts a typed answer", arguments: [("y", KuraShell.ExitStatus.done), ("n", .done)])
  func typedAnswer(_ answer: String, _ expected: KuraShell.ExitStatus) throws {
    folder.answers = [answer]
    let (_, status) = try say(Self.insertion)
    #expect(status == expected)
    #expect((folder.text("dates.json") == TestFolder.dates) == (answer == "n"))
  }

  /// A statement for the prompt can be read as the answer to a question in between.
  @Test(
    "accepts no answer that only begins like one",
    arguments: [
      "nclear", "new", "none", "n;", "y or n", "yfetch Category", "year", "いいえでも", "はいと言う",
      "update Category/1 set name = \"n\"", "count", "[n]o", "/n", "0",
    ])
  func noAnswer(_ text: String) throws {
    #expect(Answer(text) == nil)
    folder.answers = [text]
    let (output, status) = try say(Self.insertion, .end, .text("count Category"), .text("rollback"))
    #expect(output.contains("\(Self.question)not quitting"))
    #expect(output.contains("\n2\n"))
    #expect(status == .done)
    #expect(folder.text("dates.json") == TestFolder.dates)
  }

  @Test("accepts the letter or the word, in any case and with spaces")
  func listedAnswers() {
    for (text, answer) in [
      ("Y", .yes), (" yes ", .yes), ("NO", .no), ("n", .no), ("c", .cancel), ("Cancel", .cancel),
      ("l", .later), ("later", .later), ("ｎ", .no), ("ｙｅｓ", .yes),
    ] as [(String, Answer)] {
      #expect(Answer(text) == answer, "\(text)")
    }
  }

  @Test("reports how many statements after a failed one were not run")
  func unrun() throws {
    let (output, _) = try say(.text("print 1; fetch Nothing; print 2; print 3"), .text("prnt 1; a"))
    #expect(output.contains("\nthe 2 statements after it were not run\n"), "\(output)")
    #expect(output.contains("\nthe statement after it was not run\n"), "\(output)")
  }

  @Test("ends the statements of a line at Control-C, reports that, and continues")
  func stopped() throws {
    let cancel = CancelFlag()
    var statements = 0
    let (output, status) = try say(
      .text("let $a = 1"), .text("let $a = 2; print 3; let $a = 4"), .text("print $a")
    ) { services in
      services.cancel = cancel
      let now = services.now
      services.now = {
        statements += 1
        if statements == 2 { cancel.request() }
        return now()
      }
    }
    #expect(output.contains("\nerror: stopped\n1\n"), "\(output)")
    #expect(status == .done)
  }

  @Test(
    "greets users without a history with three more lines, and no others",
    arguments: [true, false])
  func greeting(_ isFirst: Bool) throws {
    let (output, _) = try say(.text("print 1")) { $0.isFirstTime = { isFirst } }
    #expect(output.contains("Type .help for help.\n"))
    #expect(output.contains("undo reverses it") == false)
    var launch = Launch()
    launch.store = nil
    let before = folder.output.count
    var services = folder.services
    services.isFirstTime = { isFirst }
    _ = launch.run(services, Conversation { _ in .end })
    let greeted = String(folder.output.dropFirst(before))
    #expect(greeted.contains("undo reverses it") == isFirst)
    let lines = greeted.split(separator: "\n")
    #expect(lines.count == (isFirst ? 4 : 1))
    #expect(lines.allSatisfy { DisplayWidth().cells(String($0)) < 80 })
  }
}
