import KuraSentences

/// A text that replaces a span.
public struct TextEdit: Sendable, Hashable {
  /// The span to replace; an empty span inserts text.
  public var span: SourceSpan
  /// The new text.
  public var replacement: String

  /// Creates an edit.
  public init(_ span: SourceSpan, _ replacement: String) {
    self.span = span
    self.replacement = replacement
  }
}

/// A change of a text that resolves a problem.
///
///     FixIt(span, "title")                                             // write "title" for "titl"
///     FixIt(edits: [TextEdit(start, "("), TextEdit(end, ")")])         // two edits make one fix
public struct FixIt: Sendable, Hashable {
  /// The edits in the order of the text, without overlaps.
  public var edits: [TextEdit]
  /// The effect of the fixed statement on data, such as `deletes 5 objects`; nil if it has none or
  /// it is unknown.
  public var effect: String?
  /// The words of another language that the fix replaces by those of Kura, if it preserves the
  /// meaning for certain; empty for any other fix.
  package var respellings: [Respelling] = []

  /// Creates a fix with one edit.
  public init(_ span: SourceSpan, _ replacement: String) {
    edits = [TextEdit(span, replacement)]
  }

  /// Creates a fix that writes a word of another language, such as `ORDER BY`, as Kura does.
  package init(_ span: SourceSpan, _ replacement: String, _ respelling: Respelling) {
    self.init(span, replacement)
    respellings = [respelling]
  }

  /// Creates a fix with several edits; n log n in them.
  public init(edits: [TextEdit]) {
    self.edits = edits.sorted { $0.span.start < $1.span.start }
  }
}

/// What a fix writes for words of another language that can have only one meaning at their place.
package enum Respelling: Sendable, Hashable {
  /// `sort` for `ORDER BY`
  case word(String, as: String)
  /// `fetch Item` for `SELECT * FROM Item`
  case statement(String)
}

extension FixIt {
  /// Returns the fix with all spans moved by a number of bytes.
  package func moved(by distance: Int) -> FixIt {
    mapSpans { SourceSpan($0.start + distance, $0.end + distance) }
  }

  /// Returns the fix with spans mapped by a closure.
  package func mapSpans(_ place: (SourceSpan) -> SourceSpan) -> FixIt {
    var fix = self
    fix.edits = edits.map { TextEdit(place($0.span), $0.replacement) }
    return fix
  }

