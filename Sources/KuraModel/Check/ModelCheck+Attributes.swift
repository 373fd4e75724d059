import KuraPredicates
package import KuraValues

extension ModelCheck {
  /// Rules of an attribute that contradict its type or each other.
  func rules(_ attribute: Attribute, _ entity: String) -> [ModelProblem] {
    let findings = types(attribute) + bounds(attribute) + pattern(attribute)
    return (findings + defaultValue(attribute)).map { aspect, facts in
      .init(facts, at: .attributeRule(attribute.name, entity: entity, aspect))
    }
  }

  private typealias Finding = (ModelPlace.AttributeAspect, ModelFacts)

  /// Values of another type, which no document can have but a model built in Swift.
  private func types(_ attribute: Attribute) -> [Finding] {
    let bound = attribute.type.boundType
    let values: [(ModelPlace.AttributeAspect, AttributeType, Value?)] = [
      (.defaultValue, attribute.type, attribute.defaultValue), (.min, bound, attribute.minimum),
      (.max, bound, attribute.maximum),
    ]
    return values.compactMap { aspect, type, value in
      guard let value, attribute.type.hasBounds || aspect == .defaultValue, !type.holds(value)
      else { return nil }
      return (aspect, .badValue(aspect.rawValue, .kind(type, found: value.jsonKind)))
    }
  }

  private func bounds(_ attribute: Attribute) -> [Finding] {
    let type = attribute.type
    var findings: [Finding] = []
    if !type.hasBounds {
      if attribute.minimum != nil { findings.append((.min, .ruleNotForType(.min, type))) }
      if attribute.maximum != nil { findings.append((.max, .ruleNotForType(.max, type))) }
    } else if attribute.minimum.isAbove(attribute.maximum) {
      findings.append((.min, .minimumAboveMaximum(.min, .max)))
    }
    return findings
  }

  private func pattern(_ attribute: Attribute) -> [Finding] {
    guard let pattern = attribute.pattern else { return [] }
    if attribute.type != .string { return [(.matches, .ruleNotForType(.matches, attribute.type))] }
    do {
      _ = try RegularExpression.cached(pattern, [])
      return []
    } catch {
      return [(.matches, .badPattern(pattern, error))]
    }
  }

  private func defaultValue(_ attribute: Attribute) -> [Finding] {
    guard attribute.hasDefault else { return [] }
    let aspect: ModelPlace.AttributeAspect =
      attribute.defaultExpression == nil ? .defaultValue : .defaultExpression
    if attribute.derivation != nil { return [(aspect, .defaultOfDerived)] }
    if let tree = attribute.defaultExpression { return computed(tree, attribute) }
    return (attribute.defaultValue.map(attribute.rules) ?? []).map {
      (.defaultValue, .defaultAgainstRule($0))
    }
  }

  /// What a default gives now is of the type of what it will give.
  private func computed(_ tree: ExpressionTree, _ attribute: Attribute) -> [Finding] {
    if let part = tree.partOfAnObject {
      return [(.defaultExpression, .defaultOfObject(RuleText.text(part)))]
    }
    do {
      _ = try attribute.newValue(in: EvaluationContext())
      return []
    } catch { return [(.defaultExpression, .badDefault(error))] }
  }
}

extension Attribute {
  /// Which of `min`, `max` and `matches` a value breaks; null breaks none.
  ///
  /// A string's length counts in UTF-16 units. A pattern that is none breaks nothing here: that is
  /// the model's error, and not the value's. A text for which a pattern takes too long breaks it.
  package func rules(brokenBy value: Value) -> [ModelRule] {
    var broken: [ModelRule] = []
    let size = Attribute.size(of: value)
    if minimum.isAbove(size) { broken.append(.min) }
    if size.isAbove(maximum) { broken.append(.max) }
    if (try? isMatched(by: value)) != true { broken.append(.matches) }
    return broken
  }

  /// Whether `matches "…"` is kept, or does not stand here, or is no pattern.
  ///
  /// Throws where the engine gave up, which is no answer.
  package func isMatched(by value: Value) throws(ValueError) -> Bool {
    guard case .string(let text) = value, let pattern,
      let expression = try? RegularExpression.cached(pattern, [])
    else { return true }
    return try expression.matches(text)
  }

  /// What bounds are compared with: the value, or a string's length.
  private static func size(of value: Value) -> Value? {
    switch value {
    case .null: nil
    case .string(let text): .integer(Int64(text.utf16.count))
    case .boolean, .integer, .double, .decimal, .date, .uuid, .uri, .binary, .list, .set,
      .dictionary, .object:
      value
    }
  }
}

extension Value? {
  /// Whether both are there and the first is greater.
  fileprivate func isAbove(_ other: Value?) -> Bool {
    guard let self, let other else { return false }
    return (try? Value.order(self, other)) == .after
  }
}

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
