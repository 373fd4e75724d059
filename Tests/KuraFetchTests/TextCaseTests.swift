import Testing

@testable import KuraFetch

@Suite("Changing the case of texts")
struct TextCaseTests {
  static let scalars = (UInt32(1)...0x1FFFF).compactMap(Unicode.Scalar.init)

  private func written(_ text: String, _ textCase: TextCase, _ pages: inout CasePages) -> String {
    var text = text
    return text.withUTF8 { utf8 in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: utf8.count * TextCase.growth + 1) {
        guard let start = $0.baseAddress else { return "" }
        let count = textCase.write(utf8, to: start, &pages)
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
      }
    }
  }

  @Test("uses the mapping of every scalar of the first two planes", arguments: [true, false])
  func mappings(isUpper: Bool) {
    let textCase = isUpper ? TextCase.upper : .lower
    var pages = CasePages()
    for scalar in Self.scalars {
      let text = "a" + String(Character(scalar)) + "Ω"
      let wanted = text.unicodeScalars.map {
        isUpper ? $0.properties.uppercaseMapping : $0.properties.lowercaseMapping
      }
      let found = written(text, textCase, &pages)
      if Array(found.utf8) != Array(wanted.joined().utf8) { Issue.record("\(scalar.value)") }
    }
  }

  @Test("leaves scalars outside those planes unchanged")
  func others() {
    var pages = CasePages()
    let text = "\u{20000}é\u{E0061}"
    #expect(written(text, .upper, &pages) == "\u{20000}É\u{E0061}")
  }
}
