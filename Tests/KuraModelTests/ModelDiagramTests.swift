import Foundation
import KuraDiagnostics
import KuraModel
import KuraValues
import Testing

@Suite struct ModelDiagramTests {
  let model = Sample.model(
    """
    {"entities": {
      "Category": {"relationships": {"items": {"destination": "Item", "toMany": true,
        "inverse": "parent"}}},
      "Item": {"abstract": true, "attributes": {"due \\"x\\"": {"type": "date", "optional": true}},
        "relationships": {"parent": {"destination": "Category", "optional": false,
          "inverse": "items"}, "next": {"destination": "Item"}}},
      "Task": {"parent": "Item", "relationships": {"peers": {"destination": "Task",
        "toMany": true, "inverse": "peers", "minCount": 2, "maxCount": 5}}}}}
    """)

  @Test func mermaid() {
    let text = """
      classDiagram
        class e0["Category"]
        class e1["Item"] {
          <<abstract>>
          due #34;x#34;: date?
        }
        class e2["Task"]
        e1 <|-- e2
        e0 "1" -- "*" e1 : items / parent
        e1 --> "0..1" e1 : next
        e2 "2..5" -- "2..5" e2 : peers

      """
    #expect(model.mermaid == text)
  }

  @Test func dot() {
    let text = #"""
      digraph model {
        node [shape=record]
        edge [fontsize=10]
        e0 [label="{Category|}"]
        e1 [label="{«abstract»\ Item|due\ \"x\":\ date?\l}"]
        e2 [label="{Task|}"]
        e2 -> e1 [arrowhead=empty]
        e0 -> e1 [label="items / parent", taillabel="1", headlabel="*", dir=none]
        e1 -> e1 [label="next", headlabel="0..1"]
        e2 -> e2 [label="peers", taillabel="2..5", headlabel="2..5", dir=none]
      }

      """#
    #expect(model.dot == text)
  }
}

extension ModelDiagramTests {
  @Test func boxesAreJoinedByLines() {
    let text = """
      ┌─ Category ───────┐
      │ items: [Item]    ├────┐
      └──────────────────┘    │
      ┌─ Item (abstract) ┬<|┬─┼─┐
      │ due "x": date?   │  │ │ │
      │ parent: Category ├──┼─┘ │
      │ next: Item?      ├──┘   │
      └──────────────────┘      │
      ┌─ Task ───────────┬<─┐   │
      │ is Item          ├──┼───┘
      │ peers: [Task]    ├──┘
      └──────────────────┘

      """
    #expect(model.boxes(width: 31) == text)
    #expect(model.boxes(width: 24).contains("│ items: [Item] inver… │"))
    for width in 1...60 {
      for line in model.boxes(width: width).split(separator: "\n") {
        #expect(DisplayWidth().cells(String(line)) <= max(width, 7), "at \(width): \(line)")
      }
    }
    let wide = model.boxes(width: nil, measure: DisplayWidth(ambiguousIsWide: true))
    #expect(wide.contains("+- Category ") && !wide.contains("─"))
  }

  @Test func boxesOfJapaneseNamesLineUp() {
    let model = Sample.model(
      """
      {"entities": {"区分": {"relationships": {"項目": {"destination": "項目", "toMany": true,
        "inverse": "区分"}}}, "項目": {"attributes": {"題名": {"type": "string"}},
        "relationships": {"区分": {"destination": "区分", "inverse": "項目"}}}}}
      """)
    #expect(
      model.boxes(width: 80) == """
        ┌─ 区分 ───────┐
        │ 項目: [項目] ├──┐
        └──────────────┘  │
        ┌─ 項目 ───────┐  │
        │ 題名: string │  │
        │ 区分: 区分?  ├──┘
        └──────────────┘

        """)
    #expect(Model().boxes(width: 10) == "")
  }

  @Test func aPictureIsDarkWhereItsReaderIs() {
    #expect(model.svg.contains("@media (prefers-color-scheme: dark)"))
  }

  @Test func aPictureIsWellFormedAndShowsEachName() throws {
    let svg = model.svg
    let elements = svg.split(separator: "<").filter { !$0.hasPrefix("/") && !$0.contains("/>") }
    #expect(elements.count == svg.components(separatedBy: "</").count - 1)
    for text in ["Category", "due \"x\": date?", "items / parent", "peers 2..5", "0..1"] {
      #expect(svg.contains(text), "\(text)")
    }
    #expect(Model(entities: [Entity(name: "<&>")]).svg.contains(">&lt;&amp;&gt;</text>"))
    #expect(Model().svg.hasSuffix("</svg>\n"))
  }

  @Test(arguments: ModelFormat.allCases)
  func eachFormatPrintsTheModel(_ format: ModelFormat) {
    #expect(model.text(as: format, in: .utc).contains("Category"))
    #expect(model.text(as: format, in: .utc).hasSuffix("\n"))
  }
}
