import KuraDiagnostics
import KuraModel

/// Reads words of a command line: `ls`, `head -3 Item`, `fetch Item | wc -l`, `fetch Item > out.json`.
struct ShellReader {
  let names: ModelNames
  let text: String

  /// The statements; nil: no command line stands there.
  func statements() -> String? {
    let parts = Self.parts(of: text, at: "|")
    if parts.count > 1 { return piped(parts) }
    return redirected() ?? alone(Self.words(of: text))
  }

  /// The parts between a sign that stands between blanks, outside of quotes and brackets.
  private static func parts(of text: String, at sign: Character) -> [String] {
    var parts = [""]
    var (quote, depth): (Character?, Int) = (nil, 0)
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if "([{".contains(character) {
        depth += 1
      } else if ")]}".contains(character) {
        depth -= 1
      } else if character == sign, depth == 0, parts[parts.count - 1].last?.isWhitespace == true {
        parts.append("")
        continue
      }
      parts[parts.count - 1].append(character)
    }
    return parts.map(\.trimmed)
  }

  private static func words(of text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { word in
      String(word).trimmingQuotes
    }
  }
}

extension ShellReader {
  /// `fetch Item | head -3`
  private func piped(_ parts: [String]) -> String? {
    guard let first = parts.first, let source = source(first) else { return nil }
    var statement = source
    for (place, part) in parts.dropFirst().enumerated() {
      let words = Self.words(of: part)
      guard let command = words.first else { return nil }
      if let next = step(statement, command, Array(words.dropFirst())) {
        statement = next
      } else if Self.programs.contains(command) {
        return ".once | \(parts[(place + 1)...].joined(separator: " | "))\n\(statement)"
      } else {
        return nil
      }
    }
    return statement
  }

  /// A fetch, or what names an entity to see it.
  private func source(_ text: String) -> String? {
    let words = Self.words(of: text)
    let first = words.first?.lowercased() ?? ""
    if ["fetch", "count", "print", "run"].contains(first) { return text }
    return alone(words)
  }

  private static let programs: Set = [
    "less", "more", "jq", "cat", "tee", "awk", "sed", "cut", "xargs", "column", "bat", "fzf",
    "pbcopy",
    "xclip", "python3", "sort", "uniq", "grep", "tail",
  ]

  /// A step of a pipe as a clause; nil: it has none.
  private func step(_ statement: String, _ command: String, _ words: [String]) -> String? {
    guard statement.lowercased().hasPrefix("fetch ") else { return nil }
    let has = { (clause: String) in statement.lowercased().contains(" \(clause) ") }
    switch command {
    case "head" where !has("limit"): return "\(statement) limit \(Self.count(words) ?? "10")"
    case "wc" where !has("limit") && !has("select") && !has("sort"):
      return "count " + statement.dropFirst("fetch ".count)
    case "wc": return "print (\(statement)).@count"
    case "uniq" where has("select"): return statement + " distinct"
    case "grep":
      guard words.count == 1, let pattern = words.first, !has("where") else { return nil }
      let entity = Self.words(of: statement).dropFirst().first ?? ""
      return condition(entity, pattern).map { statement + " where " + $0 }
    default: return nil
    }
  }

  /// `-3`, `-n 3`
  private static func count(_ words: [String]) -> String? {
    words.lazy.map { String($0.drop { !$0.isNumber }) }.first { Int($0) != nil }
  }

  /// That one of the texts of an entity has a word.
  private func condition(_ name: String, _ word: String) -> String? {
    guard let entity = names.entity(name) else { return nil }
    let texts = names.model.allAttributes(of: entity).filter { $0.type == .string }.map(\.name)
    guard !texts.isEmpty else { return nil }
    return texts.map { "\(ModelNames.written($0)) CONTAINS \(StatementText.string(word))" }
      .joined(separator: " OR ")
  }
}

extension ShellReader {
  private static let fileEndings: Set<String> = [
    "json", "jsonl", "ndjson", "csv", "tsv", "txt", "md", "log", "out", "html", "xls", "xlsx",
  ]

  /// `fetch Item > out.json`
  private func redirected() -> String? {
    let parts = Self.parts(of: text, at: ">")
    guard parts.count == 2, let source = source(parts[0]), parts[1].contains("."),
      !parts[1].contains(" "), let ending = parts[1].split(separator: ".").last,
      Self.fileEndings.contains(ending.lowercased())
    else { return nil }
    return ".once \(parts[1])\n\(source)"
  }

  /// `ls`, `cat Item`, `head -3 Item`, `grep 誕生 Item`, `wc -l Item`
  private func alone(_ words: [String]) -> String? {
    guard let command = words.first else { return nil }
    let rest = words.dropFirst().filter { !$0.hasPrefix("-") && Int($0) == nil }
    let entity = rest.last.map { $0.hasSuffix(".json") ? String($0.dropLast(5)) : $0 }
      .flatMap(names.entity).map(ModelNames.written)
    switch command {
    case "ls", "dir", "ll": return rest.isEmpty ? "model" : entity.map { "describe \($0)" }
    case "cat", "less", "more", "bat": return entity.map { "fetch \($0)" }
    case "head":
      return entity.map { "fetch \($0) limit \(Self.count(words) ?? "10")" }
    case "tail":
      return entity.map { "fetch \($0) sort objectID desc limit \(Self.count(words) ?? "10")" }
    case "wc": return entity.map { "count \($0)" }
    case "grep", "rg", "ag":
      guard rest.count == 2, let entity else { return nil }
      return condition(entity, rest[0]).map { "fetch \(entity) where \($0)" }
    case "rm": return rest.count == 1 && rest[0].contains("/") ? "delete \(rest[0])" : nil
    case "man": return rest.count == 1 ? ".help \(rest[0])" : nil
    case "cd", "open":
      return rest.count == 1 && rest[0].hasSuffix(".json") ? ".open \(rest[0])" : nil
    default: return nil
    }
  }
}

extension String {
  fileprivate var trimmingQuotes: String {
    guard count > 1, let first, first == last, first == "\"" || first == "'" else { return self }
    return String(dropFirst().dropLast())
  }
}

extension ForeignTranslator {
  func shell(_ text: ForeignText) -> ForeignReading? {
    var span = text.line
    if text.bytes[..<span.end].last == UInt8(ascii: ";") { span.end -= 1 }
    let line = String(decoding: text.bytes[span.start..<span.end], as: UTF8.self)
    if let filter = filter(in: line, from: span.start) {
      var found = jq(text, filter)
      found?.span = span
      return found
    }
    guard let statements = ShellReader(names: names, text: line).statements() else { return nil }
    return ForeignReading(language: .shell, span: span, place: span, translations: [statements])
  }

  /// The filter in `jq '.[] | …' books.json`.
  private func filter(in line: String, from start: Int) -> SourceSpan? {
    guard line.hasPrefix("jq "), let open = line.utf8.firstIndex(of: UInt8(ascii: "'")) else {
      return nil
    }
    let behind = line.utf8.index(after: open)
    guard let close = line.utf8[behind...].firstIndex(of: UInt8(ascii: "'")) else { return nil }
    let offset = { (index: String.Index) in
      start + line.utf8.distance(from: line.startIndex, to: index)
    }
    return SourceSpan(offset(behind), offset(close))
  }
}
