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
/// A byte search runs over the stored bytes of all rows at once, or over the keys of their texts. Only `[l]` requires
/// testing the texts one by one.
struct TextKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  let needle: TextNeedle
  let test: TextTest
  let isNegated: Bool
  let cancel: CancelFlag
  private let search: Search

  private enum Search: Sendable {
    /// In the bytes as stored.
    case stored([UInt8])
    /// In the keys under the needle's folding.
    case keys
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
    if isLiteral || (test == .equals && comparesBytes) { return .stored(Array(needle.text.utf8)) }
    if options.contains(.localeSensitive) { return .each }
    return options.folds && needle.isStable ? .stored(needle.key) : .keys
  }

  var method: String {
    switch search {
    case .keys where needle.options.folds:
      localized("\(test.rawValue), searching the folded bytes of \(key)")
    case .stored, .keys: localized("\(test.rawValue), searching the bytes of \(key)")
    case .each: localized("\(test.rawValue), testing each string of \(key)")
    }
  }

  var cost: Double {
    switch search {
    case .stored, .keys: 5
    case .each: 300
    }
  }
}

extension TextKernel {
  /// The bytes that a text must equal if that is the whole test; otherwise nil.
  var wholeText: [UInt8]? {
    if case .stored(let bytes) = search, test == .equals { bytes } else { nil }
  }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    guard let text = chunk.packedTexts else { return Bitmap(count: chunk.count) }
    return found(text, chunk, rows).subtracting(chunk.nulls).negated(isNegated)
  }

  private func found(_ text: TextChunk, _ chunk: ColumnChunk, _ rows: ChunkRows) -> Bitmap {
    if !rows.areFew {
      switch search {
      case .stored(let bytes): return hits(bytes, text, rows)
      case .keys where !needle.options.folds && (text.oddRows == nil || needle.isStable):
        return hits(needle.key, text, rows)
      case .keys:
        if let keys = chunk.keys(needle.keyFold) { return hits(needle.key, keys, rows) }
      case .each: break
      }
    }
    var result = Bitmap(count: chunk.count)
    rows.candidates.eachRow { result[$0] = ask(text, $0) }
    return result
  }

  private func hits(_ bytes: [UInt8], _ texts: TextChunk, _ rows: ChunkRows) -> Bitmap {
    var result = Bitmap(count: texts.count)
    TextBytes.find(test, bytes, texts.bytes, texts.ends) { result.insert($0) }
    guard needle.options.findsCharacters, test == .contains || test == .begins,
      var doubtful = needle.isOdd ? rows.candidates : texts.oddRows
    else { return result }
    doubtful.formIntersection(result)
    TextViews(texts).withAccess { texts in
      needle.key.withUnsafeBufferPointer { key in
        doubtful.eachRow {
          result[$0] =
            test == .contains
            ? WholeCharacters.contains(texts[$0], key) : WholeCharacters.begins(texts[$0], key)
        }
      }
    }
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
}
