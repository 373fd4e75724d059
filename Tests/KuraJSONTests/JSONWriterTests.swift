import KuraBytes
import KuraJSON
import Testing

@Suite struct JSONWriterTests {
  func written(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func japaneseIsNotEscaped() {
    #expect(written { JSONWriter.append("父の誕生日 🎂", to: &$0) } == "\"父の誕生日 🎂\"")
  }

  @Test func onlyWhatMustBeIsEscaped() {
    let text = "\"\\/\u{8}\t\n\u{C}\r\0\u{1F}\u{7F}\u{2028}"
    let json = #""\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}\u{2028}\""
    #expect(written { JSONWriter.append(text, to: &$0) } == json)
  }

  @Test func everyByteAtEveryPlaceReadsBack() throws {
    for length in [1, 7, 8, 9, 17] {
      for place in 0..<length {
        for byte in UInt8(0)..<0x80 {
          var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          text[place] = byte
          let string = String(decoding: text, as: UTF8.self)
          let json = written { JSONWriter.append(string, to: &$0) }
          #expect(try JSONNode(reading: Array(json.utf8)) == JSONNode(.string(string)))
        }
      }
    }
  }

  @Test(arguments: [0, 7, -1, 10, 1_000_000, .max, .min])
  func integersAreWrittenWhole(_ value: Int64) {
    #expect(written { JSONWriter.append(value, to: &$0) } == "\(value)")
  }

  @Test func integersAreWrittenOnBothSidesOfEachPowerOfTen() {
    var power: Int64 = 1
    while power < .max / 10 {
      power *= 10
      for value in [power - 1, power, power + 1, -power, 1 - power] {
        #expect(written { JSONWriter.append(value, to: &$0) } == "\(value)")
      }
    }
  }

  @Test func hundredthsAreWrittenAsTheirDescription() {
    for number in stride(from: -12_345, to: 12_345, by: 7) {
      let value = Double(number) / 100
      #expect(written { JSONWriter.append(value, to: &$0) } == "\(value)")
    }
    for value in [1e14, 9_999_999_999_999.99, 123_456.789, -2.2250738585072014e-308, 1e300] {
      #expect(written { JSONWriter.append(value, to: &$0) } == "\(value)")
    }
  }

  @Test(arguments: [
    (2, "2.0"), (0.1, "0.1"), (-0.0, "-0.0"), (1e20, "1e+20"), (.leastNonzeroMagnitude, "5e-324"),
    (.nan, "null"), (.infinity, "null"),
  ])
  func doublesStayDoubles(_ value: Double, _ text: String) {
    #expect(written { JSONWriter.append(value, to: &$0) } == text)
  }

  @Test func floatsAreShort() {
    #expect(written { JSONWriter.append(Float(0.1), to: &$0) } == "0.1")
  }
}
