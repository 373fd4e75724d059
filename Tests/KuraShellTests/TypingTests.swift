import KuraFetch
import KuraScript
import TestSupport
import Testing

@testable import KuraShell

@Suite("While a statement is typed")
struct TypingTests {
  private let folder: TestFolder
  private let session: Session
  private let aid: TypingAid

  init() throws {
    folder = try TestFolder()
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    session = try Session(launch, folder.services)
    session.run(
      "let $old = \"1950-01-01\"\nrequest Since($day) = fetch MemoDate where date >= $day")
    aid = TypingAid(session)
  }

  /// Returns the completions at `⌷`.
  private func choices(_ text: String) -> [String] {
    let before = String(text.prefix { $0 != "⌷" })
    let after = String(text.drop { $0 != "⌷" }.dropFirst())
    return aid.choices(before + after, at: before.utf8.count).all.map(\.label)
  }

  @Test(
    "Tab offers completions",
    arguments: [
      ("fe⌷", ["fetch"]), ("fetch Mem⌷", ["MemoDate"]),
      ("fetch MemoDate w⌷", ["where", "without subentities"]),
      ("fetch MemoDate where no⌷", ["notifiable", "now()", "noindex()", "NOT", "NONE"]),
      ("fetch MemoDate where titl⌷", ["title"]), ("fetch MemoDate where tilte⌷", ["title"]),
      ("fetch MemoDate where title CONT⌷", ["CONTAINS", "CONTAINS[cd]"]),
      ("fetch MemoDate where title CONTAINS[⌷", ["cd]", "c]", "d]", "l]", "n]"]),
      ("fetch MemoDate where notifiable ⌷", ["==", "!="]),
      ("fetch MemoDate where category == \"⌷", ["\"Private\"", "\"Office\""]),
      ("fetch MemoDate where category == \"of⌷", ["\"Office\""]),
      ("fetch MemoDate where title CONTAINS \"誕生⌷", ["\"母の誕生日\"", "\"父の誕生日\""]),
      ("fetch Item where parentCategory.⌷", ["name", "items", "objectID"]),
      (
        "fetch Item where tags.⌷",
        ["name", "items", "objectID", "@count", "@sum", "@avg", "@min", "@max"]
      ),
      ("fetch MemoDate limit ⌷", ["10", "20", "100", "$old"]), ("run ⌷", ["Since"]),
      ("describe T⌷", ["Tag"]), ("alter entity Item ⌷", ["add", "drop", "rename", "change"]),
      ("alter entity Item drop ⌷", ["title", "parentCategory", "tags"]),
      ("alter entity Item rename title to ⌷", []), ("alter entity Item add n: str⌷", ["string"]),
      ("update MemoDate set ⌷", ["title", "category", "date", "notifiable", "cost"]),
      ("update MemoDate set notifiable = ⌷", ["YES", "NO", "notifiable", "$old"]),
      ("insert Tag na⌷", ["name"]),
      ("model as ⌷", ["text", "boxes", "mermaid", "dot", "svg", "swift"]),
      ("drop ⌷", ["entity", "request"]),
      ("explain ⌷", ["analyze", "fetch", "count", "exists", "run"]),
      ("entity A { b: Item inverse x delete ⌷", ["nullify", "cascade", "deny", "none"]),
      ("fetch MemoDate where ti⌷", ["title"]), ("fetch MemoDate where cat⌷", ["category"]),
      ("fetch MemoDate where tegor⌷", ["category"]),
      ("fetch MemoDate where title == \"父⌷", ["\"父の誕生日\""]),
      ("let $x = f⌷", ["fetch", "floor()"]), ("count MemoDate; count It⌷", ["Item"]),
      (".mod⌷", [".mode"]), (".mode j⌷", ["json", "jsonl"]), (".timer ⌷", ["on", "off"]),
      (".merge s⌷", ["store"]), ("fetch limit where ⌷", ["where", "sort", "objectID"]),
    ])
  func offers(_ text: String, _ expected: [String]) {
    #expect(Array(choices(text).prefix(expected.isEmpty ? 99 : expected.count)) == expected)
  }

