import KuraDiagnostics
import KuraSentences

// Methods of to-manys and lists: `items.contains { $0.done }`, `[1, 2].includes(x)`.
extension ExpressionWriter {
  /// A method of a collection; nil: what it is called on is none, or it is called as one of texts is.
  func collectionMethod(
    _ receiver: ForeignExpression, _ name: String, _ arguments: [ForeignArgument],
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written? {
    let word = Self.plainName(name)
    if Self.memberships.contains(word), let found = try literalMembership(receiver, arguments) {
      return found
    }
    let many = try value(receiver)
    let step = QueryStep(name, arguments, tree.span)
    guard many.isMany, let place = place(of: many) else { return try ofUnknown(many, step) }
    if let closure = step.closure {
      return try quantifiedMethod(many, place, word, closure, step)
    }
    if Self.memberships.contains(word), let element = arguments.first?.value {
      changes += 1
      let written = try value(element)
      return .predicate("\(many.text) CONTAINS \(written.text(in: .sum))")
    }
    return nil
  }

  private static let memberships: Set = [
    "contains", "includes", "include", "containsobject", "has",
  ]

  /// `["a", "b"].includes(title)`, `(1900...1950).contains(year)`
  private func literalMembership(
    _ receiver: ForeignExpression, _ arguments: [ForeignArgument]
  ) throws(ForeignProblem) -> Written? {
    guard let element = arguments.first?.value else { return nil }
    changes += 1
    switch receiver.kind {
    case .list: return try comparison("IN", element, receiver, receiver)
    case .infix("...", let low, let high):
      let bounds = ForeignExpression(.list([low, high]), receiver.span)
      return try comparison("BETWEEN", element, bounds, receiver)
    case .infix("..<", let low, let high):
      let lower = try comparison(">=", element, low, receiver)
      let upper = try comparison("<", element, high, receiver)
      return .predicate("\(lower.text) AND \(upper.text)", .and)
    default: return nil
    }
  }

  /// A closure over values of which nothing is known: elements of JSON.
  private func ofUnknown(_ many: Written, _ step: QueryStep) throws(ForeignProblem) -> Written? {
    guard let (names, body) = step.closure else { return nil }
    let place = ForeignScope.Place(value: Written(many.text, isMany: true))
    var scope = scope.binding(names, to: place)
    scope.isQuantified = true
    guard ["contains", "some", "any"].contains(step.name) else {
      throw missing(localized(".\(step.written) of such values"), at: step.span)
    }
    let condition = try inside(scope) { () throws(ForeignProblem) in try predicate(body) }
    guard condition.binding == .comparison else {
      throw missing(localized("several conditions on one of such values"), at: step.span)
    }
    return .predicate("ANY " + condition.text)
  }

  /// `items.contains { $0.done }`, `items.every(i => i.done)`, `items.filter { … }`
  private func quantifiedMethod(
    _ many: Written, _ place: ForeignScope.Place, _ word: String,
    _ closure: (names: [String], body: ForeignExpression), _ step: QueryStep
  ) throws(ForeignProblem) -> Written {
    changes += 1
    switch word {
    case "contains", "some", "any", "exists", "first":
      return try some(many, place, closure, "ANY")
    case "allsatisfy", "every", "all": return try some(many, place, closure, "ALL")
    case "none": return try some(many, place, closure, "NONE")
    case "count", "filter", "where":
      let found = try subquery(many, place, closure)
      return word == "count"
        ? Written(found + ".@count", .number) : Written(found, .unknown, isMany: true)
    case "map", "select", "compactmap":
      return try inside(scope.binding(closure.names, to: place)) { () throws(ForeignProblem) in
        try value(closure.body)
      }
    default: throw missing(localized(".\(step.written) of a to-many"), at: step.span)
    }
  }

  /// One comparison is asked with a word, several of one object with a subquery.
  private func some(
    _ many: Written, _ place: ForeignScope.Place,
    _ closure: (names: [String], body: ForeignExpression), _ word: String
  ) throws(ForeignProblem) -> Written {
    if closure.body.conjuncts.count == 1 {
      var quantified = scope.binding(closure.names, to: place)
      quantified.isQuantified = true
      let condition = try inside(quantified) { () throws(ForeignProblem) in
        try predicate(closure.body)
      }
      if condition.binding == .comparison { return .predicate("\(word) \(condition.text)") }
    }
    let found = try subquery(many, place, closure, isNegated: word == "ALL")
    return .predicate("\(found).@count \(word == "ANY" ? ">" : "==") 0")
  }

  /// `SUBQUERY(items, $x, $x.done == NO)`
  func subquery(
    _ many: Written, _ place: ForeignScope.Place,
    _ closure: (names: [String], body: ForeignExpression), isNegated: Bool = false
  ) throws(ForeignProblem) -> String {
    let variable = newVariable()
    let element = ForeignScope.Place(path: variable, entity: place.entity)
    let condition = try inside(scope.binding(closure.names, to: element)) {
      () throws(ForeignProblem) in
      try predicate(closure.body)
    }
    let text = isNegated ? "NOT \(condition.text(in: .comparison))" : condition.text
    return "SUBQUERY(\(many.text), \(variable), \(text))"
  }
}
