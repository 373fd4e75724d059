import KuraBytes
import KuraGraph
import KuraSentences
import KuraValues

/// A test of the rows of a whole chunk. It gives the reference evaluator's answer, or leaves a row to the evaluator.
protocol ChunkKernel: Sendable {
  /// The description for `explain`: `range over priority`.
  var method: String { get }
  /// The approximate number of nanoseconds that a row takes.
  var cost: Double { get }
  /// Whether it never leaves a row to the reference evaluator.
  var neverFallsBack: Bool { get }
  /// The filters of other tables that it needs.
  var parts: [Filter] { get }
  /// Returns the rows that pass, and the rows that it leaves to the reference evaluator. Rows that are not candidates
  /// may get any answer.
  func answer(_ rows: ChunkRows) -> KernelAnswer
  /// Prepares for the first chunk.
  func prepare()
  /// The counts of its parts.
  var tally: FilterTally { get }
  /// Returns the share of a table's rows that pass, estimated from a sample; nil if it is unknown.
  func share(of sample: RowSample) -> Double?
}

/// A kernel that never leaves a row to the reference evaluator.
protocol NoFallbackKernel: ChunkKernel {
  /// Returns the rows that pass. Rows that are not candidates may get any answer.
  func matches(_ rows: ChunkRows) -> Bitmap
}

extension NoFallbackKernel {
  var neverFallsBack: Bool { true }
  func answer(_ rows: ChunkRows) -> KernelAnswer { KernelAnswer(passing: matches(rows)) }
}

/// A kernel that reads one column.
protocol ColumnKernel: ChunkKernel {
  var column: Int { get }
}

extension ColumnKernel {
  func share(of sample: RowSample) -> Double? { sample.share(passing: self) }
}

extension ChunkKernel {
  var parts: [Filter] { [] }
  var tally: FilterTally { FilterTally() }
  func prepare() {}
  func share(of sample: RowSample) -> Double? { nil }
}

struct KernelAnswer {
  var passing: Bitmap
  /// The rows that only the reference evaluator can judge; nil if there are none.
  var fallback: Bitmap?
}

/// A chunk of a table, and the candidates among its rows.
struct ChunkRows {
  let table: Table
  let number: Int
  let candidates: Bitmap

  /// The number of rows in the chunk.
  var count: Int { candidates.count }

  func chunk(_ column: Int) -> ColumnChunk { table.columns[column].chunks[number] }

  /// Whether reading each candidate is faster than reading all rows.
  var areFew: Bool { candidates.popcount * 64 < count }
}

/// `title MATCHES "(a|b)\\1"`: asks ICU for each row if no automaton can answer.
///
/// A match that exceeds ICU's limits is left to the reference evaluator, which reports it.
struct ExpressionKernel: ColumnKernel {
  let column: Int
  let key: String
  let expression: RegularExpression
  let cancel: CancelFlag
  /// A literal in the folded bytes of every matching text; if nil, every text is tested.
  var literal: [UInt8]?

  var method: String {
    literal == nil
      ? localized("regular expression over \(key)")
      : localized("regular expression over \(key), searching for its longest literal")
  }
  var cost: Double { literal == nil ? 300 : 10 }
  var neverFallsBack: Bool { false }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let chunk = rows.chunk(column)
    var answer = KernelAnswer(passing: Bitmap(count: chunk.count))
    guard case .text(let text) = chunk.values else { return answer }
    rows.candidates(with: literal, chunk, text).eachRow { row in
      guard !cancel.isRequested, !chunk.isNull(row) else { return }
      do throws(ValueError) {
        answer.passing[row] = try expression.matches(text.string(row), cancel: cancel)
      } catch {
        answer.leave(row)
      }
    }
    return answer
  }
}

extension ChunkRows {
  /// Returns the rows that may have a literal in their folded bytes, and the rows in which the folded bytes do not
  /// decide.
  func candidates(
    with literal: [UInt8]?, _ chunk: ColumnChunk, _ text: TextChunk
  ) -> Bitmap {
    guard let literal, !areFew, let folded = chunk.folded(atUse: 1) else { return candidates }
    var result = Bitmap(words: folded.recomposed, count: chunk.count)
    for row in text.patch.keys { result[row] = true }
    TextBytes.find(.contains, literal, folded.bytes, folded.ends) { result.insert($0) }
    result.formIntersection(candidates)
    return result
  }
}

extension ExpressionKernel {
  /// Returns the longest literal that a pattern requires, in folded bytes; nil if ICU may match other letters.
  static func literal(_ pattern: String) -> [UInt8]? {
    let fold = TextFold.of([.caseInsensitive, .diacriticInsensitive])
    guard pattern.utf8.allSatisfy({ $0 < 0x80 }),
      let literal = RegularSyntax(pattern)?.requiredLiteral,
      let folded = literal.withUnsafeBufferPointer({ fold?.folded($0) }),
      // The long s and the Kelvin sign are letters too.
      !folded.contains(0x73) || fold?.folded(0x17F) == 0x73
    else { return nil }
    return folded
  }
}

extension KernelAnswer {
  fileprivate mutating func leave(_ row: Int) {
    if fallback == nil { fallback = Bitmap(count: passing.count) }
    fallback?[row] = true
  }
}
