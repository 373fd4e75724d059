import KuraPredicates

/// A part of a fetch that begins with its own word.
enum FetchClause: String, CaseIterable {
  case `where`, sort, offset, limit, batch, select, distinct, group, having, section, without
}

extension FetchClause {
  /// The clause of a word in any case, or nil.
  init?(word: ArraySlice<UInt8>) {
    guard let place = Self.wordList.place(of: word) else { return nil }
    self = Self.allOfObjects[place]
  }

  private static let wordList = WordList(allCases.map(\.rawValue))

  /// The clauses of a fetch; what only counts has nothing to order or limit.
  static func all(of result: FetchTree.Result) -> [FetchClause] {
    switch result {
    case .objects: allOfObjects
    case .count, .exists: allOfCount
    }
  }

  private static let allOfObjects = allCases
  private static let allOfCount: [FetchClause] = [.where, .without]

  /// The word that must follow: `by` in `group by`.
  var secondWord: StaticString? {
    switch self {
    case .group, .section: "by"
    case .without: "subentities"
    case .where, .sort, .offset, .limit, .batch, .select, .distinct, .having: nil
    }
  }

  /// `group by`
  var words: String { secondWord.map { "\(rawValue) \($0)" } ?? rawValue }

  /// The words that may stand behind a predicate or a value.
  static let words = allCases.map(\.rawValue) + ["as"]
}

/// The words that begin a clause of a fetch, for what explains them.
package enum FetchWords {
  package static let all: [String] = FetchClause.allCases.map(\.rawValue)
}
