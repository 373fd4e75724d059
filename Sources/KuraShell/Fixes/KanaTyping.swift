import KuraModel
import KuraPredicates
import KuraScript

/// Words that were typed while a Japanese input method was on: `ふぇtch` for `fetch`.
enum KanaTyping {
  /// Returns what an input method shows for the letters of a word.
  ///
  ///     KanaTyping.text(of: "select")   // "せぇct"
  static func text(of word: String) -> String {
    var rest = Array(word.lowercased())[...]
    var text = ""
    while let first = rest.first {
      if let (length, kana) = syllable(rest) {
        text += kana
        rest = rest.dropFirst(length)
      } else if rest.count > 1, first == rest[rest.startIndex + 1], first.isLetter {
        text += first == "n" ? "ん" : "っ"
        rest = rest.dropFirst(first == "n" ? 2 : 1)
      } else {
        let isFinal = first == "n" && rest.count > 1 && rest[rest.startIndex + 1] != "y"
        text += isFinal ? "ん" : String(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// Returns the longest syllable at the start: consonants and a vowel.
  private static func syllable(_ letters: ArraySlice<Character>) -> (Int, String)? {
    for length in stride(from: min(3, letters.count), to: 0, by: -1) {
      let (consonants, vowel) = (String(letters.prefix(length - 1)), letters.prefix(length).last)
      guard let vowel, let place = Array("aiueo").firstIndex(of: vowel),
        let row = rows[consonants]
      else { continue }
      return (length, row[place])
    }
    return nil
  }

  /// The syllables that begin with each consonant, in the order a, i, u, e, o.
  private static let rows: [String: [String]] = Dictionary(
    uniqueKeysWithValues: """
      - あ い う え お
      k か き く け こ
      c か し く せ こ
      s さ し す せ そ
      t た ち つ て と
      n な に ぬ ね の
      h は ひ ふ へ ほ
      m ま み む め も
      y や い ゆ いぇ よ
      r ら り る れ ろ
      w わ うぃ う うぇ を
      g が ぎ ぐ げ ご
      z ざ じ ず ぜ ぞ
      d だ ぢ づ で ど
      b ば び ぶ べ ぼ
      p ぱ ぴ ぷ ぺ ぽ
      f ふぁ ふぃ ふ ふぇ ふぉ
      j じゃ じ じゅ じぇ じょ
      v ゔぁ ゔぃ ゔ ゔぇ ゔぉ
      q くぁ くぃ く くぇ くぉ
      l ぁ ぃ ぅ ぇ ぉ
      x ぁ ぃ ぅ ぇ ぉ
      ch ちゃ ち ちゅ ちぇ ちょ
      sh しゃ し しゅ しぇ しょ
      th てゃ てぃ てゅ てぇ てょ
      ts つぁ つぃ つ つぇ つぉ
      wh うぁ うぃ う うぇ うぉ
      """.split(separator: "\n").map { line in
        let parts = line.split(separator: " ").map(String.init)
        return (parts[0] == "-" ? "" : parts[0], Array(parts.dropFirst()))
      })
}

extension RepairText {
  /// Returns the word of the language, the key or the entity whose letters were typed as kana.
  func wordTypedAsKana(_ range: Range<Int>) -> String? {
    let run = parts[range]
    guard run.dropFirst().allSatisfy(\.isAdjacent), run.allSatisfy({ $0.kind != .string }) else {
      return nil
    }
    let typed = text(range)
    guard typed.contains(where: \.isKana) else { return nil }
    let plain = (typed.plainLetters ?? typed).lowercased()
    // A text that consists only of kana may be one of the user's values.
    let names = typed.allSatisfy(\.isKana) ? [] : properties.names + model.entities.map(\.name)
    return (Self.words + names).first { KanaTyping.text(of: $0) == plain }
  }

  /// Words of three letters and more that begin statements and clauses, and operators.
  private static let words =
    (StatementCatalog.all.map(\.name) + FetchWords.all
    + ["set", "contains", "beginswith", "endswith", "like", "and", "not", "desc", "null", "yes"])
    .filter { $0.count > 2 }
}

extension Character {
  fileprivate var isKana: Bool {
    unicodeScalars.allSatisfy { (0x3041...0x3096).contains($0.value) || $0.value == 0x3094 }
  }
}
