/// A word that the predicate language reserves, in capitals.
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
  /// The keyword of a word in any case, or nil.
  package init?(word: String) {
    guard (2...15).contains(word.utf8.count) else { return nil }
    self.init(rawValue: word.uppercased())
  }

  /// The keyword of these bytes in any case, or nil.
  init?(_ word: ArraySlice<UInt8>) {
    guard let place = Self.words.place(of: word) else { return nil }
    self = Self.all[place]
  }

  private static let all = allCases
  private static let words = WordList(all.map(\.rawValue))
}

/// Words that are found by their bytes, in any case, without making a text of them.
///
///     WordList(["fetch", "count"]).place(of: Array("COUNT".utf8)[...])   // 1
package struct WordList: Sendable {
  /// The words that begin with each letter.
  private let byInitial: [[Entry]]
  /// For each letter the lengths of the words that begin with it, a bit for each.
  private let lengths: [UInt32]

  private struct Entry {
    let letters: Letters
    let place: Int
  }

  /// Makes a list of words of ASCII letters, each of at most 16.
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
  /// Which word the bytes are, or nil.
  package func place(of word: ArraySlice<UInt8>) -> Int? {
    guard mayHold(word), let letters = Letters(word) else { return nil }
    return byInitial[letters.initial].first { $0.letters == letters }?.place
  }

  /// Whether a word of its length begins as it does: of most words that is all there is to ask.
  private func mayHold(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, first.isWordLetter else { return false }
    return lengths[Int(first.capital) - 65] >> UInt32(min(word.count, 31)) & 1 == 1
  }
}

/// Up to 16 letters in capitals, eight to a number.
private struct Letters: Equatable {
  private var first: UInt64 = 0
  private var rest: UInt64 = 0
  /// The place of the first letter in the alphabet.
  let initial: Int

  /// Nil for what is not made of letters alone, and for what is longer.
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
