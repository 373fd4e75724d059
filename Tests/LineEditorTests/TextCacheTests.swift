import TestSupport
import Testing

@testable import LineEditor

@Suite("The cached text under edit")
struct TextCacheTests {
  private static let pieces = [
    "a", " ", "\n", "誕", "か\u{3099}", "\u{3099}", "👨‍👩‍👧", "\u{200D}", "e\u{301}", "🇯🇵", "👍🏽", "\t",
  ]

  @Test("equals the text that is read completely, after every change")
  func changes() {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<200 {
      var cache = TextCache()
      var scalars: [Int32] = []
      for _ in 0..<30 {
        let from = Int.random(in: 0...scalars.count, using: &random)
        let to = min(scalars.count, from + Int.random(in: 0...4, using: &random))
        let new = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Self.pieces.randomElement(using: &random)!
        }.joined().unicodeScalars.map { Int32($0.value) }
        scalars.replaceSubrange(from..<to, with: new)
        let cursor = Int.random(in: 0...scalars.count, using: &random)
        let whole = String(String.UnicodeScalarView(scalars.map { Unicode.Scalar(UInt32($0))! }))
        let kept = scalars.withUnsafeBufferPointer { cache.text(of: $0, cursor: cursor) }
        #expect(kept == EditText(whole, scalarCursor: cursor))
        #expect(Array(kept.text.utf8) == Array(whole.utf8))
        for index in 0...kept.characters.count {
          #expect(kept.bytes(before: index) == String(kept.characters[..<index]).utf8.count)
        }
      }
    }
  }
}

extension TextCacheTests {
  @Test("wherever a long text changes")
  func longTexts() {
    let start = Array(repeating: Int32(97), count: 300)
    for place in stride(from: 0, to: 300, by: 7) {
      var cache = TextCache()
      var scalars = start
      _ = scalars.withUnsafeBufferPointer { cache.text(of: $0, cursor: 0) }
      scalars[place] = 0x8A95
      let kept = scalars.withUnsafeBufferPointer { cache.text(of: $0, cursor: place) }
      let whole = String(String.UnicodeScalarView(scalars.map { Unicode.Scalar(UInt32($0))! }))
      #expect(kept == EditText(whole, scalarCursor: place))
    }
  }
}

@Suite("Undo of typing")
struct UndoHistoryTests {
  private func typed(_ steps: [String]) -> UndoHistory {
    var history = UndoHistory()
    for step in steps { history.note(EditText(Array(step), cursor: step.count)) }
    return history
  }

  @Test("removes a word at a time")
  func words() {
    var history = typed(["f", "fe", "fet", "fet ", "fet I", "fet It"])
    #expect(history.undo()?.text == "fet")
    #expect(history.undo()?.text == "")
    #expect(history.undo() == nil)
    #expect(history.redo()?.text == "fet")
    #expect(history.redo()?.text == "fet It")
    #expect(history.redo() == nil)
  }

  @Test("and a paste, a deletion or Japanese as one change each")
  func others() {
    var history = typed(["誕", "誕生", "", "a paste of words", "a paste of word"])
    #expect(history.undo()?.text == "a paste of words")
    #expect(history.undo()?.text == "")
    #expect(history.undo()?.text == "誕生")
    history.note(EditText(Array("x"), cursor: 1))
    #expect(history.redo() == nil)
  }
}
