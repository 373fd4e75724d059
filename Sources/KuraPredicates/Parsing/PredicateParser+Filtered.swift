import KuraDiagnostics

// `count(items where done == NO)`, where it is `SUBQUERY(items, $x, $x.done == NO).@count`.
extension PredicateParser {
  /// Reads the arguments of a call; an error at `where` gets the subquery that may be meant.
  func filtered<Arguments>(
    by function: PredicateFunction, _ call: SourceSpan,
    _ read: () throws(SyntaxError) -> Arguments
  ) throws(SyntaxError) -> Arguments {
    do { return try read() } catch {
      guard let word = function.collectionOperator, isWord(required, "where") else { throw error }
      let path = cursor.text(SourceSpan(call.end, required.span.start)).filter { !$0.isWhitespace }
      var diagnostic = error.diagnostic
      let keys = path.split(separator: ".").map(String.init)
      diagnostic.fixIts += subquery(of: keys, word, call).map { [$0] } ?? []
      throw SyntaxError(diagnostic)
    }
  }

  private func subquery(of keys: [String], _ word: String, _ call: SourceSpan) -> FixIt? {
    let (many, value) = word == "count" ? (keys, "") : (keys.dropLast(), "." + (keys.last ?? ""))
    let start = call.start
    take()
    guard !many.isEmpty, let condition = try? condition(.or), required.is(.rightParenthesis) else {
      return nil
    }
    let variable = ["$x", "$y", "$z"].first { !elements.contains(String($0.dropFirst())) } ?? "$x"
    let collection = many.joined(separator: ".")
    let head = TextEdit(
      SourceSpan(start, condition.span.start), "SUBQUERY(\(collection), \(variable), ")
    let tail = TextEdit(required.span, ").@\(word)\(value)")
    return FixIt(edits: [head] + condition.readings(of: variable, in: many) + [tail])
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
