import KuraSentences

/// The names that a mistyped one may mean, best first, at most three.
///
///     nearNames(to: "titl", among: ["date", "title"])     // ["title"]
///     nearNames(to: "cat", among: ["category"])           // ["category"]
///     nearNames(to: "date", among: ["title", "dueDate"])  // ["dueDate"]
///
/// Letter case does not count, nor does the form of a Japanese kana with its mark. One error in
/// three characters is near, three errors at most; exchanging two neighbours is one error. A name that
/// says the opposite, as `without` does of `with`, is not near.
package func nearNames(to name: String, among candidates: [String]) -> [String] {
  guard name.utf8.count <= NearName.longest else { return [] }
  let wanted = Array(name.lowercased())
  let near = Set(candidates).compactMap { NearName($0, to: wanted, typed: name) }
  return near.sorted().prefix(3).map(\.name)
}

/// A candidate and how far it is from what was typed.
private struct NearName: Comparable {
  var name: String
  var distance: Int

  /// Longer names than this in bytes are not compared: the work grows with their product.
  static let longest = 400

  init?(_ name: String, to wanted: [Character], typed: String) {
    guard name != typed, name.utf8.count <= Self.longest,
      !Self.isTurnedRound(name.lowercased(), typed.lowercased())
    else { return nil }
    guard let distance = Self.distance(Array(name.lowercased()), wanted) else { return nil }
    self.name = name
    self.distance = distance
  }

  /// `uncompleted` and `completed`, `with` and `without`: one says the opposite of the other.
  private static func isTurnedRound(_ a: String, _ b: String) -> Bool {
    let (short, long) = a.count < b.count ? (a, b) : (b, a)
    return ["un", "not", "non", "in", "dis"].contains { $0 + short == long }
      || short + "out" == long
  }

  static func < (a: NearName, b: NearName) -> Bool {
    a.distance == b.distance ? a.name < b.name : a.distance < b.distance
  }

  private static func distance(_ name: [Character], _ wanted: [Character]) -> Int? {
    // A word of two kana or ideographs is another one with another of them.
    let isShort = wanted.count < 3 && !wanted.allSatisfy(\.isASCII)
    let limit = isShort ? 0 : min(3, max(1, wanted.count / 3))
    if let distance = editDistance(name, wanted, limit: limit), distance < max(1, wanted.count) {
      return distance
    }
    if wanted.count > 1, name.starts(with: wanted) { return limit + 1 }
    return wanted.count > 2 && name.reversed().starts(with: wanted.reversed()) ? limit + 2 : nil
  }
}

/// How many insertions, deletions, replacements and exchanges of neighbours lie between two
/// names (Damerau and Levenshtein, each place changed once); nil above the limit.
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

/// A question that offers names, or nil if there are none.
///
///     didYouMean(["title"])             // did you mean "title"?
///     didYouMean(["date", "dates"])     // did you mean "date" or "dates"?
package func didYouMean(_ names: [String]) -> String? {
  names.isEmpty ? nil : localized("did you mean \(names.map(quoted).choice)?")
}
