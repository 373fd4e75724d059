import Foundation
import KuraBytes
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// What is asked of a text.
enum TextTest: String, Sendable {
  case contains
  case begins
  case ends
  case equals
}

/// Texts in which a needle is.
///
/// Where a search of bytes is Foundation's answer, it is made over the bytes of all rows at once, or
/// over the folded copy of them; odd rows, and needles that have no such bytes, are asked one by
/// one.
struct TextKernel: ColumnKernel {
  let column: Int
  let key: String
  let needle: TextNeedle
  let test: TextTest
  let isNegated: Bool
  private let search: Search

  private enum Search: Sendable {
    /// In the bytes as they are; whether that is the answer for odd rows too.
    case exact([UInt8], oddToo: Bool)
    /// In the folded bytes; whether a hit in an unmarked row, in a marked row is the answer.
    case folded([UInt8], unmarkedIsHit: Bool, markedIsHit: Bool)
    /// Row by row.
    case each
  }

  init(column: Int, key: String, needle: TextNeedle, test: TextTest, isNegated: Bool) {
    self.column = column
    self.key = key
    self.needle = needle
    self.test = test
    self.isNegated = isNegated
    search = TextKernel.search(needle, test)
  }

  private static func search(_ needle: TextNeedle, _ test: TextTest) -> Search {
    let options = needle.options
    let isLiteral = options.contains(.normalized)
    let comparesBytes = !options.folds && !options.contains(.localeSensitive)
    if isLiteral || (test == .equals && comparesBytes) {
      return .exact(Array(needle.text.utf8), oddToo: true)
    }
    if options.contains(.localeSensitive) { return .each }
    if let bytes = needle.exactBytes { return .exact(bytes, oddToo: false) }
    let both = TextNeedle(needle.text, [.caseInsensitive, .diacriticInsensitive])
    guard let bytes = both.foldedBytes else { return .each }
    // Where a mark may be found that is not there, its letter is: those texts are asked.
    guard let wanted = needle.foldedBytes else {
      return .folded(bytes, unmarkedIsHit: false, markedIsHit: false)
    }
    let foldsBoth = options.contains(.caseInsensitive) && options.contains(.diacriticInsensitive)
    return .folded(
      bytes,
      unmarkedIsHit: options.contains(.caseInsensitive) && bytes == wanted, markedIsHit: foldsBoth)
  }

  var method: String {
    switch search {
    case .exact: localized("\(test.rawValue), searching the bytes of \(key)")
    case .folded: localized("\(test.rawValue), searching the folded bytes of \(key)")
    case .each: localized("\(test.rawValue), text by text of \(key)")
    }
  }

  var cost: Double {
    switch search {
    case .exact, .folded: 5
    case .each: 300
    }
  }
}

extension TextKernel {
  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = found(text, chunk, rows).settingNulls(chunk.nulls, to: false)
    if isNegated { result.invert() }
    return result
  }

  private func found(_ text: TextChunk, _ chunk: ColumnChunk, _ rows: ChunkRows) -> Bitmap {
    var result = Bitmap(count: chunk.count)
    if rows.areFew {
      rows.candidates.eachRow { result[$0] = ask(text, $0) }
      return result
    }
    switch search {
    case .exact(let needle, let oddToo):
      TextBytes.find(test, needle, text.bytes, text.ends) { result.insert($0) }
      if !oddToo { askOddRows(text, &result) }
    case .folded(let needle, let unmarked, let marked):
      if test == .begins, let prefix = FoldedPrefix(self.needle) {
        prefix.find(text, &result) { ask(text, $0) }
      } else if let folded = chunk.folded(atUse: 1) {
        TextBytes.find(test, needle, folded.bytes, folded.ends) {
          if marked == unmarked ? marked : folded.isMarked($0) ? marked : unmarked {
            result.insert($0)
          } else if ask(text, $0) {
            result.insert($0)
          }
        }
      }
      askOddRows(text, &result)
    case .each:
      rows.candidates.eachRow { result[$0] = ask(text, $0) }
    }
    if case .exact(_, true) = search, !text.patch.isEmpty { askPatch(text, &result) }
    return result
  }

  private func ask(_ texts: TextChunk, _ row: Int) -> Bool {
    var answer = false
    texts.withText(row) { bytes in
      let text = bytes.bindMemory(to: UInt8.self)
      answer =
        switch test {
        case .contains: needle.isContained(in: text)
        case .begins: needle.begins(text)
        case .ends: needle.ends(text)
        case .equals: needle.equals(text)
        }
    }
    return answer
  }

  private func askOddRows(_ text: TextChunk, _ result: inout Bitmap) {
    text.oddRows?.eachRow { result[$0] = ask(text, $0) }
    askPatch(text, &result)
  }

  private func askPatch(_ text: TextChunk, _ result: inout Bitmap) {
    for row in text.patch.keys { result[row] = ask(text, row) }
  }
}

