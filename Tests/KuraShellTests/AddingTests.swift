import KuraDiagnostics
import KuraFetch
import KuraPredicates
import KuraValues
import Testing

@testable import KuraRendering
@testable import KuraScript
@testable import KuraShell

/// A statement, `shout 1 + 2`, a setting and a format that are only defined in this file.
private struct ShoutStatement: StatementTree {
  var words: ExpressionTree
}

extension StatementSyntax {
  fileprivate static let shout = StatementSyntax(
    "shout", synopsis: "shout EXPR", summary: "says a value aloud", example: "shout \"a\""
  ) { parser throws(SyntaxError) in
    ShoutStatement(words: try parser.predicates.parseExpression())
  }
}

extension ShoutStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    let value = try session.read(source) { snapshot, environment in
      try words.value(in: snapshot, environment)
    }
    guard case .string(let text) = value else { throw Failure(Quiet(), at: words.span) }
    try session.write(text.uppercased() + "!\n")
  }

  struct Quiet: DiagnosticFacts {
    var sentence: String { "only a text can be said aloud" }
  }
}

extension Setting {
  fileprivate static let loud = Setting(
    name: "loud", synopsis: ".loud WORD", summary: "says a word", arguments: 1...1
  ) { session, call in session.report(call.argument?.text.uppercased() ?? "") }
}

extension OutputFormat {
  fileprivate static let dots = OutputFormat(
    name: "dots", help: "A dot for each row.", example: "..\n"
  ) { grid, _, out in
    out.append(String(repeating: ".", count: grid.rowCount))
    try out.endLine()
  }
}

@Suite("Adding to the language")
struct AddingTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Reads the text after the first word as the parser does.
  private func shout(_ text: String) throws -> (Statement, SourceText) {
    let source = SourceText(text)
    let parser = StatementParser(TokenCursor(source, mode: .statement))
    parser.take()
    let tree = try StatementSyntax.shout.read(parser)
    return (Statement(tree, span: SourceSpan(0, text.utf8.count)), source)
  }

  @Test("a statement needs its syntax and its command: it is read, run, refused and explained")
  func statement() throws {
    let session = try Session(Launch(), folder.services)
    let (good, text) = try shout(StatementSyntax.shout.example)
    #expect(session.run(good, in: text, reading: .zero))
    let (bad, other) = try shout("shout 3")
    #expect(!session.run(bad, in: other, reading: .zero))
    try session.targets.flush()
    #expect(
      folder.output == "A!\n" + """
        error: only a text can be said aloud
          shout 3
                ^

        """)
    let topic = HelpTopic(StatementSyntax.shout)
    #expect(topic.name == "shout" && topic.text().contains("Example: shout \"a\""))
  }

  @Test("a tree without a command is reported")
  func noCommand() throws {
    struct Mute: StatementTree {}
    let session = try Session(Launch(), folder.services)
    #expect(!session.run(Statement(Mute(), span: .none), in: SourceText(""), reading: .zero))
    #expect(folder.output == "error: no command handles Mute\n")
  }

  @Test("every statement of the language has its command", arguments: StatementCatalog.all)
  func commands(syntax: StatementSyntax) throws {
    let parser = StatementParser(TokenCursor(SourceText(syntax.example), mode: .statement))
    #expect(try parser.parse().tree is any Command)
  }

  @Test("a setting needs only its declaration")
  func setting() throws {
    let session = try Session(Launch(), folder.services)
    let call = SettingCall(name: Name("loud"), arguments: [Name("a")], source: SourceText(""))
    try Setting.loud.run(session, call)
    #expect(folder.output == "A\n")
    #expect(HelpTopic(Setting.loud).text() == ".loud WORD\n\n  says a word\n")
  }

  @Test("a format needs only its declaration")
  func format() throws {
    #expect(HelpTopic(OutputFormat.dots).text() == "dots\n\n  A dot for each row.\n\n..\n")
    var launch = Launch()
    (launch.format, launch.store) = (.dots, .file(folder.path + "/dates.json"))
    let session = try Session(launch, folder.services)
    session.run("fetch MemoDate")
    try session.targets.flush()
    #expect(folder.output == "...\n")
  }
}

extension StatementSyntax: CustomTestStringConvertible {
  /// The name.
  public var testDescription: String { name }
}

extension Setting: CustomTestStringConvertible {
  /// The name.
  public var testDescription: String { name }
}
