import KuraDiagnostics
import Synchronization

/// A pattern of consecutive parts of a statement.
///
///     ^ fetch|count:verb <entity> _<number> $
///
/// Spaces separate words in lowercase with `|` between alternatives, classes, and signs. A class is
/// one of `RepairWords` or a `PartClass`. `^` is the statement's first part, `$` its end, and `@`
/// the place of the mistake. A `_` before an item means that it touches the part before it, `?`
/// after an item that it is optional, and `+` that it may repeat. `:name` names what an item
/// matches; a class has its own name. The same name matches the same text.
struct TokenPattern: Sendable {
  private let items: [Item]
  /// Whether it can only match at the beginning of the statement.
  let isAtStart: Bool

  init(_ text: String) {
    items = text.split(separator: " ").map { Item(String($0)) }
    isAtStart = text.hasPrefix("^")
  }

  /// Returns the matches that begin at a place, the shortest first.
  func matches(in text: RepairText, from start: Int) -> [RepairMatch] {
    var found: [RepairMatch] = []
    extend(RepairMatch(start, in: text), 0, in: text, &found)
    return found
  }

  private func extend(
    _ match: RepairMatch, _ index: Int, in text: RepairText, _ found: inout [RepairMatch]
  ) {
    guard found.count < 60 else { return }
    guard index < items.count else { return found.append(match) }
    let item = items[index]
    for (end, capture, groups) in item.ends(in: text, from: match.end) {
      guard let next = match.followed(by: item.name, end, capture, groups, text) else { continue }
      if item.repeats, end > match.end { extend(next, index, in: text, &found) }
      extend(next, index + 1, in: text, &found)
    }
    if item.isOptional { extend(match, index + 1, in: text, &found) }
  }
}

struct RepairMatch {
  struct Capture {
    var span: SourceSpan
    /// The meaning, if it differs from the text.
    var text: String?
  }

  let start: Int
  /// The index of the part after the last one.
  private(set) var end: Int
  private(set) var span: SourceSpan
  private(set) var captures: [String: Capture] = [:]

  fileprivate init(_ start: Int, in text: RepairText) {
    (self.start, end) = (start, start)
    let isAfter = start >= text.parts.count
    let place = isAfter ? text.span(start..<start).end : text.parts[start].span.start
    span = SourceSpan(place, place)
  }

  /// Returns the match with one more item; nil if the same name has matched another text.
  fileprivate func followed(
    by name: String, _ end: Int, _ capture: Capture, _ groups: [String: String], _ text: RepairText
  ) -> RepairMatch? {
    var next = self
    next.end = end
    next.span.end = max(span.end, capture.span.end)
    for (name, group) in groups { next.captures[name] = Capture(span: capture.span, text: group) }
    if name.isEmpty || groups[name] != nil { return next }
    if let same = captures[name] {
      return text.text(same.span).lowercased() == text.text(capture.span).lowercased() ? next : nil
    }
    next.captures[name] = capture
    return next
  }
}

/// One item of a pattern.
private struct Item: Sendable {
  enum Test: Sendable {
    case start, end, mistake
    case words(Set<String>)
    case written(WrittenClass)
    case part(PartClass)
  }

  var test = Test.words([])
  var name = ""
  var isOptional = false
  var repeats = false
  var touches = false

  init(_ written: String) {
    var text = written
    if text.count > 1, text.hasPrefix("_") {
      touches = true
      text.removeFirst()
    }
    if text.count > 1, let last = text.last, last == "?" || last == "+" {
      (isOptional, repeats) = (last == "?", last == "+")
      text.removeLast()
    }
    switch text {
    case "^": test = .start
    case "$": test = .end
    case "@": test = .mistake
    default:
      if let (kind, name) = Self.part(text) {
        self.name = repeats ? "" : name ?? kind
        test = RepairWords.tests[kind] ?? PartClass(rawValue: kind).map(Test.part) ?? test
      } else {
        if let colon = text.lastIndex(of: ":"), colon > text.startIndex,
          Self.isName(text[text.index(after: colon)...])
        {
          name = String(text[text.index(after: colon)...])
          text = String(text[..<colon])
        }
        test = .words(Set(text.split(separator: "|").map(String.init)))
      }
    }
  }

  /// Returns the class and the name of `<class>` or `<class:name>`; nil for words.
  private static func part(_ text: String) -> (kind: String, name: String?)? {
    guard text.hasPrefix("<"), text.hasSuffix(">"), text.count > 2 else { return nil }
    let parts = text.dropFirst().dropLast()
      .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy(isName) else { return nil }
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { 0x61...0x7A ~= $0 }
  }

  /// Returns the ends of the matches at a place, with the matched text.
  func ends(in text: RepairText, from place: Int)
    -> [(end: Int, RepairMatch.Capture, groups: [String: String])]
  {
    let here = RepairMatch.Capture(span: text.span(place..<place))
    let part = place < text.parts.count ? text.parts[place] : nil
    if touches, part?.isAdjacent != true { return [] }
    switch test {
    case .start: return place == 0 ? [(place, here, [:])] : []
    case .end: return part == nil ? [(place, here, [:])] : []
    case .mistake: return place == text.place ? [(place, here, [:])] : []
    case .words(let words):
      guard let part, words.contains(part.word) else { return [] }
      return [(place + 1, .init(span: part.span), [:])]
    case .written(let written):
      return part == nil ? [] : written.match(in: text, from: place).map { [$0] } ?? []
    case .part(let kind): return kind.ends(in: text, from: place).map { ($0.end, $0.1, [:]) }
    }
  }
}

extension RepairWords {
  /// The words or the expression of each class.
  fileprivate static let tests: [String: Item.Test] = Dictionary(
    uniqueKeysWithValues: table.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let written = parts[1] == "~" ? WrittenClass(parts[2]) : nil
      let words = Set(parts[2].split(separator: " ").map(String.init))
      return (parts[0], written.map(Item.Test.written) ?? .words(words))
    })

  /// Returns whether a class of words has a word.
  static func has(_ name: String, _ word: String) -> Bool {
    if case .words(let words)? = tests[name] { words.contains(word) } else { false }
  }
}

/// A class that is defined by a regular expression for the text from a part on. The expression is
/// compiled at first use, because most mistakes need only some of them.
private final class WrittenClass: Sendable {
  private let pattern: String
  private let compiled = Mutex<Regex<AnyRegexOutput>?>(nil)

  init(_ pattern: String) { self.pattern = pattern }

  func match(in text: RepairText, from place: Int)
    -> (end: Int, RepairMatch.Capture, groups: [String: String])?
  {
    let rest = text.tails[place]
    guard let (length, groups) = match(rest) else { return nil }
    let start = text.parts[place].span.start
    let end = start + length
    let next = text.parts.firstIndex { $0.span.start >= end } ?? text.parts.count
    return (next, .init(span: SourceSpan(start, end)), groups)
  }

  /// Returns the length of the match at the start of a text, in bytes, and the named groups; nil
  /// without a match.
  private func match(_ text: String) -> (length: Int, groups: [String: String])? {
    compiled.withLock { compiled in
      if compiled == nil { compiled = try? Regex(pattern) }
      guard let compiled, let match = text.prefixMatch(of: compiled), !match.range.isEmpty else {
        return nil
      }
      var groups: [String: String] = [:]
      for part in match.output {
        if let name = part.name, let found = part.substring { groups[name] = String(found) }
      }
      return (text[match.range].utf8.count, groups)
    }
  }
}
