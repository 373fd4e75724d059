import KuraDiagnostics

/// A tree that is kept as text.
protocol TextKeepable: Hashable {
  /// The key of the text: `predicate`
  static var kind: KeptKey { get }
  /// The text, which also tells YES from 1.
  var keptText: String { get }
  init(parsing text: String) throws(Diagnostic)
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self
  /// The variables that are named anywhere in it, bound ones too.
  var namedVariables: Set<String> { get }
}

/// The keys of a kept tree.
enum KeptKey: String, CodingKey {
  case kura, predicate, expression, sort, values
}

extension PredicateTree: TextKeepable {
  static var kind: KeptKey { .predicate }
  var keptText: String { TreePrinter.kept { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    try rewriter.rewrite(self)
  }
  var namedVariables: Set<String> { TreeNode.predicate(self).namedVariables }
}

extension ExpressionTree: TextKeepable {
  static var kind: KeptKey { .expression }
  var keptText: String { TreePrinter.kept { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    try rewriter.rewrite(self)
  }
  var namedVariables: Set<String> { TreeNode.expression(self).namedVariables }
}

extension SortTree: TextKeepable {
  static var kind: KeptKey { .sort }
  var keptText: String { TreePrinter.kept { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    var result = self
    result.expression = try rewriter.rewrite(expression)
    return result
  }
  var namedVariables: Set<String> { TreeNode.expression(expression).namedVariables }
}

extension TreePrinter {
  fileprivate static func kept(_ write: (inout TreePrinter) -> Void) -> String {
    var printer = TreePrinter()
    printer.spellsBooleans = true
    write(&printer)
    return printer.text
  }
}

extension TreeNode {
  fileprivate var namedVariables: Set<String> {
    var names: Set<String> = []
    walk { node, bound in
      names.formUnion(bound)
      guard case .expression(let tree) = node else { return .into }
      switch tree.kind {
      case .assignment(let name, _), .variable(let name): names.insert(name)
      case .keyPath(let path): names.formUnion(path.components.map(\.name))
      default: break
      }
      return .into
    }
    return names
  }
}
