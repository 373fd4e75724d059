package import KuraDiagnostics
package import KuraPredicates

/// `update ENTITY set key = EXPR, … where PREDICATE`
package struct UpdateStatement: Sendable {
  package var target: ChangeTarget
  package var assignments: [Assignment]

  package init(target: ChangeTarget, assignments: [Assignment]) {
    self.target = target
    self.assignments = assignments
  }
}

/// `done = YES`, `tags += Tag/3`
package struct Assignment: Sendable {
  package var key: Name
  package var operation: Operation
  package var value: ExpressionTree

  package enum Operation: String, Sendable, Hashable {
    case set = "="
    /// To a to-many relationship, or a number.
    case add = "+="
    /// From a to-many relationship, or a number.
    case subtract = "-="
  }

  package init(key: Name, operation: Operation = .set, value: ExpressionTree) {
    self.key = key
    self.operation = operation
    self.value = value
  }
}

/// The objects that an `update` or `delete` is about.
package struct ChangeTarget: Sendable {
  /// `Item`, `Item/3`, `$home.items`, `_`
  package var source: FetchSource
  /// `where done == YES`
  package var predicate: PredicateTree?
  /// `all`: every object of the entity is meant.
  package var all: SourceSpan?

  package init(source: FetchSource, predicate: PredicateTree? = nil, all: SourceSpan? = nil) {
    self.source = source
    self.predicate = predicate
    self.all = all
  }

  /// Whether it names an entity and does not say which of its objects.
  package var isUnlimited: Bool {
    guard case .entity = source.kind else { return false }
    return predicate == nil && all == nil
  }

  /// The fetch that finds the objects.
  package var fetch: FetchTree {
    var fetch = FetchTree(of: source, span: source.span)
    fetch.predicate = predicate
    return fetch
  }
}

/// `undo`, `undo 3`, `undo list`
package enum UndoStatement: Sendable {
  case steps(Int, SourceSpan)
  case list
}

/// `alter entity Item …`
package struct AlterStatement: Sendable {
  package var entity: Name
  package var change: Change

  package enum Change: Sendable {
    /// `add note: string?`
    case add(PropertyDeclaration)
    /// `drop note`
    case drop(Name)
    /// `rename title to name`
    case rename(Name, to: Name)
    /// `rename to Task`
    case renameEntity(to: Name)
    /// `change due: date?`
    case change(PropertyDeclaration)
  }

  package init(entity: Name, change: Change) {
    self.entity = entity
    self.change = change
  }
}
