extension ExpressionTree {
  /// The tree that a person meant who wrote an index after a dot: `(a.d)[0]` for `a.d[0]`.
  ///
  /// Every other tree is its own.
  public var withIndexOutside: ExpressionTree {
    guard case .indexAfterDot(let base, let indexed) = kind else { return self }
    return ExpressionTree(indexed.rooted(in: base).kind, span: span)
  }

  /// This index, or key, with the object it belongs to: `d[0]` in `a.b` is `(a.b.d)[0]`.
  private func rooted(in base: ExpressionTree) -> ExpressionTree {
    descending { rootedKind(in: base) }
  }

  private func rootedKind(in base: ExpressionTree) -> ExpressionTree {
    switch kind {
    case .index(let inner, let place): ExpressionTree(.index(inner.rooted(in: base), place))
    case .keyPath(let path): base.appending(path.components)
    case .variable(let name): base.appending([KeyComponent(name, .variable, span: span)])
    default: self
    }
  }

  private func appending(_ components: [KeyComponent]) -> ExpressionTree {
    guard case .keyPath(let path) = kind else {
      return ExpressionTree(.keyPath(KeyPathTree(base: self, components)))
    }
    return ExpressionTree(.keyPath(KeyPathTree(base: path.base, path.components + components)))
  }
}

extension ExpressionTree {
  /// Whether it is a constant, or a list of such: the same for every object.
  package var isFixed: Bool {
    switch kind {
    case .constant: true
    case .aggregate(let parts): descending { parts.allSatisfy(\.isFixed) }
    default: false
    }
  }
}

extension IndexKind {
  /// Whether it is the same for every object.
  package var isFixed: Bool {
    switch self {
    case .first, .last, .size: true
    case .at(let index): index.isFixed
    }
  }
}
