import KuraPredicates
package import KuraValues

extension Model {
  /// Returns statements that rebuild the model in an empty store, one line per property.
  ///
  ///     entity Item {
  ///       title: string min 1
  ///       parentCategory: Category? inverse items
  ///     }
  ///
  /// Parents precede their children, because a parent must be known; otherwise the order of the
  /// model is kept. User info is omitted. The text ends with a line break.
  package func statements(in zone: ZoneRules) -> String {
    let entities = parentsFirst.map { $0.statement(in: zone) }
    return (entities + requests.map(\.statement)).map { $0 + "\n" }.joined()
  }

  /// The entities, with each after its parent.
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
  /// The statement, such as `request Birthdays() = fetch MemoDate`.
  ///
  /// The lines of a longer text are indented, so that each continues the previous one.
  package var statement: String {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { line in line.drop(while: \.isWhitespace) }
      .filter { !$0.isEmpty }
    return "request \(StatementText.name(name))\(lines.joined(separator: "\n  "))"
  }
}

extension Entity {
  /// Returns `entity Task: Item {`, its properties and `}`.
  package func statement(in zone: ZoneRules) -> String {
    let lines =
      attributes.map { $0.declaration(isUnique: isUnique($0), in: zone) }
      + relationships.map(\.declaration) + constraintDeclarations + indexDeclarations
    if lines.isEmpty { return head + " { }" }
    return "\(head) {\n\(lines.map { "  \($0)\n" }.joined())}"
  }

  /// The first line without the brace: `entity Task: Item`.
  package var head: String {
    let parent = parent.map { ": " + StatementText.name($0) } ?? ""
    return "\(isAbstract ? "abstract " : "")entity \(StatementText.name(name))\(parent)"
  }

  /// Returns the declaration of its own key, such as `title: string min 1`; nil for other keys.
  package func declaration(of key: String, in zone: ZoneRules) -> String? {
    let attribute = attributes.first { $0.name == key }
    return attribute?.declaration(isUnique: uniquenessConstraints.contains([key]), in: zone)
      ?? relationships.first { $0.name == key }?.declaration
  }

  private func isUnique(_ attribute: Attribute) -> Bool {
    uniquenessConstraints.contains([attribute.name])
  }

  /// The constraints that are not part of an attribute, such as `unique (title, category)`.
  package var constraintDeclarations: [String] {
    let own = Set(attributes.map(\.name))
    return uniquenessConstraints.filter { $0.count != 1 || !own.contains($0[0]) }
      .map(Entity.declaration)
  }

  /// The declarations of indexes: `index date`, `index (category, date desc)`.
  package var indexDeclarations: [String] { indexes.map(\.declaration) }

  private static func declaration(_ constraint: [String]) -> String {
    "unique (\(constraint.map(StatementText.name).joined(separator: ", ")))"
  }
}

extension FetchIndex {
  /// The declaration: `index date`, `index (category, date desc)`.
  package var declaration: String {
    let order = order(StatementText.name)
    return elements.count == 1 ? "index \(order)" : "index (\(order))"
  }

  /// The keys with their directions: `category, date desc`.
  package var order: String { order { $0 } }

  private func order(_ name: (String) -> String) -> String {
    elements.map { name($0.key) + ($0.isAscending ? "" : " desc") }.joined(separator: ", ")
  }
}

extension Attribute {
  /// Returns the declaration: `title: string? = "x" min 1 max 5 matches "[a-z]+" unique check (title != "y")`.
  package func declaration(isUnique: Bool = false, in zone: ZoneRules) -> String {
    let optional = isOptional ? "?" : ""
    let rules = rules(isUnique: isUnique, in: zone).map { " " + $0 }.joined()
    return "\(StatementText.name(name)): \(type.rawValue)\(optional)\(rules)"
  }

  /// Returns the rules as in a statement, in a fixed order: `= "x"`, `min 1`, `unique`.
  package func rules(isUnique: Bool = false, in zone: ZoneRules) -> [String] {
    [
      defaultValue.map { "= " + type.literal($0, in: zone) },
      defaultExpression.map { "= " + $0.expressionFormat },
      minimum.map { "min " + type.boundType.literal($0, in: zone) },
      maximum.map { "max " + type.boundType.literal($0, in: zone) },
      pattern.map { "matches " + StatementText.string($0) },
      isUnique ? "unique" : nil,
      check.map { "check (\($0.predicateFormat))" },
      isTransient ? "transient" : nil,
      derivation.map { "derived (\($0.expressionFormat))" },
    ].compactMap { $0 }
  }
}

extension Relationship {
  /// The declaration: `items: [Item] ordered inverse parentCategory delete cascade`.
  package var declaration: String {
    "\(StatementText.name(name)): \(target)\(rules.map { " " + $0 }.joined())"
  }

  /// The type in a declaration: `Category?`, `[Item]`.
  package var target: String {
    let name = StatementText.name(destination)
    return isToMany ? "[\(name)]" : isOptional ? name + "?" : name
  }

  /// The rules as in a statement, in a fixed order.
  ///
  /// A to-many relationship that cannot be empty has `min 1`.
  package var rules: [String] {
    [
      isOrdered ? "ordered" : nil,
      isToMany && leastCount > 0 ? "min \(leastCount)" : nil,
      isToMany ? maximumCount.map { "max \($0)" } : nil,
      inverse.map { "inverse " + StatementText.name($0) },
      deleteRule == .nullify ? nil : "delete \(deleteRule.rawValue)",
    ].compactMap { $0 }
  }
}

/// Names and strings as statements write them.
package enum StatementText {
  /// Returns a name, with `#` if it would be read as something else: a keyword of the predicate
  /// language, the name of a type, or the `_` of the last fetch.
  ///
  ///     StatementText.name("メモ")         // メモ
  ///     StatementText.name("like")         // #like
  ///     StatementText.name("first name")   // #"first name"
  package static func name(_ name: String) -> String {
    if !name.isIdentifier || name == "_" { return "#" + string(name) }
    let isReserved = Keyword(word: name) != nil || AttributeType(rawValue: name) != nil
    return isReserved ? "#" + name : name
  }

  /// Returns a string in double quotes, on one line.
  ///
  ///     StatementText.string("a\n\"b\"")   // "a\n\"b\"", with backslashes
  package static func string(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { $0 += escaped($1) } + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.value < 0x20 || breaksLine(scalar): "\\u" + hexadecimal(scalar)
    default: String(scalar)
    }
  }

  /// Returns whether it is DEL, NEL, or a Unicode separator of lines or paragraphs.
  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x7F || scalar.value == 0x85 || scalar.value == 0x2028
      || scalar.value == 0x2029
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
