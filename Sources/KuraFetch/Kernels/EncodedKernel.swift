import KuraBytes
import KuraGraph
import KuraSentences
import KuraValues

/// A test that depends on encoded values only: `year(date) == 1999`, `home.name == "Work"`. It is made once per code.
struct EncodedKernel: ChunkKernel {
  private let encoded: EncodedScope
  /// The test of the table whose rows are the codes.
  private let filter: Filter?
  private let answers: Once<Answers>
  let isSure: Bool

  private struct Answers: Sendable {
    /// One per code.
    var flags: [UInt8] = []
    var unsure: [UInt8]?
    /// The codes that pass, if they are few ranges.
    var ranges: [ClosedRange<Int64>]?
    /// The rows of the table that pass, if few do and they are found by following the links backwards.
    var rows: Bitmap?
    var tally = FilterTally()
  }

  /// `missing`: the answer for the last code, for which the table of a link has no row.
  init(_ encoded: EncodedScope, _ filter: Filter, missing: Bool?, _ cancel: CancelFlag) {
    (self.encoded, self.filter, isSure) = (encoded, filter, filter.cannotFail)
    answers = Once {
      var answers = Answers()
      let whole = filter.whole(encoded.table, cancel, &answers.tally)
      if missing == false, whole.unsure == nil, let rows = encoded.rows(leadingTo: whole.passing) {
        answers.rows = rows
        return answers
      }
      answers.flags = whole.passing.bytes + (missing.map { [$0 ? 1 : 0] } ?? [])
      answers.unsure = whole.unsure.map { $0.bytes + (missing == nil ? [] : [0]) }
      answers.ranges = answers.flags.runs(atMost: 4)
      return answers
    }
  }

  /// Asks the reference evaluator about an object for each code; nil if it fails.
  init(_ encoded: EncodedScope, _ answer: @escaping @Sendable (Value) -> Bool?) {
    (self.encoded, filter) = (encoded, nil)
    let answers = Once {
      let known = encoded.objects.map(answer)
      let flags = known.map { $0 == true ? UInt8(1) : 0 }
      return Answers(
        flags: flags,
        unsure: known.contains { $0 == nil } ? known.map { $0 == nil ? UInt8(1) : 0 } : nil,
        ranges: flags.runs(atMost: 4))
    }
    self.answers = answers
    // Few codes are asked at once, so that the test may come before others.
    isSure = encoded.encoding.count <= Self.fewCodes && answers.value.unsure == nil
  }

  private static let fewCodes = 257

  /// The filter of the table to which a link leads.
  var link: (filter: Filter, table: Int)? {
    guard encoded.links != nil, let filter else { return nil }
    return (filter, encoded.scope.place.table)
  }

  var parts: [Filter] { encoded.links == nil ? [] : filter.map { [$0] } ?? [] }
  var method: String {
    encoded.links == nil
      ? localized("distinct values of \(encoded.keys.list)") : "\(encoded.keys[0]), one"
  }
  var cost: Double { encoded.links == nil ? encoded.encoding.cost : 2 }

  func prepare() { _ = answers.value }
  var tally: FilterTally { answers.value.tally }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let answers = answers.value
    if let found = answers.rows {
      return KernelAnswer(passing: found.chunk(rows.number, count: rows.count))
    }
    let codes = encoded.encoding.codes(rows.number)
    return KernelAnswer(
      passing: answers.ranges.map { codes.rows(in: $0, nullPasses: answers.flags.last == 1) }
        ?? codes.rows(of: answers.flags),
      unsure: answers.unsure.map { codes.rows(of: $0) })
  }

  func share(of sample: RowSample) -> Double? {
    let flags = answers.value.flags
    let passing = sample.rows.count { flags[encoded.encoding.code(of: $0)] == 1 }
    return Double(passing) / Double(sample.rows.count)
  }
}

extension EncodedScope {
  /// The rows that lead to some rows of the other table; nil if there is no inverse yet, or if a pass over all links is
  /// faster.
  fileprivate func rows(leadingTo targets: Bitmap) -> Bitmap? {
    links.flatMap { graph.rows(of: $0, leadingTo: targets) }
  }
}

extension Graph {
  /// The rows of a table whose links or lists lead to some rows; nil if there is no inverse yet, or if a pass over all
  /// links is faster.
  func rows(of links: ColumnPlace, leadingTo targets: Bitmap) -> Bitmap? {
    guard let inverse = inverseIfItPays(source: links.table, column: links.column) else {
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
  /// The places of its ones as ranges; nil if there are more.
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
