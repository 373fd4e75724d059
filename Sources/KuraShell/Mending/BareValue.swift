import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

/// A value that stands where a predicate is wanted: what may be asked of it goes by its type.
struct BareValue {
  private let fixes: [FixIt]
  private let questions: Set<String>

  /// Nil where something else is wrong.
  init?(_ text: String, _ diagnostic: Diagnostic, _ context: CheckContext) {
    guard case .bareValue? = diagnostic.facts as? PredicateSyntaxFacts,
      let span = diagnostic.span
    else { return nil }
    fixes = diagnostic.fixIts
    let end = SourceSpan(span.end, span.end)
    let nodes = TypedText(FixIt(end, " != NULL").applied(to: text), in: context).nodes
    questions = nodes.questions(at: span)
  }

  /// The fixes without questions that no object of the model could answer otherwise.
  var fitting: [FixIt] {
    fixes.filter { fix in
      guard fix.edits.count == 1, PredicateParser.questions.contains(fix.edits[0].replacement)
      else { return true }
      return questions.contains(fix.edits[0].replacement)
    }
  }
}

extension CheckedNodes {
  /// What of `PredicateParser.questions` may be asked of the value at a place.
  fileprivate func questions(at span: SourceSpan) -> Set<String> {
    let inside = nodes.filter { span.start <= $0.span.start && $0.span.end <= span.end }
    guard let value = inside.last(where: { $0.key == nil }) else {
      return CheckedType.any.questions
    }
    var questions = value.type.questions
    let keys = inside.compactMap(\.key)
    if !keys.isEmpty, !keys.contains(where: \.mayBeNull), questions.count > 1 {
      questions.remove(" != NULL")
    }
    return questions
  }
}

extension ResolvedKey {
  fileprivate var mayBeNull: Bool {
    switch property {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let relationship): relationship.isOptional
    }
  }
}

extension CheckedType {
  fileprivate var questions: Set<String> {
    switch self {
    case .attribute(.boolean), .boolean: [" == YES", " != NULL"]
    case .attribute(.string), .string: [" != \"\"", " != NULL"]
    case .number: [" != 0", " != NULL"]
    case .attribute(let type) where type.isNumeric: [" != 0", " != NULL"]
    case .collection: [".@count > 0"]
    case .attribute(.json), .any, .literal: [" == YES", ".@count > 0", " != NULL"]
    case .attribute, .object, .objectID, .entity, .date: [" != NULL"]
    }
  }
}

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
