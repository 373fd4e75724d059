import KuraDiagnostics
import KuraValues

/// Holds a predicate to its limits: knows which path stands behind each variable of a SUBQUERY.
struct LimitChecker {
  let limits: PredicateLimits
  /// The path whose elements a variable is; nil: nobody knows.
  var paths: [String: String?] = [:]

  /// Refuses what the limits do not allow, wherever it stands.
  func check(_ node: TreeNode) throws(Diagnostic) {
    try node.walk { (node, _) throws(Diagnostic) in
      switch node {
      case .predicate(let tree):
        try check(tree)
        return .into
      case .expression(let tree): return try check(tree)
      }
    }
  }

  private func check(_ tree: PredicateTree) throws(Diagnostic) {
    guard case .comparison(let comparison) = tree.kind, !limits.allowsMatches,
      comparison.operation == .matches
    else { return }
    throw Diagnostic(LimitFacts.matches, at: tree.span)
  }

  private func check(_ tree: ExpressionTree) throws(Diagnostic) -> WalkStep {
    switch tree.kind {
    case .keyPath(let path): return try check(path, tree)
    case .subquery(let collection, let variable, let predicate):
      try check(.expression(collection))
      var inside = self
      inside.paths[variable] = .some(path(of: collection))
      try inside.check(.predicate(predicate))
      return .over
    case .evaluatedObject: try checkPath("SELF", tree.span)
    // What stands for an element of a SUBQUERY is known, and may be read as its collection.
    case .variable(let name) where paths[name] == nil: try checkPath("$" + name, tree.span)
    case .objectOrQuotient(let key, _): try checkPath(key, tree.span)
    case .function(let call): try check(call, tree.span)
    case .message(_, let selector, let arguments):
      try check(selector, arguments, tree.span)
    case .index(_, .at(let index)): try checkIsFixed(index, tree.span)
    case .indexAfterDot, .anyKey, .fetch: try refuseUnlessAll(tree.span)
    default: break
    }
    return .into
  }
}

// Keys
extension LimitChecker {
  private func refuseUnlessAll(_ span: SourceSpan) throws(Diagnostic) {
    if limits.keyPaths != nil { throw Diagnostic(LimitFacts.wholeObject, at: span) }
  }

  /// An index is a number that stands there: any other may be a key.
  private func checkIsFixed(_ index: ExpressionTree?, _ span: SourceSpan) throws(Diagnostic) {
    if case .constant(let constant)? = index?.kind, constant.value.approximateNumber != nil {
      return
    }
    try refuseUnlessAll(span)
  }

  private func check(_ path: KeyPathTree, _ tree: ExpressionTree) throws(Diagnostic) -> WalkStep {
    guard limits.keyPaths != nil else { return .into }
    guard let name = self.path(of: tree) else {
      throw Diagnostic(LimitFacts.wholeObject, at: tree.span)
    }
    if !name.isEmpty { try checkPath(name, tree.span) }
    if let base = path.base, !base.isPlace { try check(.expression(base)) }
    return .over
  }

  private func checkPath(_ path: String, _ span: SourceSpan) throws(Diagnostic) {
    guard let known = limits.keyPaths, !known.contains(path) else { return }
    throw Diagnostic(
      LimitFacts.keyPath(path, near: nearNames(to: path, among: known.sorted())), at: span)
  }

  /// The keys that lead from the evaluated object to the values of an expression, elements and
  /// operators aside; nil where that cannot be told.
  private func path(of tree: ExpressionTree) -> String? {
    switch tree.kind {
    case .evaluatedObject: return ""
    case .variable(let name): return paths[name] ?? "$" + name
    case .subquery(let collection, _, _), .index(let collection, _): return path(of: collection)
    case .keyPath(let path):
      guard let start = path.base.map(self.path(of:)) ?? "",
        !path.components.contains(where: { $0.kind == .variable })
      else { return nil }
      let keys = path.components.compactMap(\.readName)
      return (start.isEmpty ? keys : [start] + keys).joined(separator: ".")
    default: return nil
    }
  }
}

extension ExpressionTree {
  /// Whether it only says where a key is read: SELF or a variable, which is not asked for itself.
  fileprivate var isPlace: Bool {
    switch kind {
    case .evaluatedObject, .variable: true
    default: false
    }
  }
}

extension KeyComponent {
  /// What it reads of a value; nil of an operator, which reads its elements.
  fileprivate var readName: String? {
    switch kind {
    case .key: name == "self" ? nil : name
    case .collectionOperator: ["allKeys", "allValues"].contains(name) ? "@" + name : nil
    case .variable: nil
    }
  }
}

// Functions
extension LimitChecker {
  private func check(_ call: FunctionCall, _ span: SourceSpan) throws(Diagnostic) {
    let here = call.nameSpan == .none ? span : call.nameSpan
    if ArithmeticOperator(call) == nil {
      try checkName([call.selector] + (call.function?.names ?? []), here)
    }
    if call.function?.result == .member { try checkIsFixed(call.arguments.last, here) }
  }

  /// A selector is that of a message, or of a function.
  private func check(
    _ selector: String, _ arguments: [ExpressionTree], _ span: SourceSpan
  ) throws(Diagnostic) {
    try checkName([selector], span)
    let isMember = PredicateFunction.of(selector)?.result == .member
    switch Message.of(selector)?.reading ?? (isMember ? .member : .target) {
    case .target: break
    case .member: try checkIsFixed(arguments.last, span)
    case .everything: try refuseUnlessAll(span)
    }
  }

  private func checkName(_ names: [String], _ span: SourceSpan) throws(Diagnostic) {
    guard let functions = limits.functions, functions.isDisjoint(with: names) else { return }
    throw Diagnostic(LimitFacts.function(names.last ?? ""), at: span)
  }
}
