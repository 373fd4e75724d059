/// A question that offers names, or nil if there are none.
///
///     didYouMean(["title"])             // did you mean "title"?
///     didYouMean(["date", "dates"])     // did you mean "date" or "dates"?
package func didYouMean(_ names: [String]) -> String? {
  guard let last = names.last else { return nil }
  let others = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
  return "did you mean \(others.isEmpty ? "" : others + " or ")\"\(last)\"?"
}

extension FixIt {
  /// What the fix does to the text, in a line: `fix: write "title" for "titl"`.
  func sentence(in source: SourceText?) -> String {
    let width = DisplayWidth()
    let new = width.truncated(replacement, to: 60)
    let old = width.truncated(source?.text(span) ?? "", to: 60)
    if old.isEmpty { return "fix: insert \(quoted(new))" }
    return new.isEmpty
      ? "fix: remove \(quoted(old))" : "fix: write \(quoted(new)) for \(quoted(old))"
  }

  /// In quotes, unless quotes are what it is about.
  private func quoted(_ text: String) -> String {
    text.contains("\"") ? text : "\"\(text)\""
  }
}
