import KuraBytes
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues
import Synchronization

/// A test that depends only on encoded values: `year(date) == 1999`, `home.name == "Work"`. It runs once per code.
struct EncodedKernel: ChunkKernel {
  private let encoded: EncodedScope
  /// The test for the table in which each code is a row.
  private let filter: Filter
  private let answers: LazyValue<FilterAnswers>
  let neverFallsBack: Bool

  /// `missing`: the answer for the last code, for which the destination table has no row.
  init(_ encoded: EncodedScope, _ filter: Filter, missing: Bool?, _ cancel: CancelFlag) {
    (self.encoded, self.filter, neverFallsBack) = (encoded, filter, filter.cannotFail)
    answers = LazyValue {
      var answers = FilterAnswers()
      let whole = filter.whole(encoded.table, cancel, &answers.tally)
      if missing == false, whole.fallback == nil, let links = encoded.links,
        let rows = encoded.graph.rows(of: links, leadingTo: whole.passing)
      {
        answers.rows = KernelAnswer(passing: rows)
        return answers
      }
      answers.flags = whole.passing.bytes + (missing.map { [$0 ? 1 : 0] } ?? [])
      answers.fallback = whole.fallback.map { $0.bytes + (missing == nil ? [] : [0]) }
      answers.ranges = answers.flags.runs(atMost: 4)
      return answers
    }
  }

  var link: (filter: Filter, table: Int)? {
    encoded.links == nil ? nil : (filter, encoded.scope.place.table)
  }

  var parts: [Filter] { encoded.links == nil ? [] : [filter] }
  var method: String {
    encoded.links == nil
      ? localized("distinct values of \(encoded.keys.map(\.name).list)")
      : localized("\(encoded.keys[0].name), one")
  }
  var cost: Double { encoded.links == nil ? encoded.encoding.cost : 2 }

  /// Prepares only links: a table of codes is small, and there may be no candidates left when it is needed.
  func prepare() { if encoded.links != nil { _ = answers.value } }
  var tally: FilterTally { answers.value.tally }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let answers = answers.value
    if let found = answers.rows { return found.chunk(rows) }
    let codes = encoded.encoding.codes(rows.number)
    return KernelAnswer(
      passing: answers.ranges.map { codes.rows(in: $0, nullPasses: answers.flags.last == 1) }
        ?? codes.rows(of: answers.flags),
      fallback: answers.fallback.map { codes.rows(of: $0) })
  }

  func share(of sample: RowSample) -> Double? {
    let flags = answers.value.flags
    let passing = sample.rows.count { flags[encoded.encoding.code(of: $0)] == 1 }
    return Double(passing) / Double(sample.rows.count)
  }
}

/// A test of encoded values without a kernel: the reference evaluator answers once for each code that a candidate has.
struct EvaluatedCodesKernel: ChunkKernel {
  private let encoded: EncodedScope
  private let known: KnownAnswers
  let neverFallsBack: Bool

  /// `ask` returns nil if the evaluator fails.
  init(_ encoded: EncodedScope, _ ask: @escaping @Sendable (Value) -> Bool?) {
    self.encoded = encoded
    let count = encoded.encoding.count
    known = KnownAnswers(count) { ask(encoded.object($0)) }
    // A small number of codes is evaluated at once, so that the test can run before other tests.
    neverFallsBack =
      count <= EncodedScope.fewCodes && !known.answers(to: 0..<UInt32(count)).contains(.fails)
  }

  var method: String { localized("distinct values of \(encoded.keys.map(\.name).list)") }
  var cost: Double { neverFallsBack ? encoded.encoding.cost : 50 }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let codes = encoded.encoding.codes(rows.number).numbers
    var wanted: Set<UInt32> = []
    rows.candidates.eachRow { wanted.insert(codes[$0]) }
    let answers = known.answers(to: wanted)
    var answer = KernelAnswer(passing: Bitmap(count: rows.count))
    rows.candidates.eachRow { row in
      switch answers[Int(codes[row])] {
      case .yes: answer.passing.insert(row)
      case .fails: answer.note(nil, row)
      case .no, .unknown: break
      }
    }
    return answer
  }
}

/// The answers of the reference evaluator by code, shared by all threads.
private final class KnownAnswers: Sendable {
  enum Answer: Sendable { case unknown, no, yes, fails }

  private let answers: Mutex<[Answer]>
  private let ask: @Sendable (Int) -> Bool?

  init(_ count: Int, _ ask: @escaping @Sendable (Int) -> Bool?) {
    answers = Mutex(Array(repeating: .unknown, count: count))
    self.ask = ask
  }

  /// Returns the answers by code; at least the given codes are known.
  func answers(to codes: some Sequence<UInt32>) -> [Answer] {
    let known = answers.withLock { $0 }
    let evaluated = codes.filter { known[Int($0)] == .unknown }.map { code in
      (Int(code), ask(Int(code)).map { $0 ? Answer.yes : .no } ?? .fails)
    }
    return answers.withLock { answers in
      for (code, answer) in evaluated { answers[code] = answer }
      return answers
    }
  }
}

extension EncodedScope {
  /// The maximum number of codes that are all evaluated at once.
  static let fewCodes = 257

  /// Returns the values of a code as an object with only these keys.
  func object(_ code: Int) -> Value {
    .dictionary(
      ValueDictionary(
        keys.compactMap { key in
          guard case .attribute(let column, _)? = graph.slot(key, of: scope.place) else {
            return nil
          }
          return (key.name, table.columns[column].value(code))
        }))
  }
}

extension Graph {
  /// Returns the rows of a table with links or lists that lead to some rows; nil if there is no inverse yet, or if a
  /// pass over all links is faster.
  func rows(of links: ColumnPlace, leadingTo targets: Bitmap) -> Bitmap? {
    guard let inverse = inverseIfWorthwhile(source: links.table, column: links.column) else {
      return nil
    }
    let count = tables[links.table].count
    var total = 0
    targets.eachRow { total += inverse[$0].count }
    guard total < count / 4 else { return nil }
    var result = Bitmap(count: count)
    targets.eachRow { for source in inverse[$0] { result.insert(Int(source)) } }
    return result
  }
}

extension Bitmap {
  /// One byte per bit, 0 or 1.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBufferPointer { bytes in eachRow { bytes[$0] = 1 } }
    return bytes
  }
}

extension [UInt8] {
  /// Returns the ranges of consecutive ones; nil if there are more than `most`.
  fileprivate func runs(atMost most: Int) -> [ClosedRange<Int64>]? {
    var runs: [ClosedRange<Int64>] = []
    for (place, one) in enumerated() where one == 1 {
      let place = Int64(place)
      if let last = runs.last, last.upperBound == place - 1 {
        runs[runs.count - 1] = last.lowerBound...place
      } else if runs.count == most {
        return nil
      } else {
        runs.append(place...place)
      }
    }
    return runs
  }
}
