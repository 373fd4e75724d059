import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension SwiftPredicateWriter {
  /// A comparison; of ANY and ALL with a closure that is asked of each element.
  mutating func condition(_ comparison: Comparison, _ whole: PredicateTree) -> String {
    if comparison.modifier == .direct {
      return condition(comparison, side(comparison.left))
    }
    guard case .keyPath(let path) = comparison.left.kind,
      let start = start(of: path),
      let split = split(path.components[...], start.entity, from: start.name)
    else {
      return missing.missing(
        localized("collection in \(typed.texts.text(of: comparison.left))"),
        at: comparison.left.span)
    }
    let name = newElement()
    var inner = comparison
    let isNested = split.rest.contains { isToMany($0, split.entity) }
    variables["\u{1}\(name)"] = (name, split.entity)
    inner.left = ExpressionTree(
      .keyPath(KeyPathTree(base: ExpressionTree(.variable("\u{1}\(name)")), Array(split.rest))),
      span: comparison.left.span)
    if !isNested { inner.modifier = .direct }
    let test =
      split.rest.isEmpty
      ? missing.missing(localized("comparison of objects"), at: whole.span)
      : light(condition(inner, whole), atMost: Self.heaviestInside)
    let method = comparison.modifier == .any ? "contains" : "allSatisfy"
    let text = "\(split.text).\(method) { \(name) in \(test) }"
    return split.isOptional ? "(\(text) ?? \(comparison.modifier == .all))" : text
  }

  private func isToMany(_ key: KeyComponent, _ entity: String) -> Bool {
    if case .relationship(let relationship)? = model.property(named: key.name, of: entity) {
      relationship.isToMany
    } else {
      false
    }
  }

  private mutating func condition(_ comparison: Comparison, _ left: Side) -> String {
    let right =
      comparison.operation == .in || comparison.operation == .between
      ? Side("") : side(comparison.right)
    switch comparison.operation {
    case .equal, .notEqual: return equality(comparison, left, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return order(comparison, left, right)
    case .contains: return search(comparison, left, right)
    case .beginsWith where comparison.options.isEmpty:
      // Cocoa's is false of the empty text, Swift's true.
      if right.text == "\"\"" { return "false" }
      return called(left, "starts(with: \(right.text))", comparison, right)
    case .in: return isIn(comparison, left)
    case .between: return between(comparison, left)
    case .beginsWith, .endsWith, .like, .matches, .selector, .unsupported:
      let letters = comparison.options.letters
      let options = letters.isEmpty ? "" : "[\(letters)]"
      return missing.missing(comparison.operation.text + options, at: comparison.operationSpan)
    }
  }

  private func equality(_ comparison: Comparison, _ left: Side, _ right: Side) -> String {
    if left.isObject || right.isObject, left.text != "nil", right.text != "nil" {
      return missing.missing(localized("comparison of objects"), at: comparison.operationSpan)
    }
    let sign = comparison.operation == .equal ? "==" : "!="
    // What is not optional in Swift is never nil.
    if left.text == "nil" || right.text == "nil", !left.isOptional, !right.isOptional {
      return "\(left.text == right.text ? sign == "==" : sign == "!=")"
    }
    switch comparison.options {
    case []: return "\(left.text) \(sign) \(right.text)"
    case [.caseInsensitive] where !left.isOptional && !right.isOptional:
      return "\(left.text).caseInsensitiveCompare(\(right.text)) \(sign) .orderedSame"
    default:
      return missing.missing(
        localized("\(sign)[\(comparison.options.letters)] of this kind"),
        at: comparison.operationSpan)
    }
  }

  private func order(_ comparison: Comparison, _ left: Side, _ right: Side) -> String {
    guard comparison.options.isEmpty else {
      return missing.missing("[\(comparison.options.letters)] with <", at: comparison.operationSpan)
    }
    let sign = comparison.operation.text
    if left.text == "nil" || right.text == "nil" {
      // Nothing is less than nil, and nil alone is at most nil.
      let other = left.text == "nil" ? right : left
      return sign.hasSuffix("=") && other.isOptional ? "\(other.text) == nil" : "false"
    }
    switch (left.isOptional, right.isOptional) {
    case (false, false): return "\(left.text) \(sign) \(right.text)"
    case (true, false): return "(\(left.text).flatMap { $0 \(sign) \(right.text) } ?? false)"
    case (false, true): return "(\(right.text).flatMap { \(left.text) \(sign) $0 } ?? false)"
    case (true, true):
      return missing.missing(
        localized("\(sign) of two values that may be nil"), at: comparison.operationSpan)
    }
  }

  private func search(_ comparison: Comparison, _ left: Side, _ right: Side) -> String {
    switch comparison.options {
    case []: return called(left, "contains(\(right.text))", comparison, right)
    case [.caseInsensitive, .diacriticInsensitive]:
      return called(left, "localizedStandardContains(\(right.text))", comparison, right)
    default:
      return missing.missing(
        "CONTAINS[\(comparison.options.letters)]", at: comparison.operationSpan,
        localized("localizedStandardContains is [cd]"))
    }
  }

  private func called(
    _ left: Side, _ call: String, _ comparison: Comparison, _ right: Side
  ) -> String {
    if right.isOptional || left.isCollection {
      return missing.missing(
        localized("\(comparison.operation.text) of these"), at: comparison.operationSpan)
    }
    return left.isOptional ? "(\(left.text)?.\(call) ?? false)" : "\(left.text).\(call)"
  }

  private mutating func isIn(_ comparison: Comparison, _ left: Side) -> String {
    guard comparison.options.isEmpty, let values = comparison.right.listed else {
      return missing.missing(localized("IN of this kind"), at: comparison.operationSpan)
    }
    var texts: [String] = []
    for value in values where !value.isLiteralNull { texts.append(side(value).text) }
    let list = "[\(texts.joined(separator: ", "))]"
    return left.isOptional
      ? "(\(left.text).flatMap { \(list).contains($0) } ?? false)"
      : "\(list).contains(\(left.text))"
  }

  private mutating func between(_ comparison: Comparison, _ left: Side) -> String {
    guard let bounds = comparison.right.listed, bounds.count == 2 else {
      return missing.missing(localized("BETWEEN without two bounds"), at: comparison.right.span)
    }
    let (low, high) = (side(bounds[0]), side(bounds[1]))
    if low.text == "nil" || high.text == "nil" { return "false" }
    if low.isOptional || high.isOptional {
      return missing.missing(localized("BETWEEN bounds that may be nil"), at: comparison.right.span)
    }
    return left.isOptional
      ? "(\(left.text).flatMap { $0 >= \(low.text) && $0 <= \(high.text) } ?? false)"
      : "(\(left.text) >= \(low.text) && \(left.text) <= \(high.text))"
  }
}

extension ExpressionTree {
  /// The elements of a list that is written out.
  fileprivate var listed: [ExpressionTree]? {
    switch kind {
    case .aggregate(let parts): parts
    case .constant(let constant):
      if case .list(let values) = constant.value {
        values.map { ExpressionTree(.constant(Constant($0)), span: span) }
      } else {
        Optional.none
      }
    default: Optional.none
    }
  }
}
