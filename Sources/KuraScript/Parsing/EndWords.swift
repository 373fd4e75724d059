/// The words of the enclosing statement that may end a fetch.
struct EndWords: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  let words: [StaticString]

  init(stringLiteral word: StaticString) { words = [word] }
  init(arrayLiteral words: StaticString...) { self.words = words }

  var texts: [String] { words.map { "\($0)" } }
}

/// The words that begin a clause of a fetch, for explanations.
package enum FetchWords {
  package static let all: [String] = FetchClause.allCases.map(\.rawValue)
}
