/// A reserved word of the predicate language, in capitals.
package enum Keyword: String, Sendable, Hashable, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case anyOf = "ANY"
  case someOf = "SOME"
  case allOf = "ALL"
  case noneOf = "NONE"
  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case tokenMatches = "TOKENMATCHES"
  case utiConformsTo = "UTI-CONFORMS-TO"
  case utiEquals = "UTI-EQUALS"
  case null = "NULL"
  case `nil` = "NIL"
  case yes = "YES"
  case no = "NO"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case `self` = "SELF"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case cast = "CAST"
  case function = "FUNCTION"
  case ternary = "TERNARY"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
}

extension Keyword {
  /// Creates the keyword for a word in any case; nil if there is none.
  package init?(word: String) {
    guard (2...15).contains(word.utf8.count) else { return nil }
    self.init(rawValue: word.uppercased())
  }

  /// Creates the keyword for bytes in any case; nil if there is none.
  init?(_ word: ArraySlice<UInt8>) {
    guard let place = Self.words.place(of: word) else { return nil }
    self = Self.all[place]
  }

  private static let all = allCases
  private static let words = WordList(all.map(\.rawValue))
}

/// A list of words that can be looked up by bytes, in any case, without creating a string.
///
///     WordList(["fetch", "count"]).place(of: Array("COUNT".utf8)[...])   // 1
package struct WordList: Sendable {
  /// The words by initial letter.
  private let byInitial: [[Entry]]
  /// For each initial letter, a bit per length of its words.
  private let lengths: [UInt32]

  private struct Entry {
    let letters: Letters
    let place: Int
  }

  /// Creates a list of words of ASCII letters, each at most 16 letters long.
  package init(_ words: [String]) {
    var byInitial = Array(repeating: [Entry](), count: 26)
    var lengths = Array(repeating: UInt32(0), count: 26)
    for (place, word) in words.enumerated() {
      let bytes = Array(word.utf8)[...]
      guard let letters = Letters(bytes) else { continue }
      byInitial[letters.initial].append(Entry(letters: letters, place: place))
      lengths[letters.initial] |= 1 << UInt32(bytes.count)
    }
    self.byInitial = byInitial
    self.lengths = lengths
  }
}

extension WordList {
  /// Returns the index of the word; nil if the list does not have it.
  package func place(of word: ArraySlice<UInt8>) -> Int? {
    guard mayHold(word), let letters = Letters(word) else { return nil }
    return byInitial[letters.initial].first { $0.letters == letters }?.place
  }

  /// Returns whether the list has a word with this length and initial, which rules out most words.
  private func mayHold(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, first.isWordLetter else { return false }
    return lengths[Int(first.capital) - 65] >> UInt32(min(word.count, 31)) & 1 == 1
  }
}

/// Up to 16 letters in capitals, eight per number.
private struct Letters: Equatable {
  private var first: UInt64 = 0
  private var rest: UInt64 = 0
  /// The index of the first letter in the alphabet.
  let initial: Int

  /// Creates the letters; nil if the word is longer than 16 bytes, or has other bytes than letters.
  init?(_ word: ArraySlice<UInt8>) {
    guard word.count <= 16, let initial = word.first, initial.isWordLetter else { return nil }
    self.initial = Int(initial.capital) - 65
    let isWhole = word.withUnsafeBufferPointer { letters in
      for letter in letters {
        guard letter.isWordLetter else { return false }
        rest = rest << 8 | first >> 56
        first = first << 8 | UInt64(letter.capital)
      }
      return true
    }
    guard isWhole else { return nil }
  }
}
