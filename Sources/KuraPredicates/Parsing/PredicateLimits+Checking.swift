import KuraDiagnostics
import KuraValues

extension PredicateLimits {
  /// Refuses one node of a predicate.
  func check(_ node: TreeNode, _ bound: Set<String>) throws(Diagnostic) {
    switch node {
    case .predicate(let tree): try check(tree)
    case .expression(let tree): try check(tree)
    }
  }

  private func check(_ tree: PredicateTree) throws(Diagnostic) {
    guard case .comparison(let comparison) = tree.kind, !allowsMatches,
      comparison.operation == .matches
    else { return }
    throw Diagnostic(LimitFacts.matches, at: tree.span)
  }

  private func check(_ tree: ExpressionTree) throws(Diagnostic) {
    switch tree.kind {
    case .keyPath(let path): try check(path, tree.span)
    case .objectOrQuotient(let key, _): try checkPath([key], tree.span)
    case .function(let call): try check(call, tree.span)
    case .message(_, let selector, _): try checkName([selector], tree.span)
    // What reads a key that only the evaluation knows.
    case .index(_, .at(let index)) where keyPaths != nil && !index.isNumber:
      throw Diagnostic(LimitFacts.wholeObject, at: tree.span)
    case .indexAfterDot, .anyKey, .fetch: try checkAll(tree.span)
    default: break
    }
  }

  private func checkAll(_ span: SourceSpan) throws(Diagnostic) {
    if keyPaths != nil { throw Diagnostic(LimitFacts.wholeObject, at: span) }
  }

  /// A path of its own, or one behind a variable, whose keys may be the last of an allowed path.
  private func check(_ path: KeyPathTree, _ span: SourceSpan) throws(Diagnostic) {
    if path.components.contains(where: { $0.kind == .variable }) { return try checkAll(span) }
    let keys = path.components.filter { $0.kind == .key && $0.name != "self" }.map(\.name)
    if path.base == nil || path.base?.kind == .evaluatedObject { return try checkPath(keys, span) }
    guard let keyPaths, !keys.isEmpty else { return }
    let end = keys.joined(separator: ".")
    if keyPaths.contains(where: { $0 == end || $0.hasSuffix("." + end) }) { return }
    throw refused(keys, span)
  }

  private func checkPath(_ keys: [String], _ span: SourceSpan) throws(Diagnostic) {
    guard let keyPaths, !keys.isEmpty, !keyPaths.contains(keys.joined(separator: ".")) else {
      return
    }
    throw refused(keys, span)
  }

  private func refused(_ keys: [String], _ span: SourceSpan) -> Diagnostic {
    let path = keys.joined(separator: ".")
    return Diagnostic(
      LimitFacts.keyPath(path, near: nearNames(to: path, among: (keyPaths ?? []).sorted())),
      at: span)
  }

  private func check(_ call: FunctionCall, _ span: SourceSpan) throws(Diagnostic) {
    guard ArithmeticOperator(call) == nil else { return }
    let here = call.nameSpan == .none ? span : call.nameSpan
    try checkName([call.selector] + (call.function?.names ?? []), here)
  }

  private func checkName(_ names: [String], _ span: SourceSpan) throws(Diagnostic) {
    guard let functions, functions.isDisjoint(with: names) else { return }
    throw Diagnostic(LimitFacts.function(names.last ?? ""), at: span)
  }
}

extension ExpressionTree {
  fileprivate var isNumber: Bool {
    if case .constant(let constant) = kind {
      constant.value.approximateNumber != nil
    } else {
      false
    }
  }
}
