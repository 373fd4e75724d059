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

  private func listed(_ word: String, _ pair: String, last: String) -> String {
    guard Language.current == .japanese else {
      return [dropLast(2).joined(separator: ", "), suffix(2).joined(separator: word)]
        .filter { !$0.isEmpty }.joined(separator: ", ")
    }
    guard count > 2 else { return joined(separator: pair) }
    return dropLast().joined(separator: "、") + last + suffix(1).joined()
  }
}
