import KuraGraph
import KuraSentences

/// `year(date) == 1999`, `priority * priority > 9`: asked once for each number that a column can have.
struct NumbersKernel: ChunkKernel {
  let key: String
  let isSure: Bool
  private let narrow: NarrowColumn
  private let answers: Once<CodeAnswers>

  /// `filter`: answers for a table whose rows are the numbers; `nullPasses`: for rows without one.
  init(
    key: String, _ narrow: NarrowColumn, _ filter: Filter, _ numbers: Table, nullPasses: Bool
  ) {
    (self.key, self.narrow) = (key, narrow)
    isSure = filter.cannotFail
    answers = Once { CodeAnswers(filter.whole(numbers), nullPasses: nullPasses) }
  }

  var method: String { localized("distinct values of \(key)") }
  var cost: Double { 1 }

  func matches(_ rows: ChunkRows) -> Bitmap { answer(rows).passing }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let answers = answers.value
    let (part, offset) = (narrow.parts[rows.number], narrow.offsets[rows.number])
    let nulls = narrow.column.chunks[rows.number].nulls
    let unsure = answers.unsure.map {
      part.rows($0, offset).settingNulls(nulls, to: false)
    }
    return KernelAnswer(
      passing: answers.passing(part, offset).settingNulls(nulls, to: answers.nullPasses),
      unsure: unsure)
  }

  func share(of sample: RowSample) -> Double? { nil }
}

/// The answers for all codes of a column.
private struct CodeAnswers: Sendable {
  let nullPasses: Bool
  /// By code, as bytes
  let unsure: [UInt8]?
  private let passes: [UInt8]
  /// The codes that pass, where they are few ranges.
  private let ranges: [ClosedRange<Int64>]?

  init(_ answer: KernelAnswer, nullPasses: Bool) {
    self.nullPasses = nullPasses
    unsure = answer.unsure?.bytes
    passes = answer.passing.bytes
    ranges = passes.runs(atMost: 4)
  }

  func passing(_ part: NarrowIntegers, _ offset: Int) -> Bitmap {
    guard let ranges else { return part.rows(passes, offset) }
    let low = Int64(offset)
    let shifted = ranges.filter { $0.upperBound >= low }.map {
      max(0, $0.lowerBound - low)...($0.upperBound - low)
    }
    return switch part.codes {
    case .bytes(let codes): Bitmap(codes, in: shifted.clamped())
    case .words(let codes): Bitmap(codes, in: shifted.clamped())
    }
  }
}

extension Bitmap {
  /// One byte for each bit, 0 or 1.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    eachRow { bytes[$0] = 1 }
    return bytes
  }
}

extension [UInt8] {
  /// Where its ones stand, as ranges; nil where these are more.
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

extension NarrowIntegers {
  /// The rows whose code, a number more, has a one.
  fileprivate func rows(_ ones: [UInt8], _ offset: Int) -> Bitmap {
    ones.withUnsafeBufferPointer { ones in
      let ones = UnsafeBufferPointer(rebasing: ones[offset...])
      return switch codes {
      case .bytes(let codes): Bitmap(codes) { ones[Int($0)] == 1 }
      case .words(let codes): Bitmap(codes) { ones[Int($0)] == 1 }
      }
    }
  }
}
