import KuraGraph

/// Texts that were tested once for each distinct one.
struct DictionaryKernel: ColumnKernel {
  let column: Int
  let key: String
  /// The answer for each code.
  let passes: [Bool]
  let nullPasses: Bool
  /// The codes that pass, as few ranges; nil if they are many.
  private let ranges: [ClosedRange<Int64>]?

  init(column: Int, key: String, passes: [Bool], nullPasses: Bool) {
    self.column = column
    self.key = key
    self.passes = passes
    self.nullPasses = nullPasses
    ranges = DictionaryKernel.runs(passes)
  }

  var method: String { "distinct values of \(key)" }
  var cost: Double { 0.5 * Double(ranges?.count ?? 2) }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    let result: Bitmap
    switch (chunk.values, ranges) {
    case (.bytes(let codes), let ranges?): result = Bitmap(codes, in: ranges.clamped())
    case (.codes(let codes), let ranges?): result = Bitmap(codes, in: ranges.clamped())
    case (.bytes(let codes), nil): result = Bitmap(codes) { passes[Int($0)] }
    case (.codes(let codes), nil): result = Bitmap(codes) { passes[Int($0)] }
    case (.integers, _), (.doubles, _), (.text, _), (.links, _), (.linkLists, _):
      result = Bitmap(count: chunk.count)
    }
    return result.settingNulls(chunk.nulls, to: nullPasses)
  }

  private static func runs(_ passes: [Bool]) -> [ClosedRange<Int64>]? {
    var runs: [ClosedRange<Int64>] = []
    for (code, pass) in passes.enumerated() where pass {
      let code = Int64(code)
      if let last = runs.last, last.upperBound == code - 1 {
        runs[runs.count - 1] = last.lowerBound...code
      } else if runs.count == 4 {
        return nil
      } else {
        runs.append(code...code)
      }
    }
    return runs
  }
}
