import KuraChecking
import KuraDiagnostics
import KuraForeign
import KuraScript

/// Checks translations against the syntax and the open model: an invalid one is not offered.
struct TranslationCheck {
  private let context: CheckContext

  init(_ context: CheckContext) { self.context = context }

  /// Returns the checked text, in which its own variables may have any type.
  private func typed(_ text: String) -> TypedText {
    var context = context
    for name in Self.newVariables(text) where context.types[name] == nil {
      context.types[name] = .any
    }
    return TypedText(text, in: context)
  }

  /// Returns the first problem of a text; nil if it is valid.
  func problem(of text: String) -> Diagnostic? {
    typed(text).problems.first { $0.severity == .error }
  }

  /// Returns whether a text consists of valid statements.
  func isSound(_ text: String) -> Bool {
    let typed = typed(text)
    guard !typed.statements.all.isEmpty else { return false }
    let isRead = typed.statements.all.allSatisfy { part in
      switch part {
      case .statement: true
      case .failure: false
      case .setting(let range):
        Self.isSetting(String(decoding: Array(text.utf8)[range], as: UTF8.self))
      }
    }
    return isRead && !typed.problems.contains { $0.severity == .error }
  }

  /// Returns the variables that the text sets.
  private static func newVariables(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("let $") else { return nil }
      return String(line.dropFirst(5).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  private static func isSetting(_ line: String) -> Bool {
    let word = line.drop { $0 == "." }.prefix { $0.isLetter }
    return Setting.named(Name(String(word))) != nil
  }
}

extension TranslationCheck {
  /// Returns up to three edits that translate a text, the most likely first.
  func fixes(of reading: ForeignReading, in source: SourceText) -> [TextEdit] {
    let text = source.text(reading.span)
    let sound = reading.translations.filter {
      Self.words($0) != Self.words(text) && isSound($0) && !isIdle($0, in: reading)
    }
    return sound.prefix(3).map { edit(reading, $0, source) }
  }

  /// Returns whether a translated phrase compares two literals, as the one for `not "x"` does.
  private func isIdle(_ translation: String, in reading: ForeignReading) -> Bool {
    reading.kind == .phrase && TypedStatements(translation).idleComparisons > 0
  }

  private static func words(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace)
  }

  /// Returns the edit that replaces a text with its translation; for a statement of Kura only the
  /// changed part.
  private func edit(
    _ reading: ForeignReading, _ translation: String, _ source: SourceText
  ) -> TextEdit {
    if reading.kind == .phrase {
      return TextEdit.change(of: reading.span, to: translation, in: source)
    }
    let isLast = source.bytes[reading.span.end...].allSatisfy {
      $0 <= 32 || $0 == UInt8(ascii: ";")
    }
    if isLast, source.bytes[reading.span.end...].contains(UInt8(ascii: ";")) {
      let end = source.bytes.lastIndex { $0 > 32 }.map { $0 + 1 } ?? reading.span.end
      return TextEdit(SourceSpan(reading.span.start, end), translation)
    }
    let isSetting = translation.split(separator: "\n").contains { $0.hasPrefix(".") }
    guard isSetting else { return TextEdit(reading.span, translation) }
    // A setting needs a line of its own.
    var end = reading.span.end
    let rest = source.bytes[end...].prefix { $0 == UInt8(ascii: ";") || $0 == 32 }
    end = rest.endIndex
    let continues = end < source.bytes.count && source.bytes[end] != UInt8(ascii: "\n")
    return TextEdit(SourceSpan(reading.span.start, end), translation + (continues ? "\n" : ""))
  }

  /// Returns the edits of the following statements, as far as they are in the same language.
  func following(
    _ reading: ForeignReading, _ source: SourceText, _ translator: ForeignTranslator
  ) -> [TextEdit] {
    guard reading.language == .sql, reading.kind == .statement else { return [] }
    var (edits, place) = ([TextEdit](), reading.span.end)
    let begins = reading.translations.contains("begin")
    for _ in 0..<50 {
      let between = source.bytes[place...].prefix { $0 <= 32 || $0 == UInt8(ascii: ";") }
      guard between.endIndex > place, between.endIndex < source.bytes.count else { break }
      let next = translator.readings(of: source.bytes, from: between.endIndex)
        .filter { $0.language == .sql || $0.kind == .phrase }
      guard let span = next.first?.span else { break }
      place = max(span.end, between.endIndex)
      let text = source.text(span)
      if isSound(text), !(begins && text.lowercased() == "rollback") { continue }
      guard let found = next.lazy.compactMap({ fixes(of: $0, in: source).first }).first else {
        break
      }
      edits.append(found)
      place = max(place, found.span.end)
    }
    return edits
  }
}

extension TextEdit {
  /// Returns the edit of a text, without the words at its ends that stay the same.
  fileprivate static func change(of span: SourceSpan, to text: String, in source: SourceText)
    -> TextEdit
  {
    let (old, new) = (Array(source.text(span).utf8), Array(text.utf8))
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    let (oldBlanks, newBlanks) = (blanks(in: old), blanks(in: new))
    while head > 0, !oldBlanks[head - 1] { head -= 1 }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    while tail > 0, !oldBlanks[old.count - tail] || !newBlanks[new.count - tail] { tail -= 1 }
    let changed = new[head..<(new.count - tail)]
    return TextEdit(
      SourceSpan(span.start + head, span.end - tail), String(decoding: changed, as: UTF8.self))
  }

  /// Returns whether each byte is a blank between words. A quoted text or name is one word.
  private static func blanks(in text: [UInt8]) -> [Bool] {
    var (quote, isEscaped) = (UInt8?.none, false)
    return text.map { byte in
      if quote != nil, !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
        return false
      }
      defer { isEscaped = false }
      guard quote == nil else {
        if byte == quote, !isEscaped { quote = nil }
        return false
      }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
      return byte <= 32
    }
  }
}
