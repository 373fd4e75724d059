import KuraDiagnostics
import KuraSentences

/// Finds the language of a text by its shape, and says how to ask the same in Kura.
struct Recognition {
  let names: ModelNames
  /// The entity that is meant if the text names none.
  let entity: String?
  let bytes: [UInt8]
  let span: SourceSpan
  private let tokens: [ForeignToken]

  init(_ names: ModelNames, entity: String?, _ bytes: [UInt8], _ span: SourceSpan) {
    self.names = names
    self.entity = entity
    self.bytes = bytes
    self.span = span
    tokens = ForeignLexer.tokens(of: bytes, span, .code).dropLast()
  }

  /// The reading of a text of another language; nil if it has the shape of none.
  func reading() -> ForeignReading? {
    guard let found = RecognizedLanguage.all.first(where: { $0.shapes.contains(where: isFound) })
    else { return nil }
    if found.language == .shell {
      guard !isCallOrAssignment else { return nil }
      let form = ShellWord.forms[tokens[0].text] ?? ""
      let idea = form.replacing("OBJECT", with: object).replacing("ENTITY", with: source)
      return reading(.shell, idea: localized("write \(idea)"))
    }
    let idea =
      found.language == .jq
      ? localized("write \(outline); see From jq") : localized("write \(outline)")
    return reading(found.language, idea: idea)
  }

  /// The reading of a statement of Kura with words of another language that have no counterpart.
  func phrase() -> ForeignReading? {
    let found = RecognizedLanguage.inStatements
    guard let shape = found.shapes.first(where: isFound) else { return nil }
    let isRange = shape.contains("range")
    return reading(
      found.language,
      idea: localized("write \(isRange ? "BETWEEN {1, 9}" : "fetch \(source) where …")"))
  }

  /// The same of a statement of Kura that goes on as a command line does: `fetch Item | head -3`.
  func pipe() -> ForeignReading? {
    let text = String(decoding: bytes[span.start..<span.end], as: UTF8.self)
    let parts = ForeignLexer.tokens(of: bytes, span, .kura).dropLast()
    if let sign = parts.firstIndex(where: { $0.is("|") }), sign + 1 < parts.endIndex {
      let word = parts[sign + 1].text
      if let step = ShellWord.steps[word] {
        return reading(.shell, idea: localized("write \(step.replacing("ENTITY", with: source))"))
      }
      let rest = String(decoding: bytes[parts[sign + 1].span.start..<span.end], as: UTF8.self)
      guard parts[sign + 1].kind == .word else { return nil }
      return reading(
        .shell,
        idea: localized("write .once | \(rest) in the line before; .output sends all answers"))
    }
    let file = text.components(of: " > ").last ?? ""
    let endings = ["json", "jsonl", "csv", "tsv", "txt", "md", "html", "log"]
    guard text.contains(" > "), !file.contains(" "),
      let ending = file.components(of: ".").last, file.contains("."), endings.contains(ending)
    else { return nil }
    return reading(.shell, idea: localized("write .once \(file) in the line before"))
  }

  private func reading(_ language: ForeignLanguage, idea: String) -> ForeignReading {
    var reading = ForeignReading(language: language, span: span, place: span, translations: [])
    reading.idea = idea
    return reading
  }

  /// `open = 3`, `less(x)`: a name, not a command.
  private var isCallOrAssignment: Bool {
    guard tokens.count > 1 else { return false }
    return tokens[1].is("(") || tokens[1].is("=") || tokens[1].is(".")
  }
}

// Shapes
extension Recognition {
  private func isFound(_ shape: [String]) -> Bool {
    guard shape.first != "^" else { return matches(shape.dropFirst(), at: 0) }
    return tokens.indices.contains { matches(shape[...], at: $0) }
  }

  private func matches(_ shape: ArraySlice<String>, at start: Int) -> Bool {
    if shape.last == "END" {
      return start + shape.count - 1 == tokens.count && matches(shape.dropLast(), at: start)
    }
    guard start + shape.count <= tokens.count else { return false }
    return zip(shape, tokens[start...]).allSatisfy { part, token in
      switch part {
      case "NAME": token.kind == .word && token.text.first != "$"
      case "TEXT": token.kind == .string
      case "NUMBER": token.kind == .number
      case "$NAME": token.kind == .word && token.text.first == "$" && token.text.count > 2
      case "__NAME": token.kind == .word && token.text.dropFirst().contains("__")
      default: token.kind != .string && token.text == part
      }
    }
  }
}

// How to ask the same
extension Recognition {
  /// The entity that the text names, or the one that is meant.
  private var source: String {
    let named = tokens.lazy.filter { $0.kind == .word }.compactMap { names.entity($0.text) }.first
    return (named ?? entity).map(ModelNames.written) ?? "ENTITY"
  }

  /// The object that the text names, `Item/7`, or else a place for one.
  private var object: String {
    let number = tokens.indices.dropFirst().first {
      tokens[$0].kind == .number && tokens[$0 - 1].is("/")
    }
    return "\(source)/\(number.map { tokens[$0].text } ?? "…")"
  }

  /// `fetch books where … sort … limit …`: the clauses for which the text has words.
  private var outline: String {
    var words = Set(tokens.filter { $0.kind == .word }.map(\.text))
    // `map(select(…))`
    if words.contains("select") { words.remove("map") }
    let found = Self.clauses.filter { !words.isDisjoint(with: $0.words) }.map(\.clause)
    let clauses = found.filter { $0 != "count" && $0 != "update" && $0 != "delete" }
    let rest = clauses.isEmpty ? "" : " " + clauses.joined(separator: " ")
    if found.contains("update") { return "update \(source) set … where …" }
    if found.contains("delete") { return "delete \(source) where …" }
    let isCount = found.contains("count") && clauses.allSatisfy { $0 == "where …" }
    return "\(isCount ? "count" : "fetch") \(source)\(rest)"
  }

  /// Clauses of Kura, each with the words that other languages have for it.
  private static let clauses = [
    (
      "where …",
      """
      select filter Where where find find_by query if loc exclude reject any all Any All isna COUNTIF
      SUMIF $match some every has it
      """
    ),
    (
      "sort …",
      """
      sort_by sort sorted OrderBy OrderByDescending orderby order order_by sort_values arrange
      sortedBy sortedByDescending sortBy max_by min_by
      """
    ),
    ("limit …", "Take limit head first FirstOrDefault slice take nlargest"),
    ("select …", "map Select pluck project values_list flatMap add sum Sum mean"),
    ("group by …", "group_by groupby GroupBy groupBy $group summarise"),
    ("count", "length len count Count nrow countDocuments COUNTIF COUNTA"),
    ("update", "updateMany updateOne update_all"),
    ("delete", "deleteMany deleteOne destroy_all removeIf"),
  ].map { (clause: $0.0, words: $0.1.split(whereSeparator: \.isWhitespace).map(String.init)) }
}
