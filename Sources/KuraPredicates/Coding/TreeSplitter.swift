import KuraValues

/// Takes out of a tree what its text cannot say, and puts variables there.
final class TreeSplitter {
  private(set) var parts: [String: KeptPart] = [:]
  private let taken: Set<String>
  private var count = 0

  init(avoiding names: Set<String>) { taken = names }

  var rewriter: TreeRewriter<Never> {
    TreeRewriter(
      predicate: { tree, _ in self.sayable(tree) }, expression: { tree, _ in self.sayable(tree) })
  }
}

extension TreeSplitter {
  private func sayable(_ tree: PredicateTree) -> PredicateTree {
    switch tree.kind {
    case .and(let parts) where parts.count < 2: standIn(.and(parts.map(\.keptText)))
    case .or(let parts) where parts.count < 2: standIn(.or(parts.map(\.keptText)))
    case .truth(let expression): standIn(.truth(expression.keptText))
    case .comparison, .not, .and, .or, .constant: tree
    }
  }

  /// `$value1 == YES`, for a predicate cannot be a variable.
  private func standIn(_ part: KeptPart) -> PredicateTree {
    let yes = ExpressionTree(.constant(Constant(.boolean(true))))
    return PredicateTree(.comparison(Comparison(variable(for: part), .equal, yes)))
  }

  private func sayable(_ tree: ExpressionTree) -> ExpressionTree {
    switch tree.kind {
    case .constant(let constant):
      constant.value.hasLiteral ? tree : variable(for: .value(constant.value))
    case .objectOrQuotient(let entity, let number):
      variable(for: .quotient(entity: entity, number: number))
    case .predicate(let predicate): variable(for: .predicate(predicate.keptText))
    default: tree
    }
  }

  private func variable(for part: KeptPart) -> ExpressionTree {
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
  /// Whether the text of the constant reads back as it.
  fileprivate var hasLiteral: Bool {
    switch self {
    case .null, .boolean, .integer, .string: true
    case .double(let x): x.isFinite
    case .decimal, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object: false
    }
  }
}
