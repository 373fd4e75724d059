/// The words of the statement around a fetch that may end it.
struct EndWords: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  let words: [StaticString]

  init(stringLiteral word: StaticString) { words = [word] }
  init(arrayLiteral words: StaticString...) { self.words = words }

  var texts: [String] { words.map { "\($0)" } }
}

/// The words that begin a clause of a fetch, for what explains them.
package enum FetchWords {
  package static let all: [String] = FetchClause.allCases.map(\.rawValue)
}
