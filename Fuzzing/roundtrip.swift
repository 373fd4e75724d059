import KuraDiagnostics
import KuraPredicates
import KuraScript
import KuraValues

/// Checks that the text of a parsed tree parses to an equal tree with the same text.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  checkRoundTrip(text, readPredicate)
  checkRoundTrip(text, readExpression)
  checkRoundTrip(text, readSortKey)
  checkRoundTrip(text, readInStatement)
  checkRoundTrip(text, readFetch)
  for argument in arguments { checkFormat(text, argument) }
  return 0
}

private func checkRoundTrip<Tree: Hashable & CustomStringConvertible>(
  _ text: String, _ read: (String) throws(Diagnostic) -> Tree
) {
  guard case .success(let tree) = outcome({ () throws(Diagnostic) in try read(text) })
  else { return }
  check(tree, from: text, read)
}

private func check<Tree: Hashable & CustomStringConvertible>(
  _ tree: Tree, from text: String, _ read: (String) throws(Diagnostic) -> Tree
) {
  let printed = tree.description
  switch outcome({ () throws(Diagnostic) in try read(printed) }) {
  case .failure(let diagnostic):
    fatalError("\(text)\nprints: \(printed)\n\(diagnostic.rendered(in: SourceText(printed)))")
  case .success(let again):
    require(again.description == printed, "\(text)\nprints: \(printed)\nthen: \(again)")
    require(again == tree, "\(text)\nprints: \(printed)\nwhich is a different tree")
    require(again.hashValue == tree.hashValue, "\(printed)\nis equal but has a different hash")
  }
}

private func readPredicate(_ text: String) throws(Diagnostic) -> PredicateTree {
  try PredicateTree(parsing: text)
}

private func readExpression(_ text: String) throws(Diagnostic) -> ExpressionTree {
  try ExpressionTree(parsing: text)
}

private func readSortKey(_ text: String) throws(Diagnostic) -> SortTree {
  try SortTree(parsing: text)
}

private func readInStatement(_ text: String) throws(Diagnostic) -> ExpressionTree {
  let parser = PredicateParser(TokenCursor(SourceText(text), mode: .statement))
  do throws(SyntaxError) {
    let tree = try parser.parseExpressionOrPredicate()
    try parser.parseEnd()
    return tree
  } catch {
    throw error.diagnostic
  }
}

// Fetches
private func readFetch(_ text: String) throws(Diagnostic) -> FetchTree {
  let parser = StatementParser(TokenCursor(SourceText(text), mode: .statement))
  do throws(SyntaxError) {
    guard var tree = try parser.parse().tree as? FetchTree else { throw parser.noFetch }
    tree.forgetNames()
    return tree
  } catch {
    throw error.diagnostic
  }
}

extension StatementParser {
  fileprivate var noFetch: SyntaxError { SyntaxError(NoFetch(), at: .none) }
}

private struct NoFetch: DiagnosticFacts {
  var sentence: String { "this is not a fetch" }
}

extension FetchTree {
  /// Removes the names of columns without `as`, which are the typed text.
  fileprivate mutating func forgetNames() {
    selection = selection?.map { column in
      var column = column
      if !column.isNamed, column.name != nil { column.name = "" }
      return column
    }
  }
}

// Formats
private let arguments: [Value] = [
  .string("first name.@count"), .string("a"), .integer(-3), .integer(.min), .double(-0.5),
  .boolean(true), .null,
]

/// Checks a format with as many arguments as it has percent signs.
private func checkFormat(_ format: String, _ argument: Value) {
  let count = format.utf8.count { $0 == UInt8(ascii: "%") }
  guard count > 0 else { return }
  let arguments = [FormatArgument](repeating: .value(argument), count: min(count, 64))
  let result = outcome { () throws(Diagnostic) in
    try PredicateTree(format: format, arguments: arguments)
  }
  if case .success(let tree) = result { check(tree, from: format, readPredicate) }
}
