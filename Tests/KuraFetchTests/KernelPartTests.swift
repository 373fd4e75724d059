import KuraGraph
import KuraValues
import Testing

@testable import KuraFetch

@Suite("The parts of kernels")
struct KernelPartTests {
  @Test("an automaton agrees with ICU", arguments: [31, 32, 33] as [UInt64])
  func automaton(seed: UInt64) throws {
    var dice = Dice(seed)
    var answers = 0
    for _ in 0..<300 {
      let pattern = dice.pattern(depth: 3)
      guard let syntax = RegularSyntax(pattern), let automaton = Automaton(syntax),
        let expression = try? RegularExpression(pattern, [])
      else { continue }
      for _ in 0..<10 {
        let text = dice.shortText()
        let found = Array(text.utf8).withUnsafeBufferPointer {
          automaton.matches($0, $0.indices)
        }
        // If ICU gives up, the expected answer is unknown.
        guard let said = try? expression.matches(text) else { continue }
        answers += 1
        #expect(found == said, "seed \(seed): \(pattern) on \(text)")
        let texts = TextViews(bytes: Array(text.utf8), ends: [UInt32(text.utf8.count)])
        let all = Bitmap(count: 1, filledWith: true)
        let may = texts.withAccess { automaton.mayMatch($0, among: all).has(0) }
        #expect(may || !said, "seed \(seed): \(pattern) on \(text)")
        if found, let literal = syntax.requiredLiteral {
          #expect(text.contains(String(decoding: literal, as: UTF8.self)), "\(pattern) \(text)")
        }
      }
    }
    #expect(answers > 1000)
  }

  @Test(
    "an expression that is not regular has no automaton",
    arguments: [
      "(a)\\1", "(?=a)b", "\\b*x", "[\\b]", "a++", "(?i)a", "\\p{Nope}", "\\p", "[[:alpha:]]",
      "a{2,1}", "(a",
    ])
  func notRegular(_ pattern: String) { #expect(RegularSyntax(pattern) == nil) }

  @Test("scalars have the properties that they have for ICU")
  func properties() throws {
    let (word, marks) = (try #require(ScalarSet.word), try #require(ScalarSet.combining))
    var expected = [
      ("\\w", word), ("\\d", try #require(.digits)), ("\\s", try #require(.space)),
      ("\\b[\\s\\S]\\b", word.intersection(marks.inverted)),
      // A boundary before a scalar without a word before it, which is not a mark
      ("x\\b[\\s\\S]", word.union(marks).inverted),
    ]
    for pattern in ["\\p{Han}", "\\P{Hiragana}", "\\p{Lu}", "\\p{script=Greek}", "[^\\p{L}_]"] {
      guard case .sequence(let parts)? = RegularSyntax(pattern)?.tree, case .one(let set) = parts[0]
      else {
        Issue.record("\(pattern) is not regular")
        continue
      }
      expected.append((pattern, set))
    }
    for (pattern, set) in expected {
      let expression = try RegularExpression(pattern, [])
      for value in 0...ScalarSet.last {
        guard let scalar = Unicode.Scalar(value) else { continue }
        // Of scalars beyond the common scripts, some are enough.
        if value > 0x3400, value % 97 != 0 { continue }
        let text = pattern.hasPrefix("x") ? "x\(scalar)" : "\(scalar)"
        let found = try expression.matches(text)
        #expect(found == set.contains(value), "\(pattern) \(String(value, radix: 16))")
      }
    }
  }

  @Test("bits of ranges equal those of a comparison", arguments: [41, 42] as [UInt64])
  func ranges(seed: UInt64) {
    var dice = Dice(seed)
    for count in [0, 1, 63, 64, 65, 200, 1000] {
      let bytes = (0..<count).map { _ in UInt8(dice.below(256)) }
      let words = (0..<count).map { _ in UInt16(dice.below(65_536)) }
      let (a, b) = (dice.below(256), dice.below(256))
      let ranges = [Int64(min(a, b))...Int64(max(a, b)), 3...5]
      let wide = [Int64(min(a, b)) * 256...Int64(max(a, b)) * 256, -7...9]
      let found = Bitmap(bytes, in: ranges.clamped())
      let foundWords = Bitmap(words, in: wide.clamped())
      for row in 0..<count {
        #expect(found[row] == ranges.contains { $0 ~= Int64(bytes[row]) })
        #expect(foundWords[row] == wide.contains { $0 ~= Int64(words[row]) })
      }
    }
  }

  @Test("integers in one or two bytes are in the same ranges", arguments: [43, 44] as [UInt64])
  func frameOfReference(seed: UInt64) throws {
    var dice = Dice(seed)
    for step in [1, 1_000_000, 86_400_000_000] as [Int64] {
      let low = Int64(dice.below(1000)) - 500
      let values = (0..<500).map { _ in low + Int64(dice.below(300)) * step }
      let chunk = ColumnChunk(.integers(values))
      #expect(chunk.frameOfReference == nil)
      let frameOfReference = try #require(chunk.frameOfReference, "a second use makes it")
      #expect(frameOfReference.step == step)
      for _ in 0..<50 {
        let from = low + Int64(dice.below(400)) * step - 50 * step - Int64(dice.below(2))
        let range = from...from + Int64(dice.below(100)) * step
        let codes = frameOfReference.codes(of: range)
        for value in values {
          let isIn =
            codes.map { $0 ~= (value - frameOfReference.base) / frameOfReference.step } ?? false
          #expect(isIn == (range ~= value), "seed \(seed): \(value) in \(range)")
        }
      }
    }
  }

  @Test("structures of a chunk are dropped when it changes, and kept by its copies")
  func forgets() {
    var chunk = ColumnChunk(.integers([1, 2, 3]))
    _ = chunk.frameOfReference
    let shared = chunk
    #expect(chunk.frameOfReference?.last == 2)
    chunk.values = .integers([5, 1000])
    #expect(shared.frameOfReference?.last == 2)
    #expect(chunk.frameOfReference == nil)
    #expect(chunk.frameOfReference?.last == 995)
  }
}

extension Dice {
  mutating func pattern(depth: Int) -> String {
    if depth == 0 || chance(0.3) {
      return pick([
        "a", "b", "ab", "誕", ".", "[ab]", "[^a]", "[a-c誕]", "\\d", "\\w", "é", "1", " ", "\\.",
        "..", "\\r", "\\n", "\\b", "\\B", "\\W", "\\S", "\\D", "[\\w.]", "[^\\s1]", ".*",
      ])
    }
    let inner = pattern(depth: depth - 1)
    switch below(5) {
    case 0, 1: return inner + pattern(depth: depth - 1)
    case 2: return "(\(inner)|\(pattern(depth: depth - 1)))"
    case 3: return "(?:\(inner))" + pick(["*", "+", "?", "{2}", "{1,2}", "{1,}", "*?"])
    default: return "^" + inner + "$"
    }
  }

  mutating func shortText() -> String {
    (0..<below(7)).map { _ in
      pick([
        "a", "b", "c", "誕", "é", "1", " ", "\n", "\r", "\r\n", "𠮷", ".", "、", "ー", "e\u{301}", "１",
        "😀", "\u{200D}", "\u{3099}", "_", "\u{3000}", "\u{AD}",
      ])
    }
    .joined()
  }
}