/// Texts by their place in the order of Unicode scalars, which is that of their bytes, or by being
/// one of some: `title < "k"`, `title BETWEEN {"a", "b"}`, `title IN {"x", "y"}`.
struct TextOrderKernel: ColumnKernel {
  let column: Int
  let key: String
  private let test: Test

  private enum Test: Sendable {
    /// From the first text on, up to the second; whether the ends belong to it.
    case range(from: [UInt8]?, fromIn: Bool, to: [UInt8]?, toIn: Bool)
    case oneOf(TextSet)
  }

  /// Nil for other operators, and under options: then the order is Foundation's.
  init?(_ question: LeafQuestion, _ column: Int, _ key: String, _ options: TextOptions) {
    guard options.isEmpty || options == .normalized else { return nil }
    self.column = column
    self.key = key
    switch (question.comparison.operation, question.literal) {
    case (.less, .string(let x)):
      test = .range(from: nil, fromIn: true, to: Array(x.utf8), toIn: false)
    case (.lessOrEqual, .string(let x)):
      test = .range(from: nil, fromIn: true, to: Array(x.utf8), toIn: true)
    case (.greater, .string(let x)):
      test = .range(from: Array(x.utf8), fromIn: false, to: nil, toIn: true)
    case (.greaterOrEqual, .string(let x)):
      test = .range(from: Array(x.utf8), fromIn: true, to: nil, toIn: true)
    case (.between, .list(let bounds)):
      guard bounds.count == 2, case .string(let x) = bounds[0], case .string(let y) = bounds[1]
      else { return nil }
      test = .range(from: Array(x.utf8), fromIn: true, to: Array(y.utf8), toIn: true)
    case (.in, .list(let elements)):
      guard let texts = TextOrderKernel.texts(elements) else { return nil }
      test = .oneOf(texts)
    default: return nil
    }
  }

  private static func texts(_ elements: [Value]) -> TextSet? {
    var texts: [String] = []
    for element in elements where !element.isNull {
      guard case .string(let text) = element else { return nil }
      texts.append(text)
    }
    return TextSet(texts)
  }

  var method: String {
    switch test {
    case .range: localized("order of the bytes of \(key)")
    case .oneOf: localized("one of some texts of \(key)")
    }
  }
  var cost: Double {
    switch test {
    case .range: 8
    case .oneOf: 15
    }
  }
}

extension TextOrderKernel {
  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    switch test {
    case .oneOf(let texts):
      rows.candidates.eachRow { if texts.contains($0, of: text) { result.insert($0) } }
    case .range(let from, let fromIn, let to, let toIn):
      let passes = { (text: UnsafeBufferPointer<UInt8>) in
        isBetween(text, from, fromIn, to, toIn)
      }
      text.bytes.withUnsafeBufferPointer { bytes in
        rows.candidates.eachRow { row in
          let isHit = passes(UnsafeBufferPointer(rebasing: bytes[text.packedRange(row)]))
          if isHit { result.insert(row) }
        }
      }
      for (row, patched) in text.patch { result[row] = patched.withUnsafeBufferPointer(passes) }
    }
    return result.settingNulls(chunk.nulls, to: false)
  }

  private func isBetween(
    _ text: UnsafeBufferPointer<UInt8>, _ from: [UInt8]?, _ fromIn: Bool, _ to: [UInt8]?,
    _ toIn: Bool
  ) -> Bool {
    if let from, !(from.withUnsafeBufferPointer { isOrdered($0, text, orEqual: fromIn) }) {
      return false
    }
    guard let to else { return true }
    return to.withUnsafeBufferPointer { isOrdered(text, $0, orEqual: toIn) }
  }

  private func isOrdered(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, orEqual: Bool
  ) -> Bool {
    let order = Bytes.compare(a, b)
    return order == .before || (orEqual && order == .same)
  }
}
