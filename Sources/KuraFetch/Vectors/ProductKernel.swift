import KuraGraph
import KuraSentences

/// `concat(category, priority) == "Office1"`: asked once for each combination of values that the keys can
/// have.
struct ProductKernel: ChunkKernel {
  let keys: [String]
  let isSure: Bool
  private let link: LookupNode.Link
  private let answers: Once<Answers>

  /// By combination, as bytes
  private struct Answers: Sendable {
    let passing: [UInt8]
    let unsure: [UInt8]?
  }

  /// `filter`: answers for a table whose rows are the combinations.
  init(_ link: LookupNode.Link, _ filter: Filter, _ combinations: Table, _ keys: [String]) {
    (self.link, self.keys) = (link, keys)
    isSure = filter.cannotFail
    answers = Once {
      let answer = filter.whole(combinations)
      return Answers(passing: answer.passing.bytes, unsure: answer.unsure?.bytes)
    }
  }

  var method: String { localized("distinct values of \(keys.list)") }
  var cost: Double { 4 }

  func matches(_ rows: ChunkRows) -> Bitmap { answer(rows).passing }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let (answers, numbers) = (answers.value, link.numbers(rows))
    return KernelAnswer(
      passing: Self.rows(numbers, answers.passing),
      unsure: answers.unsure.map { Self.rows(numbers, $0) })
  }

  private static func rows(_ numbers: [UInt32], _ ones: [UInt8]) -> Bitmap {
    ones.withUnsafeBufferPointer { ones in Bitmap(numbers) { ones[Int($0)] == 1 } }
  }

  func share(of sample: RowSample) -> Double? { nil }
}
