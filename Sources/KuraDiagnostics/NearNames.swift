import KuraSentences

/// Returns the names that a mistyped name could mean, best first, at most three.
///
///     nearNames(to: "titl", among: ["date", "title"])     // ["title"]
///     nearNames(to: "cat", among: ["category"])           // ["category"]
///     nearNames(to: "date", among: ["title", "dueDate"])  // ["dueDate"]
///
/// Letter case and voicing marks of kana are ignored. A name is similar if it has at most one error
/// per three characters, and at most three in total; swapping two neighbors is one error. With more
/// than one error, the first letter must agree. A mistyped plural is similar too: `Book` for `Boks`.
/// A name with the opposite meaning, such as `without` for `with`, is not similar.
package func nearNames(to name: String, among candidates: [String]) -> [String] {
  guard name.utf8.count <= NearName.longest else { return [] }
  let wanted = Array(name.lowercased())
  let near = Set(candidates).compactMap { NearName($0, to: wanted, typed: name) }
  return near.sorted().prefix(3).map(\.name)
}

/// A candidate and its distance from the typed name.
private struct NearName: Comparable {
  var name: String
  var distance: Int

  /// The maximum length of a name in bytes. The cost of a comparison grows with the product of the
  /// lengths.
  static let longest = 400

  init?(_ name: String, to wanted: [Character], typed: String) {
    guard name != typed, name.utf8.count <= Self.longest,
      !Self.isTurnedRound(name.lowercased(), typed.lowercased())
    else { return nil }
    guard let distance = Self.distance(Array(name.lowercased()), wanted) else { return nil }
    self.name = name
    self.distance = distance
  }

  /// Returns whether one name is the opposite of the other: `uncompleted` and `completed`, `with`
  /// and `without`.
  private static func isTurnedRound(_ a: String, _ b: String) -> Bool {
    let (short, long) = a.count < b.count ? (a, b) : (b, a)
    return ["un", "not", "non", "in", "dis"].contains { $0 + short == long }
      || short + "out" == long
  }

  static func < (a: NearName, b: NearName) -> Bool {
    a.distance == b.distance ? a.name < b.name : a.distance < b.distance
  }

  private static func distance(_ name: [Character], _ wanted: [Character]) -> Int? {
    // Replacing one of two kana or ideographs makes a different word.
    let isShort = wanted.count < 3 && !wanted.allSatisfy(\.isASCII)
    let limit = isShort ? 0 : min(3, max(1, wanted.count / 3))
    if let distance = editDistance(name, wanted, limit: limit), distance < max(1, wanted.count),
      distance < 2 || name.first == wanted.first || wanted.first?.isLetter == false
    {
      return distance
    }
    if wanted.count > 3, wanted.last == "s", name.last != "s",
      let distance = editDistance(name, Array(wanted.dropLast()), limit: 1)
    {
      return distance + 1
    }
    if wanted.count > 1, name.starts(with: wanted) { return limit + 1 }
    return wanted.count > 2 && name.reversed().starts(with: wanted.reversed()) ? limit + 2 : nil
  }
}

/// Returns the edit distance of two names (restricted Damerau-Levenshtein: insertions, deletions,
/// replacements and swaps of neighbors); nil if it exceeds the limit.
private func editDistance(_ a: [Character], _ b: [Character], limit: Int) -> Int? {
  guard abs(a.count - b.count) <= limit else { return nil }
  var rows = (before: [Int](), last: Array(0...b.count), next: [Int]())
  for i in a.indices {
    rows.next = [i + 1]
    for j in b.indices {
      var best = min(rows.last[j + 1], rows.next[j]) + 1
      best = min(best, rows.last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        best = min(best, rows.before[j - 1] + 1)
      }
      rows.next.append(best)
    }
    rows = (rows.last, rows.next, [])
  }
  return rows.last[b.count] <= limit ? rows.last[b.count] : nil
}

/// Returns the similar names, or all names if none is similar.
package func entityHelp(for name: String, among known: [String]) -> String? {
  didYouMean(nearNames(to: name, among: known)) ?? entityList(known)
}

/// `the entities are Item, Tag`; nil if there are none.
package func entityList(_ names: [String]) -> String? {
  switch names.count {
  case 0: nil
  case 1: localized("the only entity is \(names[0])")
  default: localized("the entities are \(names.list)")
  }
}

/// Returns a question that suggests names; nil if there are none.
///
///     didYouMean(["title"])             // did you mean "title"?
///     didYouMean(["date", "dates"])     // did you mean "date" or "dates"?
package func didYouMean(_ names: [String]) -> String? {
  names.isEmpty ? nil : localized("did you mean \(names.map(quoted).choice)?")
}
