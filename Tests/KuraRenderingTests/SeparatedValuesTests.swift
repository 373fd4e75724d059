import KuraRendering
import KuraValues
import TestSupport
import Testing

@Suite struct SeparatedValuesTests {
  @Test("CSV quotes after RFC 4180, and keeps null and an empty text apart")
  func csv() throws {
    #expect(
      try Grid.memos.text(as: .of("csv"), RenderingOptions(nullText: "–", width: 20)) == """
        objectID,title,category,date,notifiable,price
        MemoDate/1,父の誕生日,Family,1935-06-11,true,12
        MemoDate/2,"か\u{3099}くせいの日, ""X\""",,,false,2.0
        MemoDate/10,"👨‍👩‍👧 at home
        and | away","",2010-07-20,,0.10000000000000000001

        """)
  }

  @Test("TSV is CSV with tabs")
  func tsv() throws {
    let grid = Grid(
      columns: [GridColumn("a"), GridColumn("b"), GridColumn("c")],
      rows: [[.string("x,y"), .null, .string("")], [.string("x\ty"), .string("\"")]])
    #expect(try grid.text(as: .of("tsv")) == "a\tb\tc\nx,y\t\t\"\"\n\"x\ty\"\t\"\"\"\"\t\n")
  }

  @Test("Whatever text is written comes back, null and empty apart", arguments: ["csv", "tsv"])
  func roundTrip(name: String) throws {
    let seed: UInt64 = 17
    var random = SeededNumbers(seed: seed)
    let alphabet = ["a", ",", "\t", "\"", "\n", "\r", "誕", " ", "か\u{3099}"]
    let rows: [[String?]] = (0..<300).map { _ in
      (0..<3).map { _ in
        guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
        let count = Int.random(in: 0..<5, using: &random)
        return (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }.joined()
      }
    }
    let values = rows.map { row in row.map { $0.map(Value.string) ?? .null } }
    let grid = Grid(columns: ["a", "b", "c"].map { GridColumn($0) }, rows: values)
    let text = try grid.text(as: .of(name))
    let read = fields(of: text, separatedBy: name == "csv" ? "," : "\t").dropFirst()
    #expect(Array(read) == rows, "seed \(seed)")
  }

  /// A reader after RFC 4180 that tells an empty field from a quoted empty one.
  private func fields(of text: String, separatedBy separator: Unicode.Scalar) -> [[String?]] {
    var rows: [[String?]] = [[]]
    var field: String?
    var isQuoted = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"":
        if !isQuoted, let open = field { field = open + "\"" }
        isQuoted.toggle()
        field = field ?? ""
      case separator where !isQuoted, "\n" where !isQuoted:
        rows[rows.count - 1].append(field)
        field = nil
        if scalar == "\n" { rows.append([]) }
      default: field = (field ?? "") + String(scalar)
      }
    }
    return rows.dropLast()
  }
}