  @Test("offers no keys of other entities, and no operator that the type lacks")
  func offersNoOthers() {
    #expect(!choices("fetch Item where ⌷").contains("notifiable"))
    #expect(!choices("fetch MemoDate where date ⌷").contains("CONTAINS"))
    #expect(choices("fetch MemoDate where title == \"x\" ⌷").starts(with: ["AND", "OR"]))
  }

  @Test("a text inside a word is offered only if no word begins with it")
  func beginnings() {
    for word in ["ti", "cat", "co", "da", "no"] {
      let found = choices("fetch MemoDate where \(word)⌷")
      #expect(!found.isEmpty && found.allSatisfy { $0.lowercased().hasPrefix(word) }, "\(found)")
    }
    #expect(choices("fetch MemoDate where ti⌷") == ["title"])
    #expect(choices("fetch MemoDate where cat⌷") == ["category"])
    #expect(choices("fetch MemoDate where tim⌷") == ["timeBetween()"])
    #expect(choices("fetch MemoDate where date⌷").starts(with: ["date", "date()"]))
  }

  @Test(
    "a key that a list already has is not offered again",
    arguments: [
      "fetch MemoDate select title, ⌷", "fetch MemoDate sort title desc, ⌷",
      "fetch MemoDate group by title, ⌷", "update MemoDate set title = \"x\", ⌷",
      "insert MemoDate title = \"x\", ⌷", "fetch MemoDate select date, title, t⌷",
      "count MemoDate where title IN (fetch MemoDate select title, ⌷",
    ])
  func givenKeys(_ text: String) {
    let found = choices(text)
    #expect(!found.contains("title"), "\(found)")
    #expect(text.contains("t⌷") || found.contains("category"), "\(found)")
    #expect(choices("fetch MemoDate select title, length(⌷").contains("title"))
    #expect(choices("fetch MemoDate select title where ⌷").contains("title"))
    #expect(choices("update MemoDate set title = ⌷").contains("title"))
  }

  @Test(
    "the values of a nested fetch are those of its own entity",
    arguments: [
      ("fetch Item where title IN (fetch MemoDate where category == \"⌷", "\"Private\""),
      ("print (fetch MemoDate where category == \"⌷", "\"Private\""),
      (
        "fetch Item where title == \"x\" AND SELF IN (fetch MemoDate where category == ⌷",
        "\"Private\""
      ),
      ("let $x = fetch MemoDate where category == \"⌷", "\"Private\""),
      ("fetch MemoDate where TERNARY(category == \"⌷", "\"Private\""),
      ("explain fetch MemoDate where category == \"⌷", "\"Private\""),
    ])
  func nestedValues(_ text: String, _ value: String) {
    #expect(choices(text).first == value)
  }

  @Test(
    "the keys of JSON follow a dot",
    arguments: [
      ("fetch Order where customer.⌷", ["city", "name"]),
      ("fetch Order where customer.na⌷", ["name"]),
      ("fetch Order where ANY lines.⌷", ["qty", "sku"]),
      ("fetch Order where SUBQUERY(lines, $l, $l.s⌷", ["sku"]),
    ])
  func keysOfJSON(_ text: String, _ expected: [String]) {
    session.run(
      """
      entity Order { lines: json?; customer: json? }
      insert Order { "customer": {"name": "Ann", "city": "Kobe"}, "lines": [{"sku": "a", "qty": 7}] }
      """)
    #expect(Array(choices(text).prefix(expected.count)) == expected)
  }

  @Test(
    "bounds follow BETWEEN, a collection and a variable SUBQUERY, a type CAST",
    arguments: [
      ("fetch MemoDate where date BETWEEN ⌷", "{\"1935-06-11\", \""),
      ("fetch MemoDate where category BETWEEN {⌷", "\"Private\""),
      ("fetch MemoDate where category IN {\"x\", ⌷", "\"Private\""),
      ("fetch Category where SUBQUERY(⌷", "items"),
      ("fetch Category where SUBQUERY(items, ⌷", "$x"),
      ("fetch Item where CAST(title, ⌷", "\"NSDate\""),
      ("fetch Item where CAST(title, \"NSN⌷", "\"NSNumber\""),
    ])
  func forms(_ text: String, _ first: String) {
    #expect(choices(text).first?.hasPrefix(first) == true, "\(choices(text).prefix(5))")
  }

