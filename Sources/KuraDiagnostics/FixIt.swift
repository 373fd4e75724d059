import KuraSentences

/// A text that replaces a span.
public struct TextEdit: Sendable, Hashable {
  /// What is replaced; an empty one is where something is inserted.
  public var span: SourceSpan
  /// What stands there then.
  public var replacement: String

  /// Makes an edit.
  public init(_ span: SourceSpan, _ replacement: String) {
    self.span = span
    self.replacement = replacement
  }
}

/// A change of a text that mends an error.
///
///     FixIt(span, "title")                                             // write "title" for "titl"
///     FixIt(edits: [TextEdit(start, "("), TextEdit(end, ")")])         // two edits make one fix
public struct FixIt: Sendable, Hashable {
  /// What is replaced, in the order of the text; no two of them overlap.
  public var edits: [TextEdit]
  /// What the mended statement does to data, `deletes 5 objects`; nil if it changes nothing or that is unknown.
  public var effect: String?

  /// Makes a fix of one edit.
  public init(_ span: SourceSpan, _ replacement: String) {
    edits = [TextEdit(span, replacement)]
  }

  /// Makes a fix of edits that belong together; n log n in them.
  public init(edits: [TextEdit]) {
    self.edits = edits.sorted { $0.span.start < $1.span.start }
  }
}

extension FixIt {
  /// The same where the text begins so many bytes earlier.
  package func moved(by distance: Int) -> FixIt {
    mapSpans { SourceSpan($0.start + distance, $0.end + distance) }
  }

  /// The same with other places.
  package func mapSpans(_ place: (SourceSpan) -> SourceSpan) -> FixIt {
    FixIt(edits: edits.map { TextEdit(place($0.span), $0.replacement) })
  }

  /// The text as the fix leaves it; linear.
  package func applied(to text: String) -> String {
    var bytes = Array(text.utf8)
    for edit in edits.reversed() {
      let start = min(max(edit.span.start, 0), bytes.count)
      let end = min(max(edit.span.end, start), bytes.count)
      bytes.replaceSubrange(start..<end, with: edit.replacement.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What is replaced, from the first edit to the last.
  package var span: SourceSpan {
    guard let first = edits.first, let last = edits.last else { return .none }
    return SourceSpan(first.span.start, last.span.end)
  }

  /// What stands where the span stood.
  package func replacement(in source: SourceText?) -> String {
    var (text, place) = ("", span.start)
    for edit in edits {
      text += (source?.text(SourceSpan(place, edit.span.start)) ?? "") + edit.replacement
      place = edit.span.end
    }
    return text
  }
}

extension FixIt {
  /// What the fix does to the text, in a few words: `write "title" for "titl"`.
  ///
  /// Away from the place of the mistake the whole line is shown.
  func title(in source: SourceText?, at place: SourceSpan? = nil) -> String {
    let edit = editTitle(in: source, at: place)
    return effect.map { "\(edit) (\($0))" } ?? edit
  }

  private func editTitle(in source: SourceText?, at place: SourceSpan?) -> String {
    let width = DisplayWidth()
    let new = width.truncated(replacement(in: source), to: 200)
    let old = width.truncated(source?.text(span) ?? "", to: 60)
    let isAway = place.map { span.end < $0.start || $0.end < span.start } ?? false
    if edits.count > 1 || old.isEmpty || isAway, let line = mendedLine(of: source) {
      return localized("write \(line)")
    }
    if old.isEmpty { return localized("insert \(inQuotes(new))") }
    if new.isEmpty { return localized("remove \(inQuotes(old))") }
    if replacesAll(of: source) { return localized("write \(new)") }
    return localized("write \(inQuotes(new, old)) for \(inQuotes(old, new))")
  }

  /// The line as it reads then, if all of the fix is in one: edits here and there, and what stands
  /// between two words, are hard to follow.
  private func mendedLine(of source: SourceText?) -> String? {
    guard let source, span.end <= source.bytes.count, span.start >= 0 else { return nil }
    let line = source.lineRange(at: span.start)
    guard span.end <= line.upperBound, line.count <= 200 else { return nil }
    let text = source.text(SourceSpan(line.lowerBound, line.upperBound))
    let mended = moved(by: -line.lowerBound).applied(to: text)
    let end = mended.lastIndex { !$0.isWhitespace }.map { mended.index(after: $0) }
    guard let end, !mended[..<end].contains(where: \.isNewline) else { return nil }
    return String(mended[..<end].drop(while: \.isWhitespace))
  }

  /// Whether nothing of the text stays: what stood there is above.
  private func replacesAll(of source: SourceText?) -> Bool {
    guard let source else { return false }
    return span.start <= 0 && span.end >= source.bytes.count && source.bytes.contains(0x20)
  }

  /// In quotes, unless quotes are what it is about: those of `write 1 for "1"` are the text's own.
  private func inQuotes(_ text: String, _ other: String = "") -> String {
    let hasQuotes = (text + other).contains { $0 == "\"" || $0 == "'" }
    return hasQuotes && Language.current == .english ? text : quoted(text)
  }
}

extension FixIt {
  /// One fix that does what this one does and then the next, whose places are those of the text that
  /// this one leaves.
  ///
  /// `count` is the length in bytes of the text before both.
  package func followed(by next: FixIt, count: Int) -> FixIt {
    var pieces = [TextPiece.kept(0..<count)]
    for edit in edits.reversed() { pieces.apply(edit) }
    for edit in next.edits.reversed() { pieces.apply(edit) }
    return FixIt(edits: pieces.edits(count: count))
  }
}

/// A part of an edited text.
private enum TextPiece {
  /// What stood in the text, by its bytes.
  case kept(Range<Int>)
  case new(String)

  var count: Int {
    switch self {
    case .kept(let range): range.count
    case .new(let text): text.utf8.count
    }
  }

  func part(_ range: Range<Int>) -> TextPiece {
    switch self {
    case .kept(let whole):
      .kept(whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
    case .new(let text):
      .new(String(decoding: Array(text.utf8)[range], as: UTF8.self))
    }
  }
}

extension [TextPiece] {
  fileprivate mutating func apply(_ edit: TextEdit) {
    self =
      part(0..<edit.span.start) + [.new(edit.replacement)] + part(edit.span.end..<Int.max)
  }

  /// What lies between two places of the edited text.
  private func part(_ wanted: Range<Int>) -> [TextPiece] {
    var (found, place) = ([TextPiece](), 0)
    for piece in self {
      let whole = place..<place + piece.count
      let common = wanted.clamped(to: whole)
      if !common.isEmpty {
        found.append(piece.part(common.lowerBound - place..<common.upperBound - place))
      }
      place = whole.upperBound
    }
    return found
  }

  /// The edits that make it of a text of so many bytes.
  fileprivate func edits(count: Int) -> [TextEdit] {
    var (edits, place, new) = ([TextEdit](), 0, "")
    for piece in self + [.kept(count..<count)] {
      switch piece {
      case .new(let text): new += text
      case .kept(let range):
        if range.lowerBound > place || !new.isEmpty {
          edits.append(TextEdit(SourceSpan(place, range.lowerBound), new))
        }
        (place, new) = (range.upperBound, "")
      }
    }
    return edits
  }
}
