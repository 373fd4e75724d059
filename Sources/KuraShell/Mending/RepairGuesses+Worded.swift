import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates

// Conditions as they are spoken: what is not, one of several, and words without a blank between them.
extension RepairGuesses {
  /// `NOT title CONTAINS "x"` for `title does not contain "x"`, `category != "x"` for `category doesn't
  /// equal "x"`.
  var wordedNegations: [FixIt] {
    guard text.utf8.count <= 400 else { return [] }
    return text.matches(of: Self.negation).prefix(3).compactMap { match in
      let words = match.output.words.split(whereSeparator: \.isWhitespace).joined().lowercased()
      guard let operation = Self.spokenOperators[words] else { return nil }
      let key = match.output.key
      let written = operation == "==" ? "\(key) != " : "NOT \(key) \(operation) "
      return FixIt(span(match.range), written)
    }
  }

  /// All is short: a key, its negation, and an operator of one word or two.
  nonisolated(unsafe) private static let negation =
    /(?<key>[A-Za-z_][A-Za-z0-9_.]{0,60})\s{1,3}(?i:does\s?n['’]?t|does\s+not|do\s?n['’]?t|do\s+not|is\s?n['’]?t|is\s+not|not)\s{1,3}(?<words>(?i:equals?|contains?|containing|includes?|has|have|like|match(?:es)?|in|before|after|below|under|above|over|(?:less|fewer|smaller|earlier|greater|more|bigger|later)\s{1,3}than|starts?\s{1,3}with|begins?\s{1,3}with|ends?\s{1,3}with|the\s{1,3}same\s{1,3}as))\s{1,3}/

  private static let spokenOperators: [String: String] = {
    let operators: [(String, [String])] = [
      ("==", ["equal", "equals", "thesameas"]),
      ("<", ["before", "lessthan", "fewerthan", "smallerthan", "earlierthan", "below", "under"]),
      (">", ["after", "greaterthan", "morethan", "biggerthan", "laterthan", "above", "over"]),
      ("CONTAINS", ["contain", "contains", "containing", "include", "includes", "has", "have"]),
      ("LIKE", ["like"]), ("MATCHES", ["match", "matches"]), ("IN", ["in"]),
      ("BEGINSWITH", ["startwith", "startswith", "beginwith", "beginswith"]),
      ("ENDSWITH", ["endwith", "endswith"]),
    ]
    let pairs = operators.flatMap { ours, theirs in theirs.map { ($0, ours) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  /// `priority IN {2, 3}` for `priority == (2 or 3)`, `priority = 2か3` and `priority 2, 3`; `NOT priority
  /// IN {0, 1}` for `priority neither 0 nor 1` and `priorityが0でも1でもない`.
  var alternatives: [FixIt] {
    guard text.utf8.count <= 400, let entity = askedEntity else { return [] }
    return text.matches(of: Self.choice).prefix(3).compactMap { match in
      let out = match.output
      guard model.property(named: String(out.key), of: entity) != nil else { return nil }
      let values = ([out.first] + out.rest.matches(of: Self.literal).map { $0.output }).map(
        String.init)
      let isNegated = out.sign == "!=" || out.neither != nil || out.end?.contains("ない") == true
      let list = "\(out.key) IN {\(values.joined(separator: ", "))}"
      return FixIt(span(match.range), isNegated ? "NOT \(list)" : list)
    }
  }

  nonisolated(unsafe) private static let literal = /-?[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{0,40}"/
  nonisolated(unsafe) private static let choice =
    /(?<key>[A-Za-z_][A-Za-z0-9_]{0,60})\s{0,2}(?:が|は)?\s{0,2}(?<sign>==?|!=|＝)?\s{0,2}(?<neither>(?i:neither))?\s{0,2}\(?\s{0,2}(?<first>-?[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{0,40}")(?<rest>(?:\s{0,2}(?:か|または|もしくは|でも|、|,|\|\|?|(?i:or|nor)\b)\s{0,2}(?:-?[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{0,40}")){1,8})\s{0,2}\)?(?<end>でもない|ではない|でない|か)?/

  /// `title CONTAINS "x"` for `title contains the word "x"`
  var wordsBeforeText: [FixIt] {
    let places = tokens.indices.dropFirst(2).filter { tokens[$0].kind == .string }
    return places.prefix(4).compactMap { place in
      let words = tokens[..<place].reversed().prefix(4).prefix { token in
        ["the", "word", "words", "text", "letters", "string", "a", "value", "phrase"]
          .contains(text(token.span).lowercased())
      }
      guard let first = words.last, let last = words.first else { return nil }
      return FixIt(withBlank(first.span.joined(last.span)), "")
    }
  }

  /// `NOT completed` for `NOTcompleted`: a word of the language that touches a key.
  var gluedWords: [FixIt] {
    guard let entity = askedEntity else { return [] }
    return tokens.filter { $0.kind == .word }.prefix(60).compactMap { token in
      let written = text(token.span)
      let word = ["NOT", "ANY", "ALL", "NONE", "AND", "OR"].first {
        written.uppercased().hasPrefix($0)
          && model.property(named: String(written.dropFirst($0.count)), of: entity) != nil
      }
      guard let word, model.property(named: written, of: entity) == nil else { return nil }
      return FixIt(token.span, "\(word) \(written.dropFirst(word.count))")
    }
  }
}
