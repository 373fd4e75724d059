import Testing

@testable import KuraPredicates

@Suite("A list of words")
struct WordListTests {
  private let words = ["and", "AND", "or", "abcdefgh", "abcdefghi", "sixteenletterstw"]

  private func place(_ word: String) -> Int? {
    WordList(words).place(of: Array(word.utf8)[...])
  }

  @Test("finds each of its words in any case, the first of two equal ones")
  func finds() {
    for (place, word) in words.enumerated() where place != 1 {
      #expect(self.place(word) == place)
      #expect(self.place(word.uppercased()) == place)
    }
    #expect(place("aNd") == 0)
  }

  @Test(
    "finds nothing else",
    arguments: [
      "", "a", "an", "ande", "abcdefg", "abcdefghj", "sixteenletterstwo", "o r", "誕", "{nd",
    ])
  func nothingElse(_ word: String) {
    #expect(place(word) == nil)
  }

  @Test("reads only the bytes of a slice")
  func slices() {
    let bytes = Array("land or sea".utf8)
    #expect(WordList(words).place(of: bytes[1..<4]) == 0)
    #expect(WordList(words).place(of: bytes[5..<7]) == 2)
  }
}
