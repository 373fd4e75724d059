package import KuraDiagnostics
package import KuraPredicates

/// `abstract entity Item: Task { … }`
package struct EntityDeclaration: Sendable {
  package var name: Name
  package var parent: Name?
  package var isAbstract = false
  package var properties: [PropertyDeclaration] = []
  /// `unique (title, parentCategory)`
  package var uniquenessConstraints: [[Name]] = []

  package init(name: Name) { self.name = name }
}

/// `title: string = "x" min 1`, `items: [Item] ordered inverse parent delete cascade`
package struct PropertyDeclaration: Sendable {
  package var name: Name
  /// `string`, `Item`: a type if it is one of the lower-case type words, else an entity.
  package var type: Name
  /// `[Item]`
  package var isToMany = false
  /// `?`
  package var isOptional = false
  package var clauses: [Clause] = []

  package enum Clause: Sendable {
    /// `= NO`
    case defaultValue(ExpressionTree)
    /// `min 0`
    case minimum(ExpressionTree)
    /// `max 5`
    case maximum(ExpressionTree)
    /// `matches "[0-9]+"`
    case matches(Name)
    /// `unique`
    case unique(SourceSpan)
    /// `check (length(title) < 20)`
    case check(PredicateTree)
    /// `transient`
    case transient(SourceSpan)
    /// `derived (items.@count)`
    case derived(ExpressionTree)
    /// `ordered`
    case ordered(SourceSpan)
    /// `inverse items`
    case inverse(Name)
    /// `delete cascade`
    case delete(Name)
  }

  package init(name: Name, type: Name) {
    self.name = name
    self.type = type
  }
}
