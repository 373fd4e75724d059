extension ModelCheck {
  /// Derived attributes of which an object needs the value to compute it.
  ///
  /// Over a relationship it may: `TERNARY(parent == nil, 0, parent.depth + 1)` ends at the top.
  func circles(_ entity: Entity) -> [ModelProblem] {
    let circles = DerivedCircles(model, entity).circles
    return circles.map { circle in
      ModelProblem(
        .derivedFromItself(circle), at: .attributeRule(circle[0], entity: entity.name, .derived))
    }
  }
}

/// The circles among an entity's derived attributes; those it inherits read none of its own.
private struct DerivedCircles {
  /// The attributes of the object itself that a derived one reads, by its name.
  private var read: [String: [String]] = [:]
  /// Each from an attribute to those it needs, the last of which needs the first.
  private(set) var circles: [[String]] = []

  init(_ model: Model, _ entity: Entity) {
    for attribute in entity.attributes {
      guard let tree = attribute.derivation else { continue }
      var keys = RuleKeys(model, entity: entity.name)
      keys.visit(tree)
      read[attribute.name] = keys.own
    }
    for attribute in entity.attributes where !circles.joined().contains(attribute.name) {
      if let circle = circle(from: attribute.name) { circles.append(circle) }
    }
  }

  /// The shortest one: a step further each time.
  private func circle(from start: String) -> [String]? {
    var seen: Set<String> = []
    var paths = [[start]]
    while !paths.isEmpty {
      let longer = paths.flatMap { path in (read[path.last ?? start] ?? []).map { path + [$0] } }
      if let circle = longer.first(where: { $0.last == start }) { return circle.dropLast() }
      paths = longer.filter { seen.insert($0.last ?? start).inserted }
    }
    return nil
  }
}
