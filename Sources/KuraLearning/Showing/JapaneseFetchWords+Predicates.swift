import KuraPredicates

// Predicates
extension JapaneseFetchWords {
  func words(_ predicate: PredicateTree) -> JapaneseClause {
    predicate.descending {
      switch predicate.kind {
      case .comparison(let comparison): words(comparison)
      case .and(let parts): joined(parts, \.conjunction)
      case .or(let parts): joined(parts, \.choice)
      case .not(let inside): negated(inside)
      case .constant(let answer): JapaneseClause(answer ? "常に真" : "常に偽", .be)
      case .truth(let value): JapaneseClause("\(words(value))がYES", .be)
      }
    }
  }

  /// What AND and OR join, in brackets where more stands around it.
  private func joined(
    _ parts: [PredicateTree], _ join: ([JapaneseClause]) -> String
  ) -> JapaneseClause {
    let clauses = parts.map { part in isJoined(part) ? bracketed(part) : words(part) }
    let rest = join(clauses)
    guard let last = clauses.last, rest.hasSuffix(last.text) else {
      return JapaneseClause(rest, .be)
    }
    let head = String(rest.dropLast(last.text.count))
    return JapaneseClause(text: rest, joined: head + last.joined)
  }

  private func isJoined(_ predicate: PredicateTree) -> Bool {
    switch predicate.kind {
    case .and, .or: true
    case .not, .comparison, .constant, .truth: false
    }
  }

  private func bracketed(_ predicate: PredicateTree) -> JapaneseClause {
    let inside = words(predicate).text
    return JapaneseClause(text: "（\(inside)）", joined: "（\(inside)）かつ")
  }

  private func negated(_ inside: PredicateTree) -> JapaneseClause {
    guard case .comparison(let comparison) = inside.kind else {
      return JapaneseClause("（\(words(inside).text)）", .hold)
    }
    if comparison.modifier == .any {
      return quantified(comparison, .notExist, "一つも", alone: "のどれか")
    }
    let isTold = comparison.isTrueWhereNull && facts.mayBeNull(comparison.left)
    let note = isTold ? "（\(words(comparison.left))がnilの場合も含む）" : ""
    return JapaneseClause("（\(words(comparison).text)）", .hold, note: note)
  }

  private func words(_ comparison: Comparison) -> JapaneseClause {
    if let counted = subquery(comparison) { return counted }
    switch comparison.modifier {
    case .direct: return clause(words(comparison.left), comparison)
    case .any: return quantified(comparison, .exist, "少なくとも一つ", alone: "の少なくとも一つ")
    case .all:
      guard let (objects, key) = parts(of: comparison.left) else {
        return clause("\(words(comparison.left))のすべて", comparison)
      }
      return clause("\(words(objects))のすべてについて\(key)", comparison)
    }
  }

  /// `nameが"家"であるtagsが少なくとも一つある`
  private func quantified(
    _ comparison: Comparison, _ ending: JapaneseClause.Ending, _ count: String, alone: String
  ) -> JapaneseClause {
    guard let (objects, key) = parts(of: comparison.left) else {
      let inner = clause("\(words(comparison.left))\(alone)", comparison)
      return ending == .notExist ? JapaneseClause("（\(inner.text)）", .hold) : inner
    }
    let inner = clause(key, comparison).text
    return JapaneseClause("\(inner)\(words(objects))が\(count)", ending)
  }

  /// `tags` and `name` of `tags.name`
  private func parts(of tree: ExpressionTree) -> (ExpressionTree, String)? {
    guard case .keyPath(let path) = tree.kind, path.components.count > 1,
      let last = path.components.last, last.kind == .key
    else { return nil }
    let objects = KeyPathTree(base: path.base, path.components.dropLast())
    return (ExpressionTree(.keyPath(objects)), last.name)
  }

  /// `$i.doneがNOであるitems（$i）の数が…`
  private func subquery(_ comparison: Comparison) -> JapaneseClause? {
    guard case .keyPath(let path) = comparison.left.kind, path.components.map(\.name) == ["count"],
      case .subquery(let collection, let variable, let predicate)? = path.base?.kind
    else { return nil }
    let subject = "\(words(predicate).text)\(words(collection))（$\(variable)）の数"
    return clause(subject, comparison)
  }
}
