import KuraDiagnostics
import KuraPredicates
import KuraScript
import KuraValues

/// Parses any bytes: as a predicate, as sort keys, as a format with arguments, as statements.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  readTrees(bytes)
  readFormats(String(decoding: bytes, as: UTF8.self))
  readStatements(bytes)
  return 0
}

private func readTrees(_ bytes: [UInt8]) {
  let source = SourceText(bytes: bytes)
  for mode in [Lexer.Mode.format(takesArguments: false), .statement] {
    check(source, mode) { parser throws(SyntaxError) in _ = try parser.parsePredicate() }
    check(source, mode) { parser throws(SyntaxError) in
      _ = try parser.parseExpressionOrPredicate()
    }
    check(source, mode) { parser throws(SyntaxError) in _ = try parser.parseSortKey() }
  }
}

private func check(
  _ source: SourceText, _ mode: Lexer.Mode,
  _ read: (PredicateParser) throws(SyntaxError) -> Void
) {
  let parser = PredicateParser(TokenCursor(source, mode: mode))
  parser.clauseWords = ["sort", "limit"]
  do throws(SyntaxError) {
    try read(parser)
    try parser.parseEnd()
  } catch {
    error.diagnostic.check(in: source)
  }
  for warning in parser.warnings { warning.check(in: source) }
}

/// Parses a format with as many arguments as it has percent signs.
private func readFormats(_ format: String) {
  let count = format.utf8.count { $0 == UInt8(ascii: "%") }
  guard count > 0 else { return }
  for value in [Value.string("a.@count"), .integer(-3), .null, .list([.double(0.5)])] {
    let arguments = [FormatArgument](repeating: .value(value), count: min(count, 64))
    let result = outcome { () throws(Diagnostic) in
      try PredicateTree(format: format, arguments: arguments)
    }
    if case .failure(let diagnostic) = result { diagnostic.check(in: SourceText(format)) }
  }
}

/// Checks that statements do not depend on the pieces in which the bytes arrive.
private func readStatements(_ bytes: [UInt8]) {
  let whole = events(of: [bytes[...]])
  let pieces = events(of: pieces(of: bytes))
  require(whole == pieces, "whole: \(whole)\nin pieces: \(pieces)")
  switch Completeness(String(decoding: bytes, as: UTF8.self)) {
  case .complete, .incomplete(nil): break
  case .incomplete(let diagnostic?): require(!diagnostic.facts.sentence.isEmpty, "an empty message")
  case .failure(let diagnostic, let source): diagnostic.check(in: source)
  }
}

private func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
  var numbers = InputNumbers(bytes)
  let longest = [1, 3, 16, 256].randomElement(using: &numbers) ?? 1
  var rest = bytes[...]
  var pieces: [ArraySlice<UInt8>] = []
  while !rest.isEmpty {
    let piece = rest.prefix(Int.random(in: 1...longest, using: &numbers))
    pieces.append(piece)
    rest = rest.dropFirst(piece.count)
  }
  return pieces
}

private func events(of pieces: [ArraySlice<UInt8>]) -> [String] {
  var reader = StatementReader(name: "input")
  var found: [String] = []
  for piece in pieces {
    reader.feed(piece)
    readAll(&reader, &found)
  }
  reader.finish()
  readAll(&reader, &found)
  return found
}

private func readAll(_ reader: inout StatementReader, _ found: inout [String]) {
  while true {
    switch reader.next() {
    case .needsMore, .end: return
    case .statement(let statement, let source):
      for warning in statement.warnings { warning.check(in: source) }
      let warnings = statement.warnings.map { $0.rendered(in: source) }
      found.append("\(source.firstLine) \(source.text(statement.span)) \(warnings)")
    case .failure(let diagnostic, let source):
      diagnostic.check(in: source)
      found.append(diagnostic.rendered(in: source))
    }
  }
}
