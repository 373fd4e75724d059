package import KuraDiagnostics
import KuraPredicates
import KuraSentences
import KuraValues

/// The effect of Enter at the end of a text: run it, or begin a new line.
package enum Completeness: Sendable {
  /// Every statement in it is complete.
  case complete
  /// The last statement continues; the diagnostic, if any, describes what is missing.
  case incomplete(Diagnostic?)
  /// A statement has an error that nothing that follows could correct.
  case failure(Diagnostic, source: SourceText)

  /// Reads a text as if Enter had just been pressed at its end, without running it.
  ///
  ///     Completeness("fetch MemoDate where")     // incomplete: expected a predicate
  ///     Completeness("fetch MemoDate")           // complete
  ///     Completeness("fetch MemoDate where\n")   // failure: a blank line ends a statement
  ///     Completeness("delete MemoDate")          // failure: expected where PREDICATE or all
  package init(_ text: String) {
    var reader = StatementReader()
    reader.feed(text.utf8)
    reader.feed(CollectionOfOne(UInt8.newline))
    reader.finish()
    self.init(&reader)
  }

  /// Reads the rest of a reader's text.
  init(_ reader: inout StatementReader) {
    while true {
      switch reader.next() {
      case .statement: continue
      case .failure(let diagnostic, let source):
        self =
          diagnostic.facts.isIncomplete && !diagnostic.facts.isRefusedAtEnter
          ? .incomplete(diagnostic) : .failure(diagnostic, source: source)
        return
      case .needsMore, .end:
        self = reader.endsWithContinuation ? .incomplete(nil) : .complete
        return
      }
    }
  }
}

extension Completeness {
  /// The missing part if Enter would not run the text; nil if it would.
  ///
  ///     Completeness("show Item/4").expected     // expected "as" after "Item/4"
  package var expected: String? {
    switch self {
    case .incomplete(let diagnostic?): diagnostic.facts.expected
    case .incomplete(nil): localized("the statement continues on the next line, after the \\")
    case .complete, .failure: nil
    }
  }
}

extension DiagnosticFacts {
  /// A message about what is missing, with its help; for a bracket only that it is still open.
  fileprivate var expected: String {
    if case .unclosed(let bracket, _)? = self as? PredicateSyntaxProblem {
      return localized("\(shown(bracket)) is still open")
    }
    return help.map { "\(sentence); \($0)" } ?? sentence
  }

  fileprivate var isRefusedAtEnter: Bool {
    (self as? StatementProblem)?.isRefusedAtEnter
      ?? (self as? PredicateSyntaxProblem)?.isRefusedAtEnter ?? false
  }
}

/// Determines whether Enter would run a text that grows line by line.
///
///     let check = CompletenessCheck()
///     check.isComplete("fetch MemoDate where cost > 1 AND")                   // false
///     check.isComplete("fetch MemoDate where cost > 1 AND\n  notifiable")     // reads one line
///
/// The result is that of `Completeness`. In a long text, it continues at the previous end, and
/// reads the statement again only if its last line could end it or the text has doubled. The work
/// is therefore linear in the text, but an error in such a text may be found some lines later.
package final class CompletenessCheck {
  private var reader = StatementReader()
  private var known: [UInt8] = []
  /// The length up to which texts are read completely.
  private let longText: Int

  package init(longText: Int = 4096) { self.longText = longText }

  package func isComplete(_ text: String) -> Bool {
    guard text.utf8.count >= longText else {
      forget()
      if case .incomplete = Completeness(text) { return false }
      return true
    }
    take(text)
    return isComplete
  }

  private func forget() {
    reader = StatementReader()
    known = []
  }

  /// Feeds the new part, or the complete text if it begins differently.
  private func take(_ text: String) {
    var lines: [UInt8] = []
    lines.reserveCapacity(text.utf8.count + 1)
    lines.append(contentsOf: text.utf8)
    lines.append(.newline)
    if !lines.begin(with: known) { forget() }
    reader.feed(lines[known.count...])
    known = lines
  }

  private var isComplete: Bool {
    while true {
      switch reader.next() {
      case .statement: continue
      case .failure:
        forget()
        return true
      case .needsMore, .end:
        return !reader.mustContinue && isWhole
      }
    }
  }

  /// Whether the text would be complete if it ended here.
  private var isWhole: Bool {
    var ended = reader
    ended.finish()
    if case .incomplete = Completeness(&ended) { return false }
    return true
  }
}

extension [UInt8] {
  fileprivate func begin(with known: [UInt8]) -> Bool {
    withUnsafeBufferPointer { all in
      known.withUnsafeBufferPointer { $0.isEmpty || Bytes.begins(all, $0) }
    }
  }
}

extension StatementReader {
  /// Whether the last statement cannot end here: a bracket is open, or an operator or comma needs
  /// an operand.
  fileprivate var mustContinue: Bool {
    mutating get { open?.mustContinue(bytes, to: known) ?? false }
  }

  /// Returns the statements of a complete text, each with its lines.
  ///
  ///     try StatementReader.statements(of: SourceText("undo; redo")).count     // 2
  ///
  /// Linear in the text. Throws the first error, which has its lines.
  package static func statements(
    of source: SourceText
  ) throws(Diagnostic) -> [(statement: Statement, source: SourceText)] {
    var reader = StatementReader(name: source.name, firstLine: source.firstLine)
    reader.feed(source.bytes)
    reader.finish()
    var found: [(statement: Statement, source: SourceText)] = []
    while true {
      switch reader.next() {
      case .statement(let statement, let source): found.append((statement, source))
      case .failure(var diagnostic, let source):
        diagnostic.source = diagnostic.source ?? source
        throw diagnostic
      case .needsMore, .end: return found
      }
    }
  }
}
