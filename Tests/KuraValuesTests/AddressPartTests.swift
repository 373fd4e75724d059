import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Parts of URIs")
struct AddressPartTests {
  private static let pieces = [
    "https", "h", "A1+.-", "://", ":", "/", "//", "a", "example.org", "xn--p1ai", "a.B-c", "@", "u",
    "u:p@", ":80", ":0", ":", ":12345678901", "/星", "/a b", "/%20", "?", "?q=1", "#", "#f", "é",
    "e\u{301}", "[::1]", "..", "\\", "^", "\u{7F}", "'", ";=,", "_", "～",
  ]

  @Test("are those that Foundation finds", arguments: 1...UInt64(TestLength.count(4, long: 400)))
  func parts(seed: UInt64) {
    var dice = SeededNumbers(seed: seed)
    var known = 0
    for round in 0..<2000 {
      let start = round % 3 == 0 ? "" : dice.pick(["https://a.b", "ftp://h", "x://a.b:8"])
      let text = start + (0..<dice.below(5)).map { _ in dice.pick(Self.pieces) }.joined()
      let url = URL(string: text)
      let expected: [AddressPart: String?] = [
        .scheme: url?.scheme, .host: url?.host(percentEncoded: false),
        .port: url?.port.map { "\($0)" }, .path: url?.path(percentEncoded: false),
        .query: url?.query(percentEncoded: false), .fragment: url?.fragment(percentEncoded: false),
      ]
      for (part, expected) in expected {
        let bytes = Array(text.utf8)
        let found: [UInt8]?
        switch bytes.withUnsafeBufferPointer(part.place) {
        case .unknown: continue
        case .missing: found = nil
        case .range(let range): found = Array(bytes[range])
        }
        known += 1
        let number =
          part == .port ? found.map { "\(Int(String(decoding: $0, as: UTF8.self)) ?? -1)" } : nil
        #expect(
          (number.map { Array($0.utf8) } ?? found) == expected.map { Array($0.utf8) },
          "\(part) of \(text), seed \(seed)")
      }
    }
    #expect(known > 1000)
  }
}
