/// The expected result of a save: the local changes since `base`, applied to the store.
struct SerialMerge {
  var base: StoreView
  var mine: StoreView
  var store: StoreView
  /// Keys that depend on others.
  var derived: Set<String>
  /// Keys with sets of objects, written on this end.
  var sets: Set<String>
  /// Keys that are not relationships.
  var attributes: Set<String>

  /// Returns a fault if a result is neither what both sides imply nor mentioned in the reports.
  func fault(in result: StoreView, reports: String) -> String? {
    let spoken = Set(reports.matches(of: /[A-Z][A-Za-z]*\/[0-9]+/).map { String($0.output) })
    let ids = [base, mine, store, result].reduce(into: Set<String>()) { $0.formUnion($1.rows.keys) }
    for id in ids.sorted() where !spoken.contains(id) {
      if let fault = fault(of: id, result, spoken) { return "\(id): \(fault)" }
    }
    return nil
  }

  private func fault(of id: String, _ result: StoreView, _ spoken: Set<String>) -> String? {
    let (b, m, s, r) = (base.rows[id], mine.rows[id], store.rows[id], result.rows[id])
    guard m != nil || s != nil || r != nil else { return nil }
    guard let b, let m, let s else {
      let wanted = b == nil ? (m ?? s) : nil
      if (wanted == nil) != (r == nil) {
        return wanted == nil ? "came back without a report" : "disappeared without a report"
      }
      return b.flatMap { lost($0, m ?? s) }
    }
    guard let r else { return "disappeared without a report" }
    for key in r.keys.sorted() where !derived.contains(key) {
      let values = [b[key], m[key], s[key], r[key]].map { $0 ?? "" }
      if spoken.contains(where: { name in values.contains { Self.mentions($0, name) } }) {
        continue
      }
      if let fault = fault(key, values) { return "\(key): \(fault)" }
    }
    return nil
  }

  /// Returns a fault if one side silently deleted what the other changed.
  private func lost(_ base: StoreView.Row, _ other: StoreView.Row?) -> String? {
    let key = other?.keys.sorted().first { attributes.contains($0) && base[$0] != other?[$0] }
    return key.map { "was deleted by one and its \($0) changed by the other, without a report" }
  }

  /// Returns whether a text mentions a name; `Item/12` does not mention `Item/1`.
  private static func mentions(_ text: String, _ name: String) -> Bool {
    text == name || text.split { !$0.isLetter && !$0.isNumber && $0 != "/" }.contains { $0 == name }
  }

  /// Compares the values at the base, here, in the store, and in the result.
  private func fault(_ key: String, _ values: [String]) -> String? {
    let wanted =
      if sets.contains(key) { Self.merged(values) } else if values[1] == values[0] {
        values[2]
      } else if values[2] == values[0] || values[1] == values[2] { values[1] } else {
        nil as String?
      }
    guard wanted != values[3] else { return nil }
    let story = "was \(values[0]), here \(values[1]), in the store \(values[2]), is \(values[3])"
    return wanted == nil ? "\(story) without a report" : "\(story), and not \(wanted ?? "")"
  }

  private static func merged(_ values: [String]) -> String {
    let sets = values.map { text in
      Set(text.matches(of: /[A-Za-z]+\/[0-9]+/).map { String($0.output) })
    }
    let wanted = sets[2].union(sets[1].subtracting(sets[0]))
      .subtracting(sets[0].subtracting(sets[1]))
    return wanted == sets[3] ? values[3] : "\(wanted.sorted())"
  }
}
