import KuraChecking
import KuraDiagnostics

extension RepairGroup {
  /// Returns the fixes that the rules propose for a text, in the order of the rules.
  func fixes(in text: RepairText) -> [FixIt] {
    guard joins else { return rules.flatMap { $0.fixes(in: text) } }
    var readings: [[FixIt]] = []
    var place = 0
    while place < text.parts.count {
      let found = rules.lazy.compactMap { rule -> (end: Int, fixes: [FixIt])? in
        let matches = rule.pattern.matches(in: text, from: place)
        guard let end = matches.first?.end else { return nil }
        let fixes = matches.filter { $0.end == end }.flatMap { rule.fixes(of: $0, in: text) }
        return fixes.isEmpty ? nil : (end, fixes)
      }
      .first
      if let found { readings.append(found.fixes) }
      place = max(place + 1, found?.end ?? 0)
    }
    // A user writes all dates in the same way.
    return (0..<(readings.map(\.count).max() ?? 0)).map { choice in
      FixIt(edits: readings.flatMap { $0[min(choice, $0.count - 1)].edits })
    }
  }
}

extension RepairRule {
  /// The most matches of one rule that are tried.
  private static let most = 60

  /// Returns the fixes of all matches, those next to the mistake first.
  fileprivate func fixes(in text: RepairText) -> [FixIt] {
    let places = pattern.isAtStart ? 0...0 : 0...text.parts.count
    let near = places.sorted { abs($0 - text.place) < abs($1 - text.place) }
    return Array(
      near.lazy.flatMap { pattern.matches(in: text, from: $0) }.prefix(Self.most)
        .flatMap { fixes(of: $0, in: text) })
  }

  /// Returns the fixes of one match; several if the replacement names entities or keys of the
  /// model.
  fileprivate func fixes(of match: RepairMatch, in text: RepairText) -> [FixIt] {
    text.expansions(of: replacement, match).map { FixIt(edits: edits($0, match, text)) }
      .filter { !$0.edits.isEmpty }
  }

  /// Returns the edits between the parts of the match that are kept.
  private func edits(_ template: String, _ match: RepairMatch, _ text: RepairText) -> [TextEdit] {
    var edits: [TextEdit] = []
    var place = match.span.start
    var pending = ""
    for piece in TemplatePiece.all(of: template) {
      switch piece {
      case .literal(let literal): pending += literal
      case .capture(let name, let form):
        guard let capture = match.captures[name] else {
          if pending.hasSuffix(" ") { pending.removeLast() }
          continue
        }
        let isKept = form == nil && capture.text == nil && capture.span.start >= place
        guard isKept else {
          pending += form.apply(to: capture.text ?? text.text(capture.span))
          continue
        }
        edits.add(pending, for: SourceSpan(place, capture.span.start), in: text)
        (place, pending) = (capture.span.end, "")
      }
    }
    edits.add(pending, for: SourceSpan(place, match.span.end), in: text)
    return edits
  }
}

/// A part of a replacement.
private enum TemplatePiece {
  case literal(String)
  /// `<name>`, or in quotes `<name">`
  case capture(String, Form?)

  enum Form: Character {
    /// `"Office"` for `Office`
    case quoted = "\""
    /// `Office` for `"Office"`
    case unquoted = "'"
    /// `(a OR b)` for `a OR b`
    case grouped = ")"
    /// `2` for `"2"`, `==` for ``: a value or a sign in Kura's syntax
    case plain = "="
    /// `7` for `七`
    case digits = "#"
    /// As written, without the text before it
    case written = "!"
    /// `string` for `String`
    case lowercase = "~"
  }

  static func all(of template: String) -> [TemplatePiece] {
    var pieces: [TemplatePiece] = []
    var rest = template[...]
    while let match = rest.firstMatch(of: #/<(?<name>[a-z]+)(?<form>["')=#!~]?)>/#) {
      pieces.append(.literal(String(rest[..<match.range.lowerBound])))
      pieces.append(
        .capture(String(match.output.name), match.output.form.first.flatMap(Form.init)))
      rest = rest[match.range.upperBound...]
    }
    return pieces + [.literal(String(rest))]
  }
}

extension TemplatePiece.Form? {
  fileprivate func apply(to text: String) -> String {
    switch self {
    case .quoted: return text.writtenText
    case .unquoted: return text.count > 1 ? String(text.dropFirst().dropLast()) : text
    case .grouped:
      return text.firstMatch(of: #/(?i:\bor\b)|\|\|/#) == nil ? text : "(\(text))"
    case .plain: return ["": "==", "=": "==", "<>": "!="][text] ?? text.asLiteral
    case .digits: return text.plainDigits ?? text
    case .lowercase: return text.lowercased()
    case .written, nil: return text
    }
  }
}

extension [TextEdit] {
  /// Adds an edit that replaces a span, without equal words at its ends.
  fileprivate mutating func add(_ new: String, for span: SourceSpan, in text: RepairText) {
    var (span, new) = (span, new)
    let old = text.text(span)
    guard old != new else { return }
    let same = zip(old, new).prefix { $0 == $1 }.map(\.0)
    // Quoted text is not split.
    let shared =
      same.indices.last { place in
        same[place] == " " && same[..<place].count { $0 == "\"" } % 2 == 0
      }
      .map { $0 + 1 } ?? 0
    // The spaces are one byte.
    let end = old.last == " " && new.last == " " && Swift.min(old.count, new.count) > shared ? 1 : 0
    span.start += String(same.prefix(shared)).utf8.count
    span.end -= end
    new = String(new.dropFirst(shared).dropLast(end))
    if new.isEmpty, span.start == span.end { return }
    if new.isEmpty, span.start == 0 { span = text.withBlanks(span) }
    let (before, next) = (text.letter(before: span.start), text.letter(at: span.end))
    let joins = new.isEmpty && old != "," && next || new.first?.isWordLike == true
    if joins, before { new = " " + new }
    if next, new.last?.isWordLike == true { new += " " }
    append(TextEdit(span, new))
  }
}

extension RepairText {
  /// Returns a span with the spaces after it.
  fileprivate func withBlanks(_ span: SourceSpan) -> SourceSpan {
    SourceSpan(span.start, bytes[span.end...].firstIndex { $0 > 0x20 } ?? bytes.count)
  }

  /// Returns whether a letter, a digit or a quote ends at a place.
  fileprivate func letter(before place: Int) -> Bool {
    String(decoding: bytes[..<place].suffix(4), as: UTF8.self).last?.endsWord == true
  }

  fileprivate func letter(at place: Int) -> Bool {
    String(decoding: bytes[place...].prefix(4), as: UTF8.self).first?.isWordLike == true
  }
}

extension Character {
  fileprivate var isWordLike: Bool { isLetter || isNumber || self == "_" }
  fileprivate var endsWord: Bool { isWordLike || ")\"'".contains(self) }
}
