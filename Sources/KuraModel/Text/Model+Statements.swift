package import KuraValues

extension Model {
  /// Statements that rebuild the model in an empty store, one line a property.
  ///
  ///     entity Item {
  ///       title: string min 1
  ///       parentCategory: Category? inverse items
  ///     }
  ///
  /// Parents stand before their children, for a parent must be known; otherwise the model's order
  /// is kept. User info, which means nothing, is not said. Ends with a line break.
  package func statements(in zone: ZoneRules) -> String {
    let entities = parentsFirst.map { $0.statement(in: zone) }
    return (entities + requests.map(\.statement)).map { $0 + "\n" }.joined()
  }

  /// The entities so that each stands behind its parent.
  private var parentsFirst: [Entity] {
    var isDone: Set<String> = []
    return entities.flatMap { entity in
      var line: [Entity] = []
      var next: Entity? = entity
      while let entity = next, isDone.insert(entity.name).inserted {
        line.append(entity)
        next = entity.parent.flatMap { self[$0] }
      }
      return line.reversed()
    }
  }
}

extension SavedRequest {
  /// `request Birthdays() = fetch MemoDate`
  ///
  /// The lines of a longer text are indented, so that each goes on with the one before.
  package var statement: String {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { line in line.drop(while: \.isWhitespace) }
      .filter { !$0.isEmpty }
    return "request \(StatementText.name(name))\(lines.joined(separator: "\n  "))"
  }
}

extension Entity {
  /// `entity Task: Item {`, its properties and `}`
  package func statement(in zone: ZoneRules) -> String {
    let lines =
      attributes.map { $0.declaration(isUnique: isUnique($0), in: zone) }
      + relationships.map(\.declaration) + constraintDeclarations
    if lines.isEmpty { return head + " { }" }
    return "\(head) {\n\(lines.map { "  \($0)\n" }.joined())}"
  }

  /// `entity Task: Item`
  package var head: String {
    let parent = parent.map { ": " + StatementText.name($0) } ?? ""
    return "\(isAbstract ? "abstract " : "")entity \(StatementText.name(name))\(parent)"
  }

  /// `title: string min 1`, of a key that it declares itself; nil for any other.
  package func declaration(of key: String, in zone: ZoneRules) -> String? {
    let attribute = attributes.first { $0.name == key }
    return attribute?.declaration(isUnique: uniquenessConstraints.contains([key]), in: zone)
      ?? relationships.first { $0.name == key }?.declaration
  }

  private func isUnique(_ attribute: Attribute) -> Bool {
    uniquenessConstraints.contains([attribute.name])
  }

  /// `unique (title, category)`: the constraints that are no word behind an attribute.
  package var constraintDeclarations: [String] {
    let own = Set(attributes.map(\.name))
    return uniquenessConstraints.filter { $0.count != 1 || !own.contains($0[0]) }
      .map(Entity.declaration)
  }

  private static func declaration(_ constraint: [String]) -> String {
    "unique (\(constraint.map(StatementText.name).joined(separator: ", ")))"
  }
}
