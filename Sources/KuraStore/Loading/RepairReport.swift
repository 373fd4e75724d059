import KuraDiagnostics
import KuraJSON
import KuraSentences

/// The places of an input that were repaired or skipped, counted by their kind.
package struct RepairReport: Sendable {
  /// The first place.
  private(set) var first: JSONRepair.Place?
  private var counts = [Int](repeating: 0, count: JSONRepair.Kind.allCases.count)
  /// The lines of the first places of each kind.
  private var lines = [[Int]](repeating: [], count: JSONRepair.Kind.allCases.count)
  private var hasMoreLines: Set<JSONRepair.Kind> = []
  /// The offset and the number of line feeds from which places are noted.
  private var offset = 0
  private var lineFeeds = 0

  /// The maximum number of lines per kind.
  private static let limit = 3

  var isEmpty: Bool { first == nil }

  func count(_ kind: JSONRepair.Kind) -> Int { counts[kind.rawValue] }

  mutating func note(_ place: JSONRepair.Place) {
    let kind = place.kind.rawValue
    counts[kind] += 1
    let line = lineFeeds + place.lineFeeds + 1
    if lines[kind].last != line {
      if lines[kind].count < Self.limit {
        lines[kind].append(line)
      } else {
        hasMoreLines.insert(place.kind)
      }
    }
    guard first == nil else { return }
    let range = offset + place.range.lowerBound..<offset + place.range.upperBound
    first = JSONRepair.Place(place.kind, range, lineFeeds: line - 1, text: place.text)
  }

  mutating func move(by count: Int, lineFeeds: Int) {
    offset += count
    self.lineFeeds += lineFeeds
  }
}

/// The warning that an input was repaired: `"x.jsonl" is not valid JSON: 2 skipped lines (lines 3, 7)`
struct RepairedInputFacts: DiagnosticFacts {
  let name: String
  let report: RepairReport

  var kind: Diagnostic.Kind { .file }

  var sentence: String { localized("\"\(name)\" is not valid JSON: \(report.entries.clauses)") }

  var help: String? {
    localized("save \"FILE\" keeps what was read; the input itself stays as it is")
  }
}

extension RepairReport {
  /// `2 skipped lines (lines 3, 7)`, one per kind
  fileprivate var entries: [String] {
    JSONRepair.Kind.allCases.filter { count($0) > 0 }.map { kind in
      let lines = lines[kind.rawValue]
      let more = hasMoreLines.contains(kind) ? ["…"] : []
      let places = (lines.map(String.init) + more).list
      return lines.count == 1 && more.isEmpty
        ? localized("\(kind.counted(count(kind))) (line \(places))")
        : localized("\(kind.counted(count(kind))) (lines \(places))")
    }
  }
}

extension JSONRepair.Place {
  /// Returns what to do about an error that begins here; `path` is that of a file which `--lenient`
  /// can read.
  func help(_ error: JSONSyntaxError, _ path: String?) -> String? {
    let offer = path.map(kind.offer)
    guard kind.sentence(text) == nil, let help = StoreProblem.syntax(error).help else {
      return offer
    }
    return [help, offer].compactMap(\.self).sentences
  }
}

extension JSONRepair.Kind {
  fileprivate func counted(_ count: Int) -> String {
    switch self {
    case .line: KuraSentences.counted(count, "skipped line", "skipped lines")
    case .cutOff: localized("the cut-off end, skipped")
    case .comment: KuraSentences.counted(count, "comment", "comments")
    case .trailingComma: KuraSentences.counted(count, "extra comma", "extra commas")
    case .notFinite:
      KuraSentences.counted(
        count, "number that is not finite, read as null",
        "numbers that are not finite, read as null")
    case .word: KuraSentences.counted(count, "word of another language", "words of other languages")
    case .singleQuotes:
      KuraSentences.counted(count, "text in single quotes", "texts in single quotes")
    case .bareKey: KuraSentences.counted(count, "key without quotes", "keys without quotes")
    case .loneSurrogate:
      KuraSentences.counted(
        count, "half of a surrogate pair, read as U+FFFD",
        "halves of surrogate pairs, read as U+FFFD")
    case .invalidUTF8:
      KuraSentences.counted(
        count, "place that is not UTF-8, read as U+FFFD",
        "places that are not UTF-8, read as U+FFFD")
    case .controlCharacter:
      KuraSentences.counted(count, "control character in a text", "control characters in texts")
    case .byteOrderMark: KuraSentences.counted(count, "byte order mark", "byte order marks")
    case .typed: ""
    }
  }

  /// Returns what is not JSON, as an error says it; nil if the error of the scanner already says
  /// it.
  func sentence(_ text: String) -> String? {
    switch self {
    case .comment: localized("a comment is not JSON")
    case .trailingComma: localized("a comma before the end of a list or an object is not JSON")
    case .notFinite, .word: localized("\(text) is not JSON")
    case .singleQuotes: localized("a text in single quotes is not JSON")
    case .bareKey: localized("a key without quotes is not JSON")
    case .byteOrderMark: localized("a byte order mark after the start is not JSON")
    case .line, .cutOff, .loneSurrogate, .invalidUTF8, .controlCharacter, .typed: nil
    }
  }

  /// Returns what `--lenient` does with it.
  fileprivate func offer(_ path: String) -> String {
    switch self {
    case .line: localized("kura --lenient \"\(path)\" skips such lines")
    case .cutOff: localized("kura --lenient \"\(path)\" skips the end")
    case .comment, .trailingComma, .byteOrderMark:
      localized("kura --lenient \"\(path)\" ignores it")
    case .notFinite: localized("kura --lenient \"\(path)\" reads it as null")
    case .loneSurrogate, .invalidUTF8: localized("kura --lenient \"\(path)\" reads U+FFFD instead")
    case .word, .singleQuotes, .bareKey, .controlCharacter, .typed:
      localized("kura --lenient \"\(path)\" reads it")
    }
  }
}
