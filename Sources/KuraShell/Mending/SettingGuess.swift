import KuraDiagnostics
import KuraModel
import KuraScript

/// `.mode json` for `mode json`, `set mode json` and `set mode = json`.
enum SettingGuess {
  static func fixes(_ text: String, _ diagnostic: Diagnostic) -> [FixIt] {
    guard let span = diagnostic.span else { return [] }
    switch diagnostic.facts as? StatementFacts {
    case .unknownStatement(let word, _) where Setting.named(Name(word)) != nil:
      return [FixIt(SourceSpan(span.start, span.start), ".")]
    case .foreignStatement(let word, _) where word.lowercased() == "set":
      return assigned(Array(text.utf8), from: span).map { [$0] } ?? []
    default: return []
    }
  }

  /// What is set behind the word, without it and the sign.
  private static func assigned(_ bytes: [UInt8], from set: SourceSpan) -> FixIt? {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let name = bytes[set.end...].drop(while: isBlank).prefix { !isBlank($0) && $0 != 0x3D }
    guard Setting.named(Name(String(decoding: name, as: UTF8.self))) != nil else { return nil }
    let sign = bytes[name.endIndex...].prefix { isBlank($0) || $0 == 0x3D }
    let word = TextEdit(SourceSpan(set.start, name.startIndex), ".")
    guard sign.contains(0x3D) else { return FixIt(edits: [word]) }
    return FixIt(edits: [word, TextEdit(SourceSpan(sign.startIndex, sign.endIndex), " ")])
  }
}
