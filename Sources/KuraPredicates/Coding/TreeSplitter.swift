import KuraBytes
import KuraDiagnostics
import KuraValues

/// Replaces the parts of a tree that a text cannot express by variables.
final class TreeSplitter {
  private(set) var parts: [String: EncodedPart] = [:]
  private let taken: Set<String>
  private var count = 0

  init(avoiding names: Set<String>) { taken = names }

  var rewriter: TreeRewriter<Never> {
    TreeRewriter(
      predicate: { tree, _ in self.expressible(tree) },
      expression: { tree, _ in self.expressible(tree) })
  }
}

extension TreeSplitter {
  private func expressible(_ tree: PredicateTree) -> PredicateTree {
    switch tree.kind {
    case .and(let parts) where parts.count < 2: standIn(.and(parts.map(\.encodedText)))
    case .or(let parts) where parts.count < 2: standIn(.or(parts.map(\.encodedText)))
    case .truth(let expression): standIn(.truth(expression.encodedText))
    case .comparison, .not, .and, .or, .constant: tree
    }
  }

  /// Returns `$value1 == YES`, because a predicate cannot be a variable.
  private func standIn(_ part: EncodedPart) -> PredicateTree {
    let yes = ExpressionTree(.constant(Constant(.boolean(true))))
    return PredicateTree(.comparison(Comparison(variable(for: part), .equal, yes)))
  }

  private func expressible(_ tree: ExpressionTree) -> ExpressionTree {
    switch tree.kind {
    case .constant(let constant):
      constant.value.hasLiteral ? tree : variable(for: .value(constant.value))
    case .objectOrQuotient(let entity, let number):
      variable(for: .quotient(entity: entity, number: number))
    case .predicate(let predicate): variable(for: .predicate(predicate.encodedText))
    default: tree
    }
  }

  private func variable(for part: EncodedPart) -> ExpressionTree {
    var name: String
    repeat {
      count += 1
      name = "value\(count)"
    } while taken.contains(name)
    parts[name] = part
    return ExpressionTree(.variable(name))
  }
}

extension Value {
  /// Whether parsing the text of the constant gives the same constant.
  fileprivate var hasLiteral: Bool {
    switch self {
    case .null, .boolean, .integer, .string: true
    case .double(let x): x.isFinite
    case .decimal, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object: false
    }
  }
}

/// Parses an encoded text and replaces its variables by the encoded parts.
///
/// Each part is used at most once. Parts that refer to each other therefore cannot form cycles or
/// expand to a tree much larger than the encoded data.
final class TreeJoiner {
  private var parts: [String: EncodedPart]

  init(parts: [String: EncodedPart]) { self.parts = parts }

  func tree<Tree: TextEncodable>(_ text: String) throws(Diagnostic) -> Tree {
    let rewriter = TreeRewriter<Diagnostic>(
      predicate: { tree, _ throws(Diagnostic) in try self.joined(tree) },
      expression: { tree, _ throws(Diagnostic) in try self.joined(tree) })
    // Parts can contain other parts, to any depth that the file has.
    return try DeepStack.run { () throws(Diagnostic) in
      try Tree(parsing: text).rewritten(by: rewriter)
    }
  }
}

extension TreeJoiner {
  private func joined(_ tree: PredicateTree) throws(Diagnostic) -> PredicateTree {
    guard case .comparison(let comparison) = tree.kind,
      case .variable(let name) = comparison.left.kind, let part = parts[name]
    else { return tree }
    switch part {
    case .and(let texts): return PredicateTree(.and(try take(name, texts)))
    case .or(let texts): return PredicateTree(.or(try take(name, texts)))
    case .truth(let text):
      parts[name] = nil
      return PredicateTree(.truth(try self.tree(text)))
    case .value, .predicate, .quotient: return tree
    }
  }

  private func take(_ name: String, _ texts: [String]) throws(Diagnostic) -> [PredicateTree] {
    parts[name] = nil
    var trees: [PredicateTree] = []
    for text in texts { trees.append(try tree(text)) }
    return trees
  }

  private func joined(_ tree: ExpressionTree) throws(Diagnostic) -> ExpressionTree {
    guard case .variable(let name) = tree.kind, let part = parts[name] else { return tree }
    switch part {
    case .value(let value):
      parts[name] = nil
      return ExpressionTree(.constant(Constant(value)), span: tree.span)
    case .predicate(let text):
      parts[name] = nil
      return ExpressionTree(.predicate(try self.tree(text)), span: tree.span)
    case .quotient(let entity, let number):
      parts[name] = nil
      return ExpressionTree(.objectOrQuotient(entity: entity, number: number), span: tree.span)
    case .and, .or, .truth: return tree
    }
  }
}
