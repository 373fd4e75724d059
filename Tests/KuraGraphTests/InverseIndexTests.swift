import KuraModel
import TestSupport
import Testing

@testable import KuraGraph

@Suite("The inverse of links")
struct InverseIndexTests {
  /// Returns chunks of links to one of `count` rows, to none, or to lists of them.
  private func column(_ dice: inout SeededNumbers, chunks: Int, many: Bool, to count: Int) -> Column
  {
    var column = Column(many ? .toMany(destination: 0) : .toOne(destination: 0))
    for number in 0..<chunks {
      let rows = number + 1 == chunks ? 77 : ColumnChunk.capacity
      if many {
        var lists = LinkLists()
        for _ in 0..<rows {
          lists.append((0..<dice.below(3)).map { _ in UInt32(dice.below(count)) })
        }
        column.chunks.append(ColumnChunk(.linkLists(lists)))
      } else {
        let links = (0..<rows).map { _ in
          dice.below(5) == 0 ? noRow : UInt32(dice.below(count))
        }
        column.chunks.append(ColumnChunk(.links(links)))
      }
    }
    return column
  }

  @Test(
    "has each row's links in the order of their rows, for any number of chunks",
    arguments: [1, 7, 8, 11], [false, true])
  func order(chunks: Int, many: Bool) {
    var dice = SeededNumbers(seed: UInt64(chunks))
    let column = column(&dice, chunks: chunks, many: many, to: 300)
    let rows = (chunks - 1) << ColumnChunk.shift + 77
    var live = Bitmap(count: rows, filledWith: true)
    for _ in 0..<500 { live[dice.below(rows)] = false }
    for live in [nil, live] {
      var expected = [[UInt32]](repeating: [], count: 300)
      for row in 0..<rows where live?[row] != false {
        for target in column.targets(row) { expected[Int(target)].append(UInt32(row)) }
      }
      let index = InverseIndex(column, live: live, destinationCount: 300)
      let wrong = (0..<300).first { Array(index[$0]) != expected[$0] }
      #expect(wrong == nil)
    }
  }

  @Test("of no links is empty")
  func empty() {
    let index = InverseIndex(Column(.toOne(destination: 0)), live: nil, destinationCount: 3)
    #expect((0..<4).allSatisfy { index[$0].isEmpty })
  }
}
