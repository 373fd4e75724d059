import KuraBytes
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// `title LIKE[c] "*pass*7"`, `title MATCHES "Renew .* 1[0-9]*"`: searches for the longest literal of a pattern, and
/// matches the rows that contain it.
struct PatternKernel: ColumnKernel {
  let column: Int
  let key: String
  private let matcher: Matcher
  private let literal: PatternLiteral?

  private enum Matcher: Sendable {
    case like(LikePattern, TextOptions)
    case automaton(Automaton)
    case foldedAutomaton(FoldedAutomaton)
    /// ICU, for each row. A match that exceeds its limits is left to the reference evaluator, which reports it.
    case expression(RegularExpression, CancelFlag)
  }

  init(column: Int, key: String, like text: String, _ options: TextOptions) {
    (self.column, self.key) = (column, key)
    let pattern = LikePattern(text, options)
    matcher = .like(pattern, options)
    literal = pattern.longestLiteral.flatMap { PatternLiteral($0, isFolded: options.folds) }
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
    case (.like, _?): localized("pattern over \(key), searching for its longest literal")
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
    guard let text = chunk.packedTexts else { return answer }
    var candidates = literal.map { $0.candidates(rows, chunk) } ?? rows.candidates
    if let nulls = chunk.nulls { candidates.subtract(nulls) }
    TextViews(text).withAccess { texts in
      switch matcher {
      case .like(let pattern, let options) where options.folds:
        answer.passing = passing(pattern, options, chunk, text, candidates, areFew: rows.areFew)
      case .like(let pattern, _):
        candidates.eachRow { answer.note(pattern.matches(folded: texts[$0]), $0) }
      case .automaton(let automaton):
        if literal == nil { candidates = automaton.mayMatch(texts, among: candidates) }
        candidates.eachRow { answer.note(automaton.matches(texts.bytes, texts.range($0)), $0) }
      case .foldedAutomaton(let automaton):
        var folder = TextFolder(automaton.fold)
        automaton.mayMatch(texts, among: candidates).eachRow {
          answer.note(automaton.matches(texts[$0], &folder), $0)
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

  /// Returns the rows that match a folding LIKE. The cached copy is folded under [cd], so other options require the text
  /// itself if it has marks.
  private func passing(
    _ pattern: LikePattern, _ options: TextOptions, _ chunk: ColumnChunk, _ text: TextChunk,
    _ candidates: Bitmap, areFew: Bool
  ) -> Bitmap {
    var result = Bitmap(count: chunk.count)
    guard !areFew, let folded = chunk.folded(atUse: 1) else {
      candidates.eachRow { result[$0] = pattern.matches(text.string($0)) }
      return result
    }
    let ignoresMarks = options.contains([.caseInsensitive, .diacriticInsensitive])
    let ignoresCase = options.contains(.caseInsensitive)
    let changed = chunk.patchedRows
    TextViews(bytes: folded.bytes, ends: folded.ends).withAccess { texts in
      candidates.eachRow { row in
        let isFolded = ignoresMarks || ignoresCase && !folded.isMarked(row)
        result[row] =
          isFolded && !changed.contains(row)
          ? pattern.matches(folded: texts[row]) : pattern.matches(text.string(row))
      }
    }
    return result
  }
}

/// Bytes that every text with a pattern has, as stored or folded under [cd].
private struct PatternLiteral: Sendable {
  private let bytes: [UInt8]
  private let isFolded: Bool

  /// Returns nil for a literal that cannot be folded.
  init?(_ literal: [UInt8], isFolded: Bool) {
    let fold = isFolded ? TextFold.of([.caseInsensitive, .diacriticInsensitive]) : nil
    guard let bytes = isFolded ? literal.withUnsafeBufferPointer({ fold?.folded($0) }) : literal
    else { return nil }
    (self.bytes, self.isFolded) = (bytes, isFolded)
  }

  /// Returns nil if a regular expression requires no literal, or if ICU may match other letters.
  init?(ofExpression pattern: String, isFolded: Bool) {
    // Many texts contain a single byte; their first and last bytes exclude more rows.
    guard let literal = RegularSyntax(pattern)?.requiredLiteral, literal.count > 1 else {
      return nil
    }
    self.init(literal, isFolded: isFolded)
    guard isFolded else { return }
    let fold = TextFold.of([.caseInsensitive, .diacriticInsensitive])
    // The long s and the Kelvin sign are letters too.
    guard pattern.utf8.allSatisfy({ $0 < 0x80 }),
      !bytes.contains(0x73) || fold?.folded(0x17F) == 0x73
    else { return nil }
  }

  /// Returns the rows that may have the literal, including those in which the folded bytes do not decide.
  func candidates(_ rows: ChunkRows, _ chunk: ColumnChunk) -> Bitmap {
    guard !rows.areFew, let text = chunk.packedTexts else { return rows.candidates }
    var result = Bitmap(count: chunk.count)
    if !isFolded {
      TextBytes.find(.contains, bytes, text.bytes, text.ends) { result.insert($0) }
    } else if let folded = chunk.folded(atUse: 1) {
      result = Bitmap(words: folded.recomposed, count: chunk.count)
      for row in chunk.patchedRows { result.insert(row) }
      TextBytes.find(.contains, bytes, folded.bytes, folded.ends) { result.insert($0) }
    }
    result.formIntersection(rows.candidates)
    return result
  }
}

extension ColumnChunk {
  /// The rows with a text that is not in the cached folded texts.
  fileprivate var patchedRows: Dictionary<Int, [UInt8]>.Keys {
    if case .text(let text) = values { text.patch.keys } else { [:].keys }
  }
}
