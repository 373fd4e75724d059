import KuraValues
import TestSupport
import Testing

@testable import KuraRendering

@Suite struct SeparatedValuesTests {
  @Test("CSV quotes according to RFC 4180, and distinguishes null from an empty text")
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

  @Test("Any text can be read back, with null and empty distinguished", arguments: ["csv", "tsv"])
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

  @Test("Cells that are read together are written like single ones", arguments: ["csv", "tsv"])
  func pieces(name: String) throws {
    var random = SeededNumbers(seed: 23)
    for hasOddTexts in [false, true] {
      let count = 2500
      let texts = (0..<count).map { row in
        hasOddTexts ? ["", "a,b", "x\ty", "\"", "誕\n生", "r\r"][random.below(6)] : "題 \(row)"
      }
      var nulls = [[Bool]](repeating: (0..<count).map { _ in random.below(4) == 0 }, count: 4)
      nulls[1] = []
      let numbers = (0..<count).map { row -> Int64 in
        [.min, .max, 0, -1, 9, 10, -99, 100, Int64(row) * 1_000_003][random.below(9)]
      }
      let pieces: [CellPiece] = [
        CellPiece(.integers(numbers), nulls: nulls[0]),
        CellPiece(.doubles(numbers.map { Double($0) / 100 }), nulls: nulls[1]),
        .texts(zip(texts.indices, texts).map { nulls[2][$0] ? "" : $1 }, nulls: nulls[2]),
        CellPiece(.booleans(numbers.map { $0 > 0 }), nulls: nulls[3]),
        CellPiece(.dates(numbers.map { $0 % 1_000_000 * 86_400_000_000 })),
      ]
      let values = pieces.map(\.values)
      let rows = (0..<count).map { row in values.map { $0[row] } }
      let columns = ["n", "d", "t", "b", "day"].map { GridColumn($0) }
      let single = Grid(columns: columns, rows: rows)
      var together = single
      together.piece = { rows, column in pieces[column].part(rows) }
      #expect(try together.text(as: .of(name)) == single.text(as: .of(name)), "\(hasOddTexts)")
    }
  }

  /// Parses according to RFC 4180, and distinguishes an empty field from a quoted empty one.
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

extension CellPiece {
  fileprivate static func texts(_ texts: [String], nulls: [Bool]) -> CellPiece {
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    for text in texts {
      bytes += text.utf8
      ends.append(bytes.count)
    }
    return CellPiece(.texts(bytes, ends: ends), nulls: nulls)
  }

  /// Returns the cells of some of the rows.
  fileprivate func part(_ rows: Range<Int>) -> CellPiece {
    let cells: Cells =
      switch cells {
      case .integers(let x): .integers(Array(x[rows]))
      case .doubles(let x): .doubles(Array(x[rows]))
      case .booleans(let x): .booleans(Array(x[rows]))
      case .dates(let x): .dates(Array(x[rows]))
      case .values(let x): .values(Array(x[rows]))
      case .texts(let bytes, let ends):
        {
          let start = rows.lowerBound == 0 ? 0 : ends[rows.lowerBound - 1]
          let end = ends[rows.upperBound - 1]
          return .texts(Array(bytes[start..<end]), ends: ends[rows].map { $0 - start })
        }()
      }
    return CellPiece(cells, nulls: nulls.isEmpty ? [] : Array(nulls[rows]))
  }
}
