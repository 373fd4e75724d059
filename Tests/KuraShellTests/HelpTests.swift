import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import Testing

@testable import KuraShell

@Suite("The help")
struct HelpTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func session(_ store: String? = "dates.json", _ statements: String = "") throws -> Session
  {
    var launch = Launch()
    launch.store = store.map { .file(folder.path + "/" + $0) }
    let session = try Session(launch, folder.services)
    session.run(statements)
    return session
  }

  /// A model with a key of each kind, as the examples need.
  private static let rich = """
    entity 箱 { 名: string; 数: integer = 3; 高さ: double?; 値段: decimal?; 有: boolean = YES; 日: date?; id: uuid?; 場所: uri?; 中身: [物] inverse 箱 delete cascade }
    entity 物 { 名: string; 箱: 箱? inverse 中身 }
    insert 箱 [{"名": "木の箱", "数": 3, "高さ": 1.5, "値段": "120", "日": "2020-01-02", "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "場所": "https://example.com"}]
    insert 物 [{"名": "りんご", "箱": 1}, {"名": "みかん", "箱": 1}]
    """

  @Test("has every name once")
  func names() {
    let names = HelpTopic.all.filter { !["count", "history", "undo"].contains($0.name) }.map {
      $0.name.lowercased()
    }
    let doubled = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys
    // Functions, types, clauses, settings and formats share some words, and both meanings are
    // explained.
    let shared: Set = ["json", "date", "null", "mode", "uuid"]
    #expect(Set(doubled).isSubset(of: shared), "\(doubled)")
    let japanese = HelpTopic.japaneseNames.values.joined()
    #expect(Set(japanese).count == japanese.count)
  }

  @Test("has a topic for each comparison operator")
  func operators() {
    let names = Set(OperatorHelp.all.flatMap(\.names))
    #expect(names.isSuperset(of: ComparisonOperator.all.map(\.text)))
  }

  @Test("has a topic for each name, also in Japanese")
  func leads() {
    for name in HelpTopic.names { #expect(!HelpTopic.topics(on: name).isEmpty, "\(name)") }
    for (topic, words) in HelpTopic.japaneseNames {
      for word in words {
        #expect(
          HelpTopic.topics(on: word).contains { $0.name == topic || $0.otherNames.contains(topic) },
          "\(word)")
      }
    }
    for topic in HelpTopic.all {
      for other in topic.related {
        #expect(!HelpTopic.topics(on: other).isEmpty, "\(topic.name): \(other)")
      }
    }
    for clause in FetchWords.all {
      #expect(ClauseHelp.all.contains { $0.name == clause }, "\(clause)")
    }
  }

  @Test(
    "shows examples of the open store with their real results",
    arguments: HelpTopic.all.filter { $0.example != nil }.map(\.name))
  func examples(_ name: String) throws {
    let session = try session(nil, Self.rich)
    let before = session.context.netChange
    for topic in HelpTopic.topics(on: name) where topic.example != nil {
      let text = topic.text(in: session)
      let lacks = ["float", "integer16", "integer32", "binary", "json"].contains(name)
      #expect(text.contains("Example, run on this store") || lacks, "\(text)")
      #expect(
        lacks || text.contains("箱") || text.contains("物") || text.contains("kura> "), "\(text)")
      #expect(!text.contains("error:"), "\(text)")
    }
    #expect(session.context.netChange == before)
    #expect(session.status == .done)
  }

  @Test(
    "shows examples without an open store, too",
    arguments: HelpTopic.all.filter { $0.example != nil }.map(\.name))
  func withoutStore(_ name: String) throws {
    let session = try session(nil)
    let text = try #require(session.help(for: name))
    let lacks = [
      "uuid", "uri", "double", "decimal", "float", "integer16", "integer32", "binary", "json",
    ]
    #expect(text.contains("Example on a small store") || lacks.contains(name), "\(text)")
    #expect(!text.contains("error:"), "\(text)")
    #expect(session.context.graph.model.entities.isEmpty)
  }

  @Test("reports unknown words, with near names")
  func unknown() throws {
    let session = try session()
    #expect(session.help(for: "nonsense") == nil)
    session.run(".help fetsh")
    #expect(folder.output.contains("did you mean \"fetch\"?") || folder.output.contains("fetch"))
  }

  @Test(
    "finds the word at a place of a statement",
    arguments: [
      (0, "fetch"), (5, "fetch"), (3, "fetch"), (6, "Item"), (10, "Item"), (13, "where"),
      (18, "title"), (25, "CONTAINS"),
    ])
  func word(_ offset: Int, _ word: String) throws {
    let statement = "fetch Item where title CONTAINS \"x\""
    #expect(Session.word(in: statement, at: offset) == word)
    let session = try session()
    let text = try #require(session.help(for: "", in: statement, at: offset))
    #expect(text.contains(word))
  }

  @Test("describes a word of the model")
  func model() throws {
    let session = try session()
    #expect(
      session.help(for: "Item")?.hasPrefix(
        "Item\n\n  an entity of the open model, with 1 object; its keys are title") == true)
    #expect(session.help(for: "parentCategory")?.contains("a key of Item: ") == true)
    // In a statement, names of the model come first.
    #expect(
      session.help(for: "date", in: "fetch MemoDate sort date")?.hasPrefix(
        "date\n\n  a key of MemoDate") == true)
    #expect(session.help(for: "date")?.hasPrefix("KEY: date") == true)
  }

  @Test(
    "can be opened and left with the words of other shells",
    arguments: [
      (".tables", "in Kura, write model"), (".schema Item", "in Kura, write describe Item"),
      ("\\d", "in Kura, write model"), ("\\d Item", "in Kura, write describe Item"),
      ("\\dt", "in Kura, write model"), ("show tables", "in Kura, write model"),
      ("SHOW TABLES;", "in Kura, write model"), ("desc Item", "in Kura, write describe Item"),
      ("\\q", "in Kura, write .quit"), ("exit", ""), ("quit;", ""), ("bye", "in Kura, write .quit"),
      ("help", "A statement ends at the end of the line"),
      ("?", "A statement ends at the end of the line"),
      ("ヘルプ", "A statement ends at the end of the line"), ("ヘルプ 並び替え", "the order of the result"),
      ("? fetch", "fetch ENTITY"), ("?fetch", "fetch ENTITY"), ("help delete rule", "cascade"),
      ("\\?", "A statement ends at the end of the line"), (".help 削除ルール", "cascade"),
      (".timing on", "in Kura, write .timer on"), (".headers on", "in Kura, write .mode FORMAT"),
      ("select * from Item", "write fetch Item"),
      (
        "SELECT title FROM Item WHERE title = 'x' ORDER BY title;",
        "write fetch Item where title == \"x\" sort title select title"
      ),
      ("select count(*) from Item", "write count Item"),
      (
        "select * from Item where title is not null and title like '%x%'",
        "write fetch Item where title != NULL AND title LIKE \"*x*\""
      ),
      ("create table Note (text varchar(20))", "write entity Note { text: string? max 20 }"),
    ])
  func otherShells(_ line: String, _ answer: String) throws {
    let session = try session()
    session.run(line)
    try session.targets.flush()
    #expect(folder.output.contains(answer), "\(folder.output)")
    let isLeft = ["exit", "quit;", "bye", "\\q"].contains(line)
    #expect(session.isLeaving == isLeft)
  }

  @Test("escapes hidden characters in names of the model")
  func hidden() throws {
    let session = try session(
      nil,
      "entity A { #\"b\\u001B[2J\\u202Ex\": string }\ninsert A #\"b\\u001B[2J\\u202Ex\" = \"y\"")
    let text = try #require(session.help(for: "A"))
    #expect(text.contains("\\u{202E}") || text.contains("\\u202E"), "\(text)")
    let key = try #require(session.help(for: "b\u{1B}[2J\u{202E}x"))
    for shown in [text, key] {
      #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(shown)")
    }
  }

  @Test("translates a query to a valid one")
  func translation() throws {
    let session = try session()
    session.run("fetch Item WHERE title = '掃除' sort title select title")
    try session.targets.flush()
    #expect(folder.output.contains("掃除"), "\(folder.output)")
  }
}
