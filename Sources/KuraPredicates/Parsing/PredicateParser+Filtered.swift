import KuraDiagnostics

// `count(items where done == NO)`, `count(items, done == NO)`, where it is
// `SUBQUERY(items, $x, $x.done == NO).@count`.
extension PredicateParser {
  /// Reads the arguments of a call; an error in them gets the subquery that may be meant.
  func filtered<Arguments>(
    by function: PredicateFunction, _ call: SourceSpan,
    _ read: () throws(SyntaxError) -> Arguments
  ) throws(SyntaxError) -> Arguments {
    let start = cursor
    do { return try read() } catch {
      guard let word = function.collectionOperator else { throw error }
      throw guessing(error, from: start) { subquery(aggregatedBy: word, call) }
    }
  }

  /// Reads the variable of a subquery; where it is missing, an error gets one.
  func elementVariable(
    of collection: ExpressionTree, in bracket: Token
  ) throws(SyntaxError) -> String {
    if required.kind == .variable { return String(cursor.text(take()).dropFirst()) }
    let error = missingSign(expected(.variable), in: bracket)
    guard let keys = collection.plainKeys else { throw error }
    throw guessing(error, from: cursor) { condition(on: keys)?.withVariable }
  }

  /// The error with what may be meant, read from a place on; a text has few such guesses.
  private func guessing(
    _ error: SyntaxError, from start: TokenCursor, _ read: () -> FixIt?
  ) -> SyntaxError {
    guard guesses > 0 else { return error }
    let before = (cursor, warnings, usedArguments, breakOff, guesses)
    defer { (cursor, warnings, usedArguments, breakOff, guesses) = before; guesses -= 1 }
    (cursor, breakOff, guesses) = (start, nil, 0)
    guard let fix = read() else { return error }
    var diagnostic = error.diagnostic
    diagnostic.fixIts.insert(fix, at: 0)
    return SyntaxError(diagnostic)
  }

  private func subquery(aggregatedBy word: String, _ call: SourceSpan) -> FixIt? {
    guard let path = try? expression(.assignment), let keys = path.plainKeys,
      required.is(.comma) || isWord(required, "where")
    else { return nil }
    take()
    let (many, value) =
      word == "count" ? (keys[...], "") : (keys.dropLast(), "." + (keys.last ?? ""))
    guard !many.isEmpty, let read = condition(on: Array(many)) else { return nil }
    let collection = many.joined(separator: ".")
    let head = TextEdit(
      SourceSpan(call.start, read.start), "SUBQUERY(\(collection), \(read.variable), ")
    let tail = TextEdit(required.span, ").@\(word)\(value)")
    return FixIt(edits: [head] + read.readings + [tail])
  }

  /// A condition up to the bracket, whose keys are those of the elements of a collection.
  private func condition(on keys: [String]) -> ElementCondition? {
    let start = required.span.start
    guard let condition = try? condition(.or), required.is(.rightParenthesis) else { return nil }
    let variable = ["$x", "$y", "$z"].first { !elements.contains(String($0.dropFirst())) } ?? "$x"
    return ElementCondition(
      variable: variable, start: start, readings: condition.readings(of: variable, in: keys))
  }
}

/// `$x` and what makes `$x.done == NO` of `done == NO`, which begins somewhere.
private struct ElementCondition {
  let variable: String
  let start: Int
  let readings: [TextEdit]

  /// With the variable, for a subquery that has none.
  var withVariable: FixIt {
    FixIt(edits: [TextEdit(SourceSpan(start, start), variable + ", ")] + readings)
  }
}

extension ExpressionTree {
  /// The names of a path that has nothing but keys.
  fileprivate var plainKeys: [String]? {
    guard case .keyPath(let path) = kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key })
    else { return nil }
    return path.components.map(\.name)
  }
}

extension PredicateTree {
  /// `$x.done` for `done` and for `items.done`: the keys read of the elements of a collection.
  fileprivate func readings(of variable: String, in collection: some Collection<String>)
    -> [TextEdit]
  {
    var edits: [TextEdit] = []
    walk { node, _ in
      guard case .expression(let tree) = node else { return .into }
      if case .evaluatedObject = tree.kind { edits.append(TextEdit(tree.span, variable)) }
      guard case .keyPath(let path) = tree.kind, path.base == nil else { return .into }
      let names = path.components.map(\.name)
      let isLong = names.count > collection.count && names.starts(with: collection)
      let key = path.components[isLong ? collection.count : 0]
      edits.append(TextEdit(SourceSpan(tree.span.start, key.span.start), variable + "."))
      return .into
    }
    return edits
  }
}
