/// An English sentence with its values kept separate, so that other languages can place them
/// differently.
///
///     localized("\(entity) has no key \"\(key)\"")
///
/// The text between the values is the key in the tables of other languages: `%1 has no key "%2"`.
/// The translation is looked up when the text is requested, so a stored sentence can appear in any
/// language.
package struct Sentence: ExpressibleByStringInterpolation, Sendable {
  private let english: String
  private let template: String
  private let values: [String]

  init(_ english: String, template: String, _ values: [String] = []) {
    (self.english, self.template, self.values) = (english, template, values)
  }

  /// Creates a sentence without values.
  package init(_ text: String) { self.init(text, template: text) }

  package init(stringLiteral text: String) { self.init(text, template: text) }

  package init(stringInterpolation parts: StringInterpolation) {
    self.init(parts.english, template: parts.template, parts.values)
  }

  /// The sentence in the current language; in English if there is no translation.
  package var text: String {
    guard Language.current == .japanese, let words = JapaneseTable[template] else { return english }
    return words.placing(values)
  }

  /// A sentence under construction.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var english = ""
    fileprivate var template = ""
    fileprivate var values: [String] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      english.reserveCapacity(literalCapacity + interpolationCount * 8)
      template.reserveCapacity(literalCapacity + interpolationCount * 2)
      values.reserveCapacity(interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) {
      english += literal
      template += literal
    }

    package mutating func appendInterpolation(_ value: some Any) { append("\(value)") }

    // The types of most values; the generic method would need a dynamic lookup.
    package mutating func appendInterpolation(_ value: String) { append(value) }

    package mutating func appendInterpolation(_ value: Int) { append(String(value)) }

    private mutating func append(_ text: String) {
      english += text
      values.append(text)
      template += "%\(values.count)"
    }
  }
}

/// Returns a sentence in the current language.
package func localized(_ sentence: Sentence) -> String { sentence.text }

extension String {
  /// A stored text, such as a summary, in the current language.
  package var localized: String { Sentence(self).text }

  /// Returns a template with the values inserted: `%1` is the first.
  fileprivate func placing(_ values: [String]) -> String {
    let parts = split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      if let place = part.first?.wholeNumberValue, place > 0, place <= values.count {
        text += values[place - 1] + part.dropFirst()
      } else {
        text += "%" + part
      }
    }
  }
}

/// Returns a count with its noun: `1 object`, `2 objects`. Japanese has one form, that of `%1
/// objects`.
package func counted(_ count: Int, _ one: String, _ many: String) -> String {
  let english = "\(count) \(count == 1 ? one : many)"
  return Sentence(english, template: "%1 \(many)", ["\(count)"]).text
}

/// Returns a text in the quotes of the language: `"title"`, `「title」`.
package func quoted(_ text: String) -> String {
  Language.current == .japanese ? "「\(text)」" : "\"\(text)\""
}

extension String {
  /// The text in parentheses after another text: ` (a)`.
  package var parenthesized: String {
    Language.current == .japanese ? "（\(self)）" : " (\(self))"
  }
}

extension Collection<String> {
  /// The elements in the form `a, b or c`.
  package var choice: String { listed(" or ", "か", last: "、または") }

  /// The elements in the form `a or b or c`.
  package var alternatives: String {
    joined(separator: Language.current == .japanese ? "か" : " or ")
  }

  /// The elements in the form `a, b and c`.
  package var conjunction: String { listed(" and ", "と", last: "、") }

  /// The elements in the form `a, b, c`.
  package var list: String { joined(separator: Language.current == .japanese ? "、" : ", ") }

  /// The elements in the form `a; b`.
  package var clauses: String { joined(separator: Language.current == .japanese ? "、" : "; ") }

  /// The elements, which are sentences, as one text: `a; b`.
  package var sentences: String { joined(separator: Language.current == .japanese ? "。" : "; ") }

  private func listed(_ word: String, _ pair: String, last: String) -> String {
    guard Language.current == .japanese else {
      return [dropLast(2).joined(separator: ", "), suffix(2).joined(separator: word)]
        .filter { !$0.isEmpty }.joined(separator: ", ")
    }
    guard count > 2 else { return joined(separator: pair) }
    return dropLast().joined(separator: "、") + last + suffix(1).joined()
  }
}
