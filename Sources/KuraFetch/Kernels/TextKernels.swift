import Foundation
import KuraBytes
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

enum TextTest: String, Sendable {
  case contains
  case begins
  case ends
  case equals
}

/// Texts that contain a needle, begin or end with it, or equal it.
///
/// If a byte search gives Foundation's answer, it runs over the bytes of all rows at once, or over their folded copy.
/// Hits that do not decide, and needles without such bytes, are tested one by one.
struct TextKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  let needle: TextNeedle
  let test: TextTest
  let isNegated: Bool
  let cancel: CancelFlag
  private let search: Search

  private enum Search: Sendable {
    /// In the bytes as stored; whether the result is valid for odd rows too.
    case exact([UInt8], oddToo: Bool)
    /// In the folded bytes; whether a hit in an unmarked row, and in a marked row, decides.
    case folded([UInt8], unmarkedIsHit: Bool, markedIsHit: Bool)
    /// Row by row.
    case each
  }

  init(
    column: Int, key: String, needle: TextNeedle, test: TextTest, isNegated: Bool,
    cancel: CancelFlag
  ) {
    self.column = column
    self.key = key
    self.needle = needle
    self.test = test
    self.isNegated = isNegated
    self.cancel = cancel
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
    guard let bytes = needle.searchKey else { return .each }
    // Letters without their marks are found, and every hit is checked.
    let foldsBoth = options.contains(.caseInsensitive) && options.contains(.diacriticInsensitive)
    return .folded(
      bytes,
      unmarkedIsHit: foldsBoth
        || options.contains(.caseInsensitive) && needle.foldedBytes == bytes,
      markedIsHit: foldsBoth)
  }

  var method: String {
    switch search {
    case .exact: localized("\(test.rawValue), searching the bytes of \(key)")
    case .folded: localized("\(test.rawValue), searching the folded bytes of \(key)")
    case .each: localized("\(test.rawValue), testing each string of \(key)")
    }
  }

  var cost: Double {
    switch search {
    case .exact, .folded: 5
    case .each: 300
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The part of a text that decides whether a needle with this many scalars is found.
  fileprivate func end(of test: TextTest, _ scalars: Int) -> UnsafeBufferPointer<UInt8> {
    // One more scalar, which can be a mark.
    let length = (scalars + 1) * 4
    guard length < count else { return self }
    switch test {
    case .contains, .equals: return self
    case .begins:
      var end = length
      while end < count, self[end] & 0xC0 == 0x80 { end += 1 }
      return UnsafeBufferPointer(rebasing: self[..<end])
    case .ends:
      var start = count - length
      while start > 0, self[start] & 0xC0 == 0x80 { start -= 1 }
      return UnsafeBufferPointer(rebasing: self[start...])
    }
  }
}

extension TextKernel {
  /// The bytes that a text must equal if that is the whole test; otherwise nil.
  var wholeText: [UInt8]? {
    if case .exact(let bytes, true) = search, test == .equals { bytes } else { nil }
  }

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
      if !oddToo { askOddRows(text, chunk, rows, &result) }
    case .folded(let needle, let unmarked, let marked):
      if test == .begins, let prefix = FoldedPrefix(self.needle) {
        prefix.find(text, &result) { ask(text, $0) }
        askOddRows(text, chunk, rows, &result)
      } else if let folded = chunk.folded(atUse: 1) {
        TextBytes.find(test, needle, folded.bytes, folded.ends) {
          if marked == unmarked ? marked : folded.isMarked($0) ? marked : unmarked {
            result.insert($0)
          } else if rows.candidates[$0], ask(text, $0) {
            result.insert($0)
          }
        }
        askPatch(text, &result)
      }
    case .each:
      rows.candidates.eachRow { result[$0] = ask(text, $0) }
    }
    if case .exact(_, true) = search, !text.patch.isEmpty { askPatch(text, &result) }
    return result
  }

  /// Returns the answer of Foundation, unless cancelled: it may be slow for a text.
  private func ask(_ texts: TextChunk, _ row: Int) -> Bool {
    var answer = false
    if cancel.isRequested { return answer }
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

  /// Tests the odd rows for which the bytes do not decide.
  private func askOddRows(
    _ text: TextChunk, _ chunk: ColumnChunk, _ rows: ChunkRows, _ result: inout Bitmap
  ) {
    defer { askPatch(text, &result) }
    guard var odd = text.oddRows else { return }
    odd.formIntersection(rows.candidates)
    let composes = test == .contains && !needle.options.folds
    if composes, let recomposed = chunk.recomposed {
      find(in: recomposed, &result)
      odd.subtract(recomposed.rows)
    }
    let scalars = needle.text.unicodeScalars.count
    text.bytes.withUnsafeBufferPointer { bytes in
      odd.eachRow { row in
        let stored = UnsafeBufferPointer(rebasing: bytes[text.packedRange(row)])
        if test != .contains {
          if OddScalars.areIn(stored.end(of: test, scalars)) { result[row] = ask(text, row) }
        } else if !composes, !stored.isComposed {
          result[row] = ask(text, row)
        } else if result[row] {
          result[row] = needle.isContained(inComposed: stored)
        }
      }
    }
  }

  /// Searches the composed texts of the rows that have another canonical form.
  private func find(in recomposed: RecomposedTexts, _ result: inout Bitmap) {
    let texts = recomposed.texts
    var hits = Bitmap(count: texts.count)
    TextBytes.find(.contains, needle.key, texts.bytes, texts.ends) { hits.insert($0) }
    var place = 0
    texts.bytes.withUnsafeBufferPointer { bytes in
      recomposed.rows.eachRow { row in
        let text = UnsafeBufferPointer(rebasing: bytes[texts.packedRange(place)])
        result[row] = hits.has(place) && needle.isContained(inComposed: text)
        place += 1
      }
    }
  }

  private func askPatch(_ text: TextChunk, _ result: inout Bitmap) {
    for row in text.patch.keys { result[row] = ask(text, row) }
  }
}
