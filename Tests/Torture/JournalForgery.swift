import KuraStore
import TestSupport

/// A journal's lines, to be rewritten with other content and right checksums.
struct JournalLines {
  var first: [UInt8]
  var records: [[UInt8]] = []

  /// Reads a journal that Kura wrote.
  init(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    first = Array(lines.removeFirst())
    records = lines.map { line in
      let end = line.firstIndex(of: UInt8(ascii: "}")) ?? line.startIndex
      return Array(line[end...].dropFirst(2))
    }
  }

  /// The bytes, with right checksums.
  var bytes: [UInt8] {
    var bytes = first + [UInt8(ascii: "\n")]
    var previous = String(decoding: first.dropLast(2).suffix(16), as: UTF8.self)
    for (i, record) in records.enumerated() {
      let sum = UInt64(checksumOf: record).hexadecimal
      let head =
        #"{"record": \#(i + 1), "length": \#(record.count), "checksum": "\#(sum)", "#
        + #""previous": "\#(previous)""#
      previous = UInt64(checksumOf: Array(head.utf8)).hexadecimal
      bytes += Array(#"\#(head), "check": "\#(previous)"} "#.utf8) + record + [UInt8(ascii: "\n")]
    }
    return bytes
  }
}

extension SeededNumbers {
  /// Replacements for a number, a text or a word.
  private static let values = [
    "0", "-1", "1", "2", "3", "7", "9223372036854775807", "4611686018427387902",
    "4611686018427387903", "4611686018427387904", "18446744073709551616", "1e400", "1.5", "-0.0",
    "null", "true", "false", "[]", "{}", "[1]", #""""#, #""Item""#, #""Person""#, #""Base""#,
    #""Tag""#, #""title""#, #""nope""#, #""NaN""#, #"{"object": 1}"#, #"{"object": 9}"#,
    #"{"objects": [1, 1]}"#, #"{"objects": [2, 9]}"#, #"{"double": "7ff0000000000000"}"#,
    #"{"double": "7ff8000000000000"}"#, #"{"object": 1, "x": 2}"#,
  ]

  /// Forged records.
  private static let made = [
    #"{"inserted": [], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [], "updated": [], "deleted": [], "nextObjectID": {"Item": 9223372036854775807}}"#,
    #"{"inserted": [], "updated": [], "deleted": [], "nextObjectID": {"Person": 5}}"#,
    #"{"inserted": [{"entity": "Item", "numbers": [90], "columns": {}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [{"entity": "Base", "numbers": [90], "columns": {}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [{"entity": "Tag", "numbers": [], "columns": {}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [{"entity": "Item", "numbers": [90], "columns": {"title": ["x"], "flag": [true], "owner": [{"object": 77}]}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [{"entity": "Tag", "numbers": [90, 91], "columns": {"cover": [{"object": 1}, {"object": 1}]}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [{"entity": "Tag", "numbers": [90], "columns": {"items": [{"objects": [1]}]}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [], "updated": [{"entity": "Person", "numbers": [1], "columns": {"spouse": {"old": [null], "new": [{"object": 2}]}}}], "deleted": [], "nextObjectID": {}}"#,
    #"{"inserted": [], "updated": [], "deleted": [{"entity": "Person", "numbers": [1], "columns": {}}], "nextObjectID": {}}"#,
    #"{"inserted": [], "updated": [], "deleted": [{"entity": "Item", "numbers": [1, 1], "columns": {}}], "nextObjectID": {}}"#,
    #"{"fold": {"document": "00000000000000000000000000000000", "size": 1, "includes": 9}}"#,
    #"{"fold": 1}"#, "null", "",
  ]

  /// Returns a record that is changed in one place, or forged.
  mutating func forged(_ record: [UInt8]) -> [UInt8] {
    if oneIn(4) { return Array(pick(Self.made).utf8) }
    var tokens = record.tokens
    guard tokens.count > 3 else { return record }
    let scalars = tokens.indices.filter { tokens[$0].isScalar }
    switch below(8) {
    case 0:
      let place = below(tokens.count)
      tokens.insert(tokens[place], at: place)
    case 1: tokens.remove(at: below(tokens.count))
    case 2 where !scalars.isEmpty: tokens[pick(scalars)] = tokens[pick(scalars)]
    case 3 where !scalars.isEmpty: tokens.swapAt(pick(scalars), pick(scalars))
    default:
      if !scalars.isEmpty { tokens[pick(scalars)] = Array(pick(Self.values).utf8) }
    }
    return tokens.flatMap { $0 }
  }

  /// Returns the bytes with some bits changed.
  mutating func turned(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(2) { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
    return bytes
  }
}

extension [UInt8] {
  fileprivate var isScalar: Bool {
    first.map { !"{}[]:, ".utf8.contains($0) } ?? false
  }

  /// JSON as its strings, numbers, words and single marks.
  fileprivate var tokens: [[UInt8]] {
    var tokens: [[UInt8]] = []
    var place = 0
    while place < count {
      let start = place
      if self[place] == UInt8(ascii: "\"") {
        place += 1
        while place < count, self[place] != UInt8(ascii: "\"") {
          place += self[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
      } else if "{}[]:, ".utf8.contains(self[place]) {
        place += 1
      } else {
        while place < count, !"{}[]:, \"".utf8.contains(self[place]) { place += 1 }
      }
      place = Swift.min(place, count)
      tokens.append(Array(self[start..<place]))
    }
    return tokens
  }
}
