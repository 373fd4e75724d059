/// The lines of a Swift file without comments and without the content of strings.
struct SwiftCode {
  let lines: [String]

  init(_ text: String) {
    var stripper = Stripper(rest: text[...])
    lines = stripper.strip().split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }

  /// The modules that the file imports.
  var imports: [String] { lines.compactMap(Self.module) }

  private static func module(importedBy line: String) -> String? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { return nil }
    let modifiers = words[..<place]
    guard modifiers.allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) }) else {
      return nil
    }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "typealias"]
    let name = words[(place + 1)...].first { !kinds.contains($0) }
    return name.map { String($0.prefix { $0 != "." }) }
  }

  private static let accessLevels: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
}

/// Reads a file, string by string and comment by comment.
private struct Stripper {
  var rest: Substring

  mutating func strip() -> String {
    var code = ""
    while let first = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { $0 != "\n" }
      } else if rest.hasPrefix("/*") {
        code += skip(past: "*/")
      } else if let end = stringEnd {
        code += "\"" + skip(past: end) + "\""
      } else {
        code.append(first)
        rest = rest.dropFirst()
      }
    }
    return code
  }

  /// The end of the string that begins here: `"`, `"""`, `"#`, `"""#`
  private var stringEnd: String? {
    let hashes = rest.prefix { $0 == "#" }
    let quotes = rest.dropFirst(hashes.count)
    guard quotes.first == "\"" else { return nil }
    return (quotes.hasPrefix("\"\"\"") ? "\"\"\"" : "\"") + hashes
  }

  /// Skips a string or a comment and keeps its line breaks.
  private mutating func skip(past end: String) -> String {
    let isRaw = end.hasSuffix("#")
    var lines = ""
    rest = rest.dropFirst(end.count)
    while let first = rest.first, !rest.hasPrefix(end) {
      if first == "\n" { lines.append("\n") }
      let isEscape = first == "\\" && !isRaw && end != "*/"
      rest = rest.dropFirst(isEscape ? 2 : 1)
    }
    rest = rest.dropFirst(end.count)
    return lines
  }
}
