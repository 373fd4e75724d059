/// A sentence as English has it, its values apart, so that another language may put them where it
/// wants them.
///
///     localized("\(entity) has no key \"\(key)\"")
///
/// What stands between the values makes its name in the tables of other languages:
/// `%1 has no key "%2"`. It is asked for when it is said, so a stored one may be said in any language.
package struct Sentence: ExpressibleByStringInterpolation, Sendable {
  private let english: String
  private let template: String
  private let values: [String]

  init(_ english: String, template: String, _ values: [String] = []) {
    (self.english, self.template, self.values) = (english, template, values)
  }

  /// A text without values.
  package init(_ text: String) { self.init(text, template: text) }

  package init(stringLiteral text: String) { self.init(text, template: text) }

  package init(stringInterpolation parts: StringInterpolation) {
    self.init(parts.english, template: parts.template, parts.values)
  }

  /// The sentence in the present language; in English where that has no words for it.
  package var text: String {
    guard Language.current == .japanese, let words = JapaneseTable[template] else { return english }
    return words.placing(values)
  }

  /// A sentence as it grows.
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

    // What most values are: what to do with any other must be looked up.
    package mutating func appendInterpolation(_ value: String) { append(value) }

    package mutating func appendInterpolation(_ value: Int) { append(String(value)) }

    private mutating func append(_ text: String) {
      english += text
      values.append(text)
      template += "%\(values.count)"
    }
  }
}

/// A sentence in the language that is spoken here and now.
package func localized(_ sentence: Sentence) -> String { sentence.text }

extension String {
  /// A text that stands with a value, as a summary does, in the language that is spoken now.
  package var localized: String { Sentence(self).text }

  /// The words of a template with the values in their places: `%1` is the first.
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
