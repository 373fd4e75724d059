/// A public function, initializer, subscript or property, as a file declares it.
struct PublicCall: CustomStringConvertible {
  enum Kind: String {
    case function = "func"
    case initializer = "init"
    case access = "subscript"
    case property = "var"
  }

  let kind: Kind
  /// The type that it belongs to, the innermost one: `Kind` in `PredicateTree`.
  let owner: String
  /// The name: `filter`, `&&`, `description`, `init`, `subscript`
  let name: String
  /// The declaration before the body, without comments and the content of strings, on one line.
  let signature: String
  /// The text between its braces, on one line; nil for a stored property.
  let body: String?
  /// The text of its comment, without the examples.
  let comment: String
  /// `Sources/Kura/Store/Store.swift:41`
  let place: String

  /// `Store.open`
  var fullName: String { owner + "." + name }
  var description: String { "\(place): \(fullName)" }
}

extension PublicCall {
  /// Returns the public calls of a file, except cases, types and constants.
  static func all(in file: PackageFolder.File) throws -> [PublicCall] {
    all(in: try file.text(), try file.code(), path: file.path)
  }

  static func all(in text: String, _ code: SwiftCode, path: String) -> [PublicCall] {
    let raw = text.split(separator: "\n", omittingEmptySubsequences: false)
    var types: [(indent: Int, name: String)] = []
    var comment: [Substring] = []
    var calls: [PublicCall] = []
    for (index, line) in code.lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let words = line.drop { $0 == " " }
      let said = raw[index].drop { $0 == " " }
      if said.hasPrefix("///") {
        comment.append(said.dropFirst(3))
        continue
      }
      if let name = declaredType(words) {
        types.removeAll { $0.indent >= indent }
        types.append((indent, name))
      } else if let (kind, name) = declaredCall(words) {
        let (signature, body) = declaration(of: kind, code.lines[index...])
        calls.append(
          PublicCall(
            kind: kind, owner: types.last { $0.indent < indent }?.name ?? "", name: name,
            signature: signature, body: body,
            comment: comment.filter { !$0.hasPrefix("     ") }.joined(separator: "\n"),
            place: "\(path):\(index + 1)"))
      }
      // Attributes may be between a comment and its declaration.
      if !words.hasPrefix("@") { comment = [] }
    }
    return calls
  }

  /// `Sequence` of `extension Sequence where …`, `Operands` of `extension PredicateFunction.Operands`
  private static func declaredType(_ line: Substring) -> String? {
    let type = /(?:[@\w()]+ )*?(?:extension|struct|class|enum|protocol|actor) (\[?[\w.]+\]?)/
    guard let match = line.prefixMatch(of: type), !line.contains(" func ") else { return nil }
    return match.1.split(separator: ".").last.map(String.init)
  }

  private static func declaredCall(_ line: Substring) -> (Kind, String)? {
    let words = line.split { $0 == " " || $0 == "(" || $0 == "<" || $0 == ":" || $0 == "?" }
    guard let place = words.firstIndex(of: "public") else { return nil }
    guard words[..<place].allSatisfy({ $0.hasPrefix("@") || modifiers.contains($0) }),
      let word = words[place...].dropFirst().first(where: { !modifiers.contains($0) }),
      let kind = Kind(rawValue: String(word))
    else { return nil }
    guard kind == .function || kind == .property else { return (kind, kind.rawValue) }
    // An operator may begin with a character at which a word ends: `public static func < (…`
    let rest = line.split(separator: " \(word) ", maxSplits: 1).last ?? ""
    let name = rest.prefix { $0 != " " && $0 != "(" && $0 != ":" }
    let plain = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" }
    return (kind, String(plain.isEmpty ? name : plain))
  }

  private static let modifiers: Set<Substring> = [
    "static", "final", "mutating", "nonisolated", "convenience", "prefix", "override",
  ]

  /// Returns a declaration up to its body, and the body.
  private static func declaration(
    of kind: Kind, _ lines: ArraySlice<String>
  ) -> (String, body: String?) {
    var (signature, body, depth) = ("", "", 0)
    for line in lines {
      for character in line {
        let isInside = !body.isEmpty
        if isInside || (character == "{" && depth == 0) {
          body.append(character)
        } else {
          signature.append(character)
        }
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
        guard isInside && depth == 0 else { continue }
        let isStored = kind == .property && (signature.contains(" = ") || isObserver(body))
        return (signature, isStored ? nil : String(body.dropFirst().dropLast()))
      }
      if kind == .property && body.isEmpty && depth == 0 { break }
      if body.isEmpty { signature.append(" ") } else { body.append(" ") }
    }
    return (signature, nil)
  }

  private static func isObserver(_ body: String) -> Bool {
    body.contains("didSet") || body.contains("willSet")
  }
}
