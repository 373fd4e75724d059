import KuraGraph
import KuraSentences
import KuraValues

/// `title LIKE[c] "*pass*7"`: searches for the longest literal, and matches the rows that contain it.
struct LikeKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  let pattern: LikePattern
  let options: TextOptions
  /// The bytes to search for; if nil, every row is matched.
  private let literal: [UInt8]?

  init(column: Int, key: String, text: String, options: TextOptions) {
    self.column = column
    self.key = key
    self.options = options
    pattern = LikePattern(text, options)
    let fold = TextFold.of([.caseInsensitive, .diacriticInsensitive])
    literal = pattern.longestLiteral.flatMap { literal in
      guard options.folds else { return literal }
      return literal.withUnsafeBufferPointer { fold?.folded($0) }
    }
  }

  var method: String {
    literal == nil
      ? localized("pattern over \(key)")
      : localized("pattern over \(key), searching for its longest literal")
  }
  var cost: Double { literal == nil ? 60 : 8 }
}

extension LikeKernel {
  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    if rows.areFew {
      rows.candidates.eachRow { result[$0] = pattern.matches(text.string($0)) }
    } else if options.folds {
      searchFolded(chunk, text, &result)
    } else {
      search(text.bytes, text.ends, &result) { _, bytes in pattern.matches(folded: bytes) }
      for row in text.patch.keys { result[row] = pattern.matches(text.string(row)) }
    }
    return result.settingNulls(chunk.nulls, to: false)
  }

  /// Searches the cached copy, which is folded under [cd]; under other options each hit is checked.
  private func searchFolded(_ chunk: ColumnChunk, _ text: TextChunk, _ result: inout Bitmap) {
    guard let folded = chunk.folded(atUse: 1) else { return }
    let isBoth = options.contains([.caseInsensitive, .diacriticInsensitive])
    let isCase = options.contains(.caseInsensitive)
    search(folded.bytes, folded.ends, &result) { row, bytes in
      isBoth || (isCase && !folded.isMarked(row))
        ? pattern.matches(folded: bytes) : pattern.matches(text.string(row))
    }
    for row in text.patch.keys { result[row] = pattern.matches(text.string(row)) }
  }

  private func search(
    _ bytes: [UInt8], _ ends: [UInt32], _ result: inout Bitmap,
    _ test: (Int, UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    bytes.withUnsafeBufferPointer { buffer in
      func ask(_ row: Int) {
        let start = row == 0 ? 0 : Int(ends[row - 1])
        let text = UnsafeBufferPointer(rebasing: buffer[start..<Int(ends[row])])
        if test(row, text) { result.insert(row) }
      }
      if let literal {
        TextBytes.find(.contains, literal, bytes, ends, ask)
      } else {
        for row in ends.indices { ask(row) }
      }
    }
  }
}

/// `title MATCHES "Renew .* 1[0-9]*"`: searches for the literal that the pattern requires, and runs the rows that
/// contain it through an automaton.
struct MatchKernel: ColumnKernel {
  let column: Int
  let key: String
  let automaton: Automaton
  let literal: [UInt8]?

  /// Returns nil for patterns that are not regular, or need too many states.
  init?(column: Int, key: String, text: String) {
    guard let syntax = RegularSyntax(text), let automaton = Automaton(syntax) else { return nil }
    self.column = column
    self.key = key
    self.automaton = automaton
    // Many texts contain a single byte; their first and last bytes exclude more rows.
    literal = syntax.requiredLiteral.flatMap { $0.count > 1 ? $0 : nil }
  }

  var method: String {
    literal == nil
      ? localized("automaton over \(key)")
      : localized("automaton over \(key), searching for its longest literal")
  }
  var cost: Double { literal == nil ? 40 : 10 }
  var neverFallsBack: Bool { automaton.neverFallsBack }

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
        TextViews(bytes: text.bytes, ends: text.ends).withAccess {
          automaton.mayMatch($0, among: rows.candidates)
        }.eachRow(ask)
      }
    }
    for (row, patched) in text.patch {
      patched.withUnsafeBufferPointer {
        answer.note(automaton.matches($0, $0.indices), row)
      }
    }
    answer.passing = answer.passing.settingNulls(chunk.nulls, to: false)
    answer.fallback = answer.fallback?.settingNulls(chunk.nulls, to: false)
    return answer
  }
}

extension KernelAnswer {
  mutating func note(_ result: Bool?, _ row: Int) {
    passing[row] = result == true
    if result == nil, fallback == nil { fallback = Bitmap(count: passing.count) }
    fallback?[row] = result == nil
  }
}
