import KuraBytes
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// `title LIKE[c] "*pass*7"`, `title MATCHES "Renew .* 1[0-9]*"`: searches for a literal of a pattern, and matches the
/// rows that contain it. Folded patterns are matched with the keys of the texts.
struct PatternKernel: ColumnKernel {
  let column: Int
  let key: String
  private let matcher: Matcher
  private let literal: PatternLiteral?

  private enum Matcher: Sendable {
    case like(LikePattern)
    case automaton(Automaton)
    case foldedAutomaton(FoldedAutomaton)
    /// ICU, for each row. A match that exceeds its limits is left to the reference evaluator, which reports it.
    case expression(RegularExpression, CancelFlag)
  }

  init(column: Int, key: String, like text: String, _ options: TextOptions) {
    (self.column, self.key) = (column, key)
    let pattern = LikePattern(text, options)
    matcher = .like(pattern)
    literal = PatternLiteral(of: pattern)
  }

  /// Returns nil for an invalid regular expression.
  init?(
    column: Int, key: String, matching text: String, _ options: TextOptions, _ cancel: CancelFlag
  ) {
    // ICU decides whether the pattern is valid, and how it folds.
    guard let expression = try? RegularExpression.cached(text, options) else { return nil }
    (self.column, self.key) = (column, key)
    if options.folds {
      matcher =
        FoldedAutomaton(text, options).map { .foldedAutomaton($0) }
        ?? .expression(expression, cancel)
    } else {
      matcher =
        RegularSyntax(text).flatMap { Automaton($0) }.map { .automaton($0) }
        ?? .expression(expression, cancel)
    }
    literal = PatternLiteral(ofExpression: text, isFolded: options.folds)
  }

  var method: String {
    switch (matcher, literal) {
    case (.like, nil): localized("pattern over \(key)")
    case (.like, _?): localized("pattern over \(key), searching for a literal")
    case (.automaton, nil), (.foldedAutomaton, nil): localized("automaton over \(key)")
    case (.automaton, _?), (.foldedAutomaton, _?):
      localized("automaton over \(key), searching for its longest literal")
    case (.expression, nil): localized("regular expression over \(key)")
    case (.expression, _?):
      localized("regular expression over \(key), searching for its longest literal")
    }
  }

  var cost: Double {
    switch matcher {
    case _ where literal != nil: 10
    case .like, .automaton, .foldedAutomaton: 60
    case .expression: 300
    }
  }

  var neverFallsBack: Bool {
    switch matcher {
    case .like, .automaton: true
    case .foldedAutomaton, .expression: false
    }
  }
}

extension PatternKernel {
  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let chunk = rows.chunk(column)
    var answer = KernelAnswer(passing: Bitmap(count: chunk.count))
    let few = rows.areFew ? rows.candidates : nil
    guard let text = fold.map({ chunk.keys($0, ofFew: few) }) ?? chunk.packedTexts else {
      return answer
    }
    var candidates = (literal.map { $0.candidates(rows, chunk) } ?? rows.candidates)
      .subtracting(chunk.nulls)
    TextViews(text).withAccess { texts in
      switch matcher {
      case .like(let pattern):
        candidates.eachRow { answer.note(pattern.matches(folded: texts[$0]), $0) }
      case .automaton(let automaton):
        if literal == nil { candidates = automaton.mayMatch(texts, among: candidates) }
        candidates.eachRow { answer.note(automaton.matches(texts.bytes, texts.range($0)), $0) }
      case .foldedAutomaton(let automaton):
        automaton.mayMatch(texts, among: candidates).eachRow {
          answer.note(automaton.matches(texts[$0]), $0)
        }
      case .expression(let expression, let cancel):
        candidates.eachRow { row in
          guard !cancel.isRequested else { return }
          answer.note(try? expression.matches(text.string(row), cancel: cancel), row)
        }
      }
    }
    return answer
  }

  /// The folding of the texts that the pattern is matched with.
  private var fold: TextFold? {
    switch matcher {
    case .like(let pattern): pattern.fold
    case .foldedAutomaton(let automaton): automaton.fold
    case .automaton, .expression: nil
    }
  }
}

/// Bytes that every text with a pattern, or its key, contains, or begins or ends with.
private struct PatternLiteral: Sendable {
  private let bytes: [UInt8]
  private let test: TextTest
  private let fold: TextFold?

  /// Returns nil if there is no literal. Comparing the beginnings or ends of texts is faster than searching.
  init?(of pattern: LikePattern) {
    fold = pattern.fold
    if let first = pattern.firstLiteral {
      (bytes, test) = (first, .begins)
    } else if let last = pattern.lastLiteral {
      (bytes, test) = (last, .ends)
    } else if let longest = pattern.longestLiteral {
      (bytes, test) = (longest, .contains)
    } else {
      return nil
    }
  }

  /// Returns nil if a regular expression requires no literal, or if ICU may match other letters.
  init?(ofExpression pattern: String, isFolded: Bool) {
    // Many texts contain a single byte; their first and last bytes exclude more rows.
    guard let literal = RegularSyntax(pattern)?.requiredLiteral, literal.count > 1 else {
      return nil
    }
    test = .contains
    guard isFolded else {
      (bytes, fold) = (literal, nil)
      return
    }
    let fold = TextFold.cd
    // The long s and the Kelvin sign are letters too.
    guard pattern.utf8.allSatisfy({ $0 < 0x80 }),
      let bytes = literal.withUnsafeBufferPointer({ fold.folded($0) }),
      !bytes.contains(0x73) || fold.folded(0x17F) == 0x73
    else { return nil }
    (self.bytes, self.fold) = (bytes, fold)
  }

  /// Returns the rows that may have the literal.
  func candidates(_ rows: ChunkRows, _ chunk: ColumnChunk) -> Bitmap {
    guard !rows.areFew, let texts = fold.map({ chunk.keys($0) }) ?? chunk.packedTexts else {
      return rows.candidates
    }
    var result = Bitmap(count: chunk.count)
    TextBytes.find(test, bytes, texts.bytes, texts.ends) { result.insert($0) }
    return result.intersection(rows.candidates)
  }
}
