import KuraPredicates

// A predicate of many comparisons in parts with names: the macro makes one expression of each, and of a
// large one the compiler does not find the types.
extension SwiftPredicateWriter {
  /// So many signs and calls stand in one expression.
  static let heaviest = 7
  /// And so many in a closure inside of one.
  static let heaviestInside = 5

  /// What is to be known of how the parts are joined.
  var remarks: [String] {
    parts == 0 ? [] : ["// evaluate in #Predicate: macOS 14.4, iOS 17.4"]
  }

  /// The text, or a part with a name in its place where it is too much.
  mutating func light(_ text: String, atMost weight: Int) -> String {
    text.weight > weight ? part(text) : text
  }

  /// The parts of an AND or OR, as many of them named as it takes.
  mutating func lightened(_ texts: [String], _ sign: String) -> [String] {
    var texts = texts
    while texts.count > 1, texts.joined(separator: sign).weight > Self.heaviest {
      let heavy = texts.indices.max { texts[$0].weight < texts[$1].weight }
      if let heavy, texts[heavy].weight > 1 {
        texts[heavy] = part(texts[heavy])
      } else {
        let first = texts.prefix(3).joined(separator: sign)
        texts.replaceSubrange(0..<min(3, texts.count), with: [part(first)])
      }
    }
    return texts
  }

  /// Gives a condition a name, and says it by that: `part1.evaluate(task)`
  private mutating func part(_ text: String) -> String {
    let known =
      [(name: subject, entity: typed.entity)] + variables.values.sorted { $0.name < $1.name }
    // A closure in it has its own element.
    let inputs = known.filter { text.mentions($0.name) && !text.contains("{ \($0.name) in ") }
    guard !inputs.isEmpty else { return text }
    parts += 1
    let types = inputs.map(\.entity).joined(separator: ", ")
    let names = inputs.map(\.name).joined(separator: ", ")
    constants.append(
      "let part\(parts) = #Predicate<\(types)> { \(names) in\n  \(text.withoutOuterBrackets)\n}")
    return "part\(parts).evaluate(\(names))"
  }
}

extension String {
  /// How many signs and calls are in it, those of its texts left out.
  fileprivate var weight: Int {
    let code = withoutTexts
    let signs = [
      "&&", "||", "==", "!=", "<", ">", "??", " + ", " - ", " * ", "!(", ".contains", ".flatMap",
      ".filter", ".starts", ".allSatisfy", ".localized", ".caseInsensitive", ".evaluate", "[",
      " ? ",
    ]
    return signs.reduce(0) { $0 + code.ranges(of: $1).count }
  }

  /// The code with nothing between the quotes of its texts.
  private var withoutTexts: String {
    var (result, isInText, isEscaped) = ("", false, false)
    for character in self {
      if !isInText || character == "\"", !isEscaped { result.append(character) }
      if character == "\"", !isEscaped { isInText.toggle() }
      isEscaped = isInText && character == "\\" && !isEscaped
    }
    return result
  }

  /// Whether a name stands in its code.
  fileprivate func mentions(_ name: String) -> Bool {
    let code = withoutTexts
    return code.ranges(of: name).contains { range in
      let before =
        range.lowerBound == code.startIndex ? " " : code[code.index(before: range.lowerBound)]
      let after = range.upperBound == code.endIndex ? " " : code[range.upperBound]
      return !before.isPartOfName && before != "." && !after.isPartOfName
    }
  }

  /// `a || b` for `(a || b)`
  fileprivate var withoutOuterBrackets: String {
    isInBrackets ? String(dropFirst().dropLast()) : self
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" || self == "`" }
}