  /// Returns the text with the fix applied; linear.
  package func applied(to text: String) -> String {
    var bytes = Array(text.utf8)
    for edit in edits.reversed() {
      let start = min(max(edit.span.start, 0), bytes.count)
      let end = min(max(edit.span.end, start), bytes.count)
      bytes.replaceSubrange(start..<end, with: edit.replacement.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The span from the first edit to the last.
  package var span: SourceSpan {
    guard let first = edits.first, let last = edits.last else { return .none }
    return SourceSpan(first.span.start, last.span.end)
  }

  /// Returns the text that replaces the span.
  package func replacement(in source: SourceText?) -> String {
    var (text, place) = ("", span.start)
    for edit in edits {
      text += (source?.text(SourceSpan(place, edit.span.start)) ?? "") + edit.replacement
      place = edit.span.end
    }
    return text
  }

  /// Returns a short description of the fix: `write "title" for "titl"`.
  ///
  /// If the fix is not at the place of the error, it contains the whole line.
  func title(in source: SourceText?, at place: SourceSpan? = nil) -> String {
    let edit = editTitle(in: source, at: place)
    return effect.map { edit + $0.parenthesized } ?? edit
  }

  private func editTitle(in source: SourceText?, at place: SourceSpan?) -> String {
    let width = DisplayWidth()
    let new = width.truncated(replacement(in: source), to: 200)
    let old = width.truncated(source?.text(span) ?? "", to: 60)
    let isAway = place.map { span.end < $0.start || $0.end < span.start } ?? false
    if edits.count > 1 || old.isEmpty || isAway, let line = correctedLine(of: source) {
      return localized("write \(line)")
    }
    if old.isEmpty { return localized("insert \(inQuotes(new))") }
    if new.isEmpty { return localized("remove \(inQuotes(old))") }
    if replacesAll(of: source) { return localized("write \(new.asTyped)") }
    return localized("write \(inQuotes(new, old)) for \(inQuotes(old, new))")
  }

  /// Returns the fixed line, if the whole fix is in one line. This is easier to follow than several
  /// edits, or an insertion between words.
  private func correctedLine(of source: SourceText?) -> String? {
    guard let source, span.end <= source.bytes.count, span.start >= 0 else { return nil }
    let line = source.lineRange(at: span.start)
    guard span.end <= line.upperBound, line.count <= 200 else { return nil }
    let text = source.text(SourceSpan(line.lowerBound, line.upperBound))
    let corrected = moved(by: -line.lowerBound).applied(to: text)
    let end = corrected.lastIndex { !$0.isWhitespace }.map { corrected.index(after: $0) }
    guard let end, !corrected[..<end].contains(where: \.isNewline) else { return nil }
    return String(corrected[..<end].drop(while: \.isWhitespace))
  }

  /// Returns whether the fix replaces the whole text, which is already shown above.
  private func replacesAll(of source: SourceText?) -> Bool {
    guard let source else { return false }
    return span.start <= 0 && span.end >= source.bytes.count && source.bytes.contains(0x20)
  }

  /// Returns a text in quotes, unless the fix itself concerns quotes, as in `write 1 for "1"`.
  private func inQuotes(_ text: String, _ other: String = "") -> String {
    let hasQuotes = (text + other).contains { $0 == "\"" || $0 == "'" }
    return hasQuotes && Language.current == .english ? text : quoted(text)
  }

  /// Returns one fix that combines this fix and the next, whose spans refer to the result of this
  /// one.
  ///
  /// `count` is the length of the original text in bytes.
  package func followed(by next: FixIt, count: Int) -> FixIt {
    var pieces = [TextPiece.original(0..<count)]
    for edit in edits.reversed() { pieces.apply(edit) }
    for edit in next.edits.reversed() { pieces.apply(edit) }
    var both = FixIt(edits: pieces.edits(count: count))
    let isCertain = !respellings.isEmpty && !next.respellings.isEmpty
    if isCertain { both.respellings = respellings + next.respellings }
    return both
  }
}

extension String {
  /// Statements on several lines as one line that can be typed: `begin; commit`. A setting, or a model whose braces are
  /// on several lines, stays as it is.
  fileprivate var asTyped: String {
    let lines = split(separator: "\n").map { line in
      line.last == ";" ? line.dropLast() : line
    }
    let canJoin = lines.allSatisfy { line in
      line.first != "." && line.count { $0 == "{" } == line.count { $0 == "}" }
    }
    return canJoin ? lines.joined(separator: "; ") : self
  }
}

/// A piece of an edited text.
private enum TextPiece {
  /// A range of bytes of the original text.
  case original(Range<Int>)
  case new(String)

  var count: Int {
    switch self {
    case .original(let range): range.count
    case .new(let text): text.utf8.count
    }
  }

  func part(_ range: Range<Int>) -> TextPiece {
    switch self {
    case .original(let whole):
      .original(whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
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

  /// Returns the pieces in a range of the edited text.
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

  /// Returns the edits that turn a text of this length into the pieces.
  fileprivate func edits(count: Int) -> [TextEdit] {
    var (edits, place, new) = ([TextEdit](), 0, "")
    for piece in self + [.original(count..<count)] {
      switch piece {
      case .new(let text): new += text
      case .original(let range):
        if range.lowerBound > place || !new.isEmpty {
          edits.append(TextEdit(SourceSpan(place, range.lowerBound), new))
        }
        (place, new) = (range.upperBound, "")
      }
    }
    return edits
  }
}
