import KuraModel
import KuraValues
import Testing

@Suite struct ModelTextTests {
  let model = Sample.model(Sample.todo)

  @Test func theModelIsPrintedAsStatements() {
    let text = #"""
      entity Category {
        name: string unique
        items: [Item] inverse parentCategory delete cascade
      }
      entity Item {
        title: string min 1 matches "\\S.*"
        done: boolean = NO
        dueDate: date? min "1935-06-11" max "2100-01-01T12:00:00+09:00"
        price: decimal = 0.1
        weight: float = 0.1
        icon: binary = "5piv"
        extra: json = {"a": [1, null, "誕"]}
        parentCategory: Category? inverse items
        tags: [Tag] inverse items
        unique (title, parentCategory)
      }
      entity Tag {
        #"first name": string
        items: [Item] inverse tags
      }
      entity Task: Item {
        priority: integer = 0 min 0 max 5
        steps: [Task] ordered min 1 max 9
      }
      abstract entity Base { }
      request Birthdays() = fetch MemoDate where title CONTAINS "誕生日" sort date

      """#
    #expect(model.statements(in: Sample.tokyo) == text)
  }

  @Test func parentsStandBeforeTheirChildren() {
    let model = Model(entities: [
      Entity(name: "C", parent: "B"), Entity(name: "B", parent: "A"), Entity(name: "A"),
    ])
    let text = "entity A { }\nentity B: A { }\nentity C: B { }\n"
    #expect(model.statements(in: .utc) == text)
  }

  @Test func aRequestOfSeveralLinesGoesOnWhereItIsIndented() {
    let request = SavedRequest(
      name: "R", text: "($a)\n\n= fetch Item -- all\nwhere x == $a\n    sort x")
    #expect(request.statement == "request R($a)\n  = fetch Item -- all\n  where x == $a\n  sort x")
  }

  @Test(arguments: [
    ("title", "title"), ("メモ", "メモ"), ("like", "#like"), ("Like", "#Like"), ("date", "#date"),
    ("Date", "Date"), ("first name", "#\"first name\""), ("1st", "#\"1st\""), ("_", "#\"_\""),
    ("_x", "_x"), ("a\"b\\", #"#"a\"b\\""#), ("a\nb", #"#"a\nb""#),
    ("sales-2024", "#\"sales-2024\""),
    ("fetch", "fetch"), ("か\u{3099}", "か\u{3099}"), ("😀", "#\"😀\""),
  ])
  func aNameIsWrittenSoThatItReadsBack(_ name: String, _ text: String) {
    #expect(StatementText.name(name) == text)
  }

  @Test func aStringStaysOnItsLine() {
    #expect(StatementText.string("a\r\n\t\0\u{2028}誕") == #""a\r\n\t\u0000\u2028誕""#)
  }

  @Test func describeShowsInheritedKeysFirst() {
    let rows = model.description(of: "Task", in: Sample.tokyo)
    #expect(rows.map(\.key).prefix(2) == ["title", "done"])
    #expect(rows.first?.inheritedFrom == "Item")
    let priority = rows.first { $0.key == "priority" }
    #expect(priority?.type == "integer")
    #expect(priority?.rules == "= 0 min 0 max 5")
    #expect(priority?.inheritedFrom == nil)
    #expect(model.description(of: "Category", in: .utc)[0].rules == "unique")
    #expect(model.description(of: "nobody", in: .utc) == [])
  }
}
