import KuraGraph
import KuraValues

/// `title MATCHES "Renew .* 1[0-9]*"`: the literal that it requires is searched, and the rows with
/// it are run through an automaton.
struct MatchKernel: ColumnKernel {
  let column: Int
  let key: String
  let automaton: Automaton
  let literal: [UInt8]?

  /// Nil for what is not regular, and for what needs more states than are worth it.
  init?(column: Int, key: String, text: String) {
    guard let syntax = RegularSyntax(text), let automaton = Automaton(syntax) else { return nil }
    self.column = column
    self.key = key
    self.automaton = automaton
    literal = syntax.requiredLiteral
  }

  var method: String {
    literal == nil
      ? "automaton over \(key)" : "automaton over \(key), searching its longest literal"
  }
  var cost: Double { literal == nil ? 40 : 10 }
  var isSure: Bool { automaton.isSure }

  func matches(_ rows: ChunkRows) -> Bitmap { answer(rows).passing }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let chunk = rows.chunk(column)
    var answer = KernelAnswer(passing: Bitmap(count: chunk.count))
    guard case .text(let text) = chunk.values else { return answer }
    text.bytes.withUnsafeBufferPointer { bytes in
      func ask(_ row: Int) {
        answer.note(automaton.matches(bytes, text.packedRange(row)), row)
      }
      if rows.areFew {
        rows.candidates.eachRow(ask)
      } else if let literal {
        TextBytes.find(.contains, literal, text.bytes, text.ends, ask)
      } else {
        for row in 0..<text.count { ask(row) }
      }
    }
    for (row, patched) in text.patch {
      patched.withUnsafeBufferPointer {
        answer.note(automaton.matches($0, $0.indices), row)
      }
    }
    answer.passing = answer.passing.settingNulls(chunk.nulls, to: false)
    answer.unsure = answer.unsure?.settingNulls(chunk.nulls, to: false)
    return answer
  }
}

extension KernelAnswer {
  fileprivate mutating func note(_ result: Bool?, _ row: Int) {
    passing[row] = result == true
    if result == nil, unsure == nil { unsure = Bitmap(count: passing.count) }
    unsure?[row] = result == nil
  }
}
