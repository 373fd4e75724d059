package import KuraDiagnostics

extension StatementReader {
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
