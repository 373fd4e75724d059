import TestSupport
import Testing

@testable import KuraShell

@Suite("The difference of two texts")
struct LineDifferenceTests {
  private func difference(_ old: String, _ new: String) -> (first: Int, changes: String) {
    let difference = LineDifference(from: old.map { "\($0)" }, to: new.map { "\($0)" })
    let changes = difference.changes.map {
      switch $0 {
      case .removed(let line): "-\(line)"
      case .added(let line): "+\(line)"
      }
    }
    return (difference.firstLine, changes.joined(separator: " "))
  }

  @Test("has the fewest changes, in the order of the lines")
  func few() {
    #expect(difference("", "") == (0, ""))
    #expect(difference("abc", "abc") == (3, ""))
    #expect(difference("abcd", "axcd") == (1, "-b +x"))
    #expect(difference("abcdef", "aXcdeY") == (1, "-b +X -f +Y"))
    #expect(difference("", "ab") == (0, "+a +b"))
    #expect(difference("ab", "") == (0, "-a -b"))
    #expect(difference("aa", "a") == (1, "-a"))
  }

  @Test(
    "leads from one to the other, and is the shortest", arguments: 1...200 as ClosedRange<UInt64>
  )
  func generated(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let letters = Array("abc")
    let (old, new) = (
      (0..<numbers.below(12)).map { _ in "\(numbers.pick(letters))" },
      (0..<numbers.below(12)).map { _ in "\(numbers.pick(letters))" }
    )
    let difference = LineDifference(from: old, to: new)
    #expect(difference.changes.count == new.difference(from: old).count, "\(old) \(new)")
    var (removed, added): ([String], [String]) = ([], [])
    for change in difference.changes {
      switch change {
      case .removed(let line): removed.append(line)
      case .added(let line): added.append(line)
      }
    }
    #expect((old + added).sorted() == (new + removed).sorted())
  }

  @Test("of completely different texts is all of both")
  func many() {
    let (old, new) = ((0..<5000).map { "a\($0)" }, (0..<4000).map { "b\($0)" })
    let difference = LineDifference(from: ["same"] + old, to: ["same"] + new)
    #expect(difference.firstLine == 1)
    #expect(
      difference.changes
        == old.map(LineDifference.Change.removed) + new.map(LineDifference.Change.added))
  }
}
