import KuraDiagnostics
package import KuraPredicates

/// A new object in the value of a relationship, `(insert Book title = "x")`, `(insert title = "x")`
package struct NestedInsert: Sendable {
  /// The entity; nil for the destination of the relationship.
  package var entity: Name?
  package var assignments: [Assignment]
  /// The index among the objects of the value.
  package var place: Int
  /// The new object as the result of a fetch, for checks and completion.
  package var inserted: FetchTree
}

extension [Assignment] {
  /// The parts of a statement that sets these keys, with those of nested insertions.
  func typedParts(of inserted: FetchTree) -> [TypedPart] {
    [.assignments(self, to: inserted)]
      + flatMap(\.created).flatMap { $0.assignments.typedParts(of: $0.inserted) }
  }
}

extension StatementParser {
  /// Reads the value of a key of a new object, with new objects among its parts; nil if it begins
  /// otherwise.
  ///
  /// Their place in the expression is NULL.
  func readCreated(
    as key: Name, of inserted: FetchTree, depth: Int
  ) throws(SyntaxError) -> (value: ExpressionTree, created: [NestedInsert])? {
    let start = required.span
    if beginsInsert(cursor) {
      let new = try readNested(0, as: key, of: inserted, depth: depth)
      return (ExpressionTree(.constant(Constant(.null)), span: start.joined(lastSpan)), [new])
    }
    guard required.is(.leftBrace), hasInsertInBraces else { return nil }
    take()
    var (parts, created): ([ExpressionTree], [NestedInsert]) = ([], [])
    repeat {
      if beginsInsert(cursor) {
        created.append(try readNested(parts.count, as: key, of: inserted, depth: depth))
        parts.append(ExpressionTree(.constant(Constant(.null)), span: lastSpan))
      } else {
        parts.append(try predicates.parseExpression())
      }
    } while takeComma()
    try take(.rightBrace)
    return (ExpressionTree(.aggregate(parts), span: start.joined(lastSpan)), created)
  }

  private func readNested(
    _ place: Int, as key: Name, of inserted: FetchTree, depth: Int
  ) throws(SyntaxError) -> NestedInsert {
    let open = take()
    try predicates.grow(above: depth, at: open.span)
    take()
    let next = cursor.peek()
    let isEntity = required.end == nil && !next.is(.equal)
    let entity = isEntity ? try takeName(.entity) : nil
    let source =
      entity.map { FetchSource(.entity($0.text), span: $0.span) }
      ?? FetchSource(.objects(inserted.source.path(to: key)), span: key.span)
    let outside = predicates.recorder?.open.count ?? 0
    isAbout(source)
    let new = FetchTree(of: source)
    let assignments = try readAssignments(allowing: [.set], for: new, depth: depth + 1)
    try take(.rightParenthesis)
    predicates.recorder?.open.removeSubrange(outside...)
    return NestedInsert(entity: entity, assignments: assignments, place: place, inserted: new)
  }

  /// Returns whether `(insert` comes next.
  private func beginsInsert(_ cursor: TokenCursor) -> Bool {
    cursor.required.is(.leftParenthesis) && cursor.isWord(cursor.peek(), "insert")
  }

  /// Whether a value comes next that contains new objects.
  var beginsWithNew: Bool {
    beginsInsert(cursor) || required.is(.leftBrace) && hasInsertInBraces
  }

  /// Whether a list that comes next has an element that begins with `(insert`.
  private var hasInsertInBraces: Bool {
    var ahead = cursor
    ahead.take()
    while ahead.token.end == nil, ahead.depth > cursor.depth {
      if beginsInsert(ahead) { return true }
      ahead.take()
    }
    return false
  }
}

extension FetchSource {
  /// Returns the objects of a relationship of an object of this source.
  fileprivate func path(to key: Name) -> ExpressionTree {
    let component = KeyComponent(key.text, span: key.span)
    switch kind {
    case .objects(let tree):
      if case .keyPath(var path) = tree.kind {
        path.components.append(component)
        return ExpressionTree(.keyPath(path), span: key.span)
      }
      return ExpressionTree(.keyPath(KeyPathTree(base: tree, [component])), span: key.span)
    case .entity(let name), .elements(let name, _):
      let base = ExpressionTree(.objectOrQuotient(entity: name, number: 1), span: span)
      return ExpressionTree(.keyPath(KeyPathTree(base: base, [component])), span: key.span)
    case .last: return ExpressionTree(.keyPath(KeyPathTree([component])), span: key.span)
    }
  }
}