  @Test("a choice has a description")
  func meanings() {
    let found = aid.choices("fetch ", at: 6).all
    #expect(found.first { $0.label == "MemoDate" }?.meaning == "3 objects")
    let keys = aid.choices("fetch Item where ", at: 17).all
    #expect(keys.first { $0.label == "parentCategory" }?.meaning == "Category")
    let words = aid.choices("fetch Item ", at: 11).all
    #expect(words.allSatisfy { !$0.meaning.isEmpty }, "\(words)")
    let statements = aid.choices("", at: 0).all
    #expect(statements.count == StatementCatalog.all.count)
    #expect(statements.allSatisfy { !$0.meaning.isEmpty }, "\(statements)")
    let values = aid.choices("fetch MemoDate where category == ", at: 33).all
    #expect(
      values.first == Choice("\"Private\" ", label: "\"Private\"", meaning: "×2", endsWord: true))
  }

  /// Returns the roles of a text, a letter for each byte: `s` for statement, capitals for errors.
  private func roles(_ text: String, cursor: Int = -1) -> String {
    let names: [TextRole: Character] = [
      .plain: ".", .statement: "s", .keyword: "k", .entity: "e", .key: "a", .variable: "v",
      .function: "f", .string: "t", .number: "n", .comment: "c", .setting: "#", .broken: "!",
      .bracket: "b",
    ]
    var roles = [Character](repeating: ".", count: text.utf8.count)
    for part in aid.parts(text, cursor: cursor) {
      for place in part.range { roles[place] = part.isWrong ? "X" : names[part.role, default: "?"] }
    }
    return String(roles)
  }

  @Test(
    "each part has its colour",
    arguments: [
      ("count Item", "sssss.eeee"),
      ("fetch Tag where name == \"x\"", "sssss.eee.kkkkk.aaaa....ttt"),
      ("fetch Tag where nam == \"x\"", "sssss.eee.kkkkk.XXX....ttt"),
      ("print year($old) -- of it", "sssss.ffff.vvvv.ccccccccc"),
      ("fetch limit where sort > 1 sort sort", "sssss.eeeee.kkkkk.aaaa...n.kkkk.aaaa"),
      ("print \"x", "sssss.X!"), (".mode json", "##########"),
      ("count Item;\n.mode json", "sssss.eeee..##########"),
      ("fetch Nowhere where x == 1", "sssss.XXXXXXX.kkkkk......n"),
      ("print 1.5 + 0x1F", "sssss.nnn...nnnn"),
      ("update Tag set name += \"x\" all", "ssssss.eee.kkk.XXXX....ttt.kkk"),
      ("update Tag set objectID = 5 all", "ssssss.eee.kkk.XXXXXXXX...n.kkk"),
      ("insert Tag objectID = 5", "ssssss.eee............n"),
    ])
  func colors(_ text: String, _ expected: String) {
    #expect(roles(text) == expected)
  }

  @Test("brackets are matched, and one without a counterpart is wrong")
  func brackets() {
    #expect(roles("print (1 + (2))", cursor: 6) == "sssss.bn....n.b")
    #expect(roles("print (1 + (2))", cursor: 12) == "sssss..n...bnb.")
    #expect(roles("print (1", cursor: 6).contains("!"))
  }

  @Test("an error at the cursor is shown, except in the word that is being typed")
  func notices() {
    let text = "fetch Tag where titel == 1 AND name == 2"
    #expect(aid.notice(text, cursor: 18).hasPrefix("Tag has no key \"titel\""))
    #expect(aid.notice(text, cursor: 2) == "")
    #expect(aid.notice("fetch Tag where nam", cursor: 19) == "")
    #expect(aid.notice("fetch Tag where nam and", cursor: 18) != "")
  }

  @Test("a blank line below an incomplete statement shows what is missing")
  func expectation() {
    for text in ["show Item/4", "unwatch", "diff 1", "fetch Tag where", "print (1", "print 1 \\"] {
      let output = aid.notice(text + "\n", cursor: text.utf8.count + 1)
      #expect(!output.isEmpty, "\(text)")
      #expect(aid.notice(text + "\n  ", cursor: text.utf8.count + 3) == output)
    }
    #expect(aid.notice("count Tag\n", cursor: 10) == "")
    session.run(".highlight off")
    #expect(aid.notice("show Item/4\n", cursor: 12).hasPrefix("expected \"as\""))
  }

  @Test(
    "a cursor after the brace of a model's statement is in another statement",
    arguments: [
      ("entity A { b: string; c: integer } count It⌷", ["Item"]),
      ("entity A { b: string } entity B { c: str⌷", ["string"]),
      ("entity A { b: string; c: It⌷", ["Item"]),
    ])
  func behindBrace(_ text: String, _ expected: [String]) {
    #expect(choices(text) == expected)
  }

  @Test(
    "a hint is what most likely follows",
    arguments: [
      ("fet", "ch "), ("fetch Mem", "oDate "), ("fetch Tag wh", "ere "),
      ("fetch Tag group ", "by "),
      ("fetch Tag where na", "me"), ("", ""), ("fetch Tag where name == \"", ""), ("xyz", ""),
    ])
  func hints(_ text: String, _ hint: String) {
    #expect(aid.hint(text) == hint)
  }

  @Test("every beginning of every example can be examined with the cursor anywhere")
  func anyBeginning() {
    var random = SeededNumbers(seed: 3)
    for syntax in StatementCatalog.all {
      let text = Array(syntax.example)
      for length in 0...text.count {
        var beginning = String(text.prefix(length))
        if random.oneIn(3) {
          beginning += random.pick(["(", "\"", " ", "誕", ".", "[", "{", ";\n", "$", "//"])
        }
        let cursor = random.below(beginning.utf8.count + 1)
        let parts = aid.parts(beginning, cursor: cursor)
        #expect(
          zip(parts, parts.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
        #expect(parts.allSatisfy { $0.range.upperBound <= beginning.utf8.count })
        _ = aid.notice(beginning, cursor: cursor)
        _ = aid.hint(beginning)
        let found = aid.choices(beginning, at: cursor)
        #expect(0...cursor ~= found.start)
      }
    }
  }

  @Test("a menu's warnings are not shown with the next statement")
  func silent() {
    _ = aid.choices("fetch Item where parentCategory.name == \"", at: 41)
    _ = aid.parts("fetch Item where tags.name == \"x\"", cursor: 0)
    #expect(session.remarks.warnings.take().isEmpty)
  }

  @Test("operators have help in their places")
  func operatorHelp() {
    #expect(aid.help("fetch Tag where name == 1", cursor: 22).hasPrefix("== !="))
    #expect(aid.help("fetch Tag where name == 1", cursor: 18).hasPrefix("name\n"))
    #expect(aid.help("fetch Tag where name ==", cursor: 23).hasPrefix("== !="))
    #expect(aid.help("fetch Tag where (", cursor: 17) == "")
  }

  @Test("a failed text is not a hint until it succeeds")
  func failures() {
    var lines = ["fetch Nowhere", "count Tag"][...]
    _ = session.converse(Conversation { _ in lines.popFirst().map { .text($0) } ?? .end })
    #expect(aid.hasFailed("fetch Nowhere") && !aid.hasFailed("count Tag"))
  }

  @Test("settings switch hints off")
  func off() {
    session.run(".hints off\n.highlight off\n.completion off")
    #expect(aid.hint("fet") == "" && !aid.hintsHistory && !aid.completes)
    #expect(aid.parts("count Item", cursor: 0) == [])
    #expect(aid.notice("fetch Tag where nam and", cursor: 18) == "")
  }

  @Test(
    "the prompt shows the place",
    arguments: [
      ("count Tag", "dates> "), ("insert Tag name = \"x\"", "dates*> "),
      ("begin edit", "dates/edit> "), ("begin edit\ninsert Tag name = \"x\"", "dates/edit*> "),
      (".prompt \"%% %s 蔵> \"", "% dates 蔵> "), (".prompt x\n.prompt default", "dates> "),
    ])
  func prompts(_ script: String, _ prompt: String) {
    session.run("save\n" + script)
    let found = session.takePrompt(isContinuation: false)
    #expect(found.first == prompt)
    #expect(session.takePrompt(isContinuation: true).first == found.continuation)
  }

  @Test("a long name leaves space on a narrow terminal")
  func narrowPrompt() {
    let pattern = PromptPattern.standard
    let name = String(repeating: "長い名前", count: 9)
    #expect(
      pattern.filled(store: name, scratches: ["x"], hasChanges: true, columns: 40)
        == "長い名前…/x*> ")
  }
}
