import KuraDiagnostics
import KuraValues

/// The reference evaluator, with a record of its results.
///
/// Only the traversal of AND, OR and NOT is implemented here, and a test compares it with the
/// evaluator. Comparisons and expressions are evaluated there.
struct PredicateTracer {
  let evaluator: Evaluator
}

extension PredicateTracer {
  func trace(_ predicate: PredicateTree) throws(Diagnostic) -> PredicateTrace {
    try predicate.descending { () throws(Diagnostic) in try traced(predicate) }
  }

  private func traced(_ predicate: PredicateTree) throws(Diagnostic) -> PredicateTrace {
    switch predicate.kind {
    case .constant(let answer): return PredicateTrace(predicate, TracedAnswer(answer))
    case .truth(let expression): return try traced(expression, predicate)
    case .comparison(let comparison): return try traced(comparison, predicate)
    case .not(let inner):
      let part = try trace(inner)
      return PredicateTrace(predicate, TracedAnswer(!part.answer.isYes)).with([part])
    case .and(let parts): return try chain(parts, predicate, endsWith: false)
    case .or(let parts): return try chain(parts, predicate, endsWith: true)
    }
  }

  /// Traces AND or OR; parts after the decisive one are not evaluated.
  private func chain(
    _ parts: [PredicateTree], _ whole: PredicateTree, endsWith end: Bool
  ) throws(Diagnostic) -> PredicateTrace {
    var traces: [PredicateTrace] = []
    var isSettled = false
    for part in parts {
      let trace = isSettled ? part.unasked : try trace(part)
      if !isSettled { isSettled = trace.answer.isYes == end }
      traces.append(trace)
    }
    return PredicateTrace(whole, TracedAnswer(isSettled == end)).with(traces)
  }

  private func traced(
    _ expression: ExpressionTree, _ predicate: PredicateTree
  ) throws(Diagnostic) -> PredicateTrace {
    let value = try evaluator.value(of: expression)
    let answer = try evaluator.holds(predicate)
    // A value without a truth counts as nil.
    let isNull = value.approximateNumber == nil
    var trace = PredicateTrace(predicate, isNull ? .null : TracedAnswer(answer))
    trace.sides = TracedSides(left: value, right: .boolean(true))
    return trace
  }
}

extension PredicateTracer {
  private func traced(
    _ comparison: Comparison, _ predicate: PredicateTree
  ) throws(Diagnostic) -> PredicateTrace {
    let left = try evaluator.value(of: comparison.left)
    let right = try evaluator.value(of: comparison.right)
    var trace: PredicateTrace
    if comparison.modifier == .direct {
      let answer = try evaluator.holds(comparison, of: left, right, predicate.span)
      trace = PredicateTrace(
        predicate, answer ? .yes : try negative(comparison, left, right, predicate.span))
      trace.elements = try elements(in: comparison.left) + elements(in: comparison.right)
    } else {
      let found = try each(of: left, right, comparison, predicate)
      let isRefused = try refuses { strict throws(Diagnostic) in
        _ = try strict.elements(left, comparison)
      }
      let answer = comparison.answer(ofNull: left.isNull || isRefused, found.map(\.answer))
      trace = PredicateTrace(predicate, answer)
      trace.elements = found
    }
    trace.sides = TracedSides(left: left, right: right)
    return trace
  }

  /// Returns the elements of ANY or ALL: those up to the decisive one with results, and the rest.
  private func each(
    of left: Value, _ right: Value, _ comparison: Comparison, _ predicate: PredicateTree
  ) throws(Diagnostic) -> [TracedElement] {
    let values = try evaluator.elements(left, comparison)
    let owners = try owners(of: values, at: comparison.left)
    var direct = comparison
    direct.modifier = .direct
    var found: [TracedElement] = []
    var isSettled = false
    for (place, value) in values.enumerated() {
      var answer = TracedAnswer.unasked
      if !isSettled {
        let holds = try evaluator.holds(direct, of: value, right, predicate.span)
        isSettled = holds == (comparison.modifier == .any)
        answer = holds ? .yes : try negative(direct, value, right, predicate.span)
      }
      found.append(TracedElement(owner: owners?[place], value: value, answer: answer))
    }
    return found
  }
}

// Values that count as nil
extension PredicateTracer {
  /// Returns the result of a comparison that does not hold: `null` if a value is nil or counts as nil.
  private func negative(
    _ comparison: Comparison, _ left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> TracedAnswer {
    if comparison.isFalseForNull(left, right) { return .null }
    let isRefused = try refuses { strict throws(Diagnostic) in
      _ = try strict.holds(comparison, of: left, right, span)
    }
    return isRefused ? .null : .no
  }

  /// Returns whether an operator does not accept the kind of a value, which then counts as nil.
  private func refuses(
    _ evaluation: (Evaluator) throws(Diagnostic) -> Void
  ) throws(Diagnostic) -> Bool {
    guard evaluator.context.otherKinds != nil else { return false }
    var strict = evaluator
    strict.context.otherKinds = nil
    do throws(Diagnostic) { try evaluation(strict) } catch {
      guard (error.facts as? EvaluationError)?.isAboutKind == true else { throw error }
      return true
    }
    return false
  }
}

extension Comparison {
  /// Returns the result of ANY or ALL from the results of the elements. `isNull`: the collection counts as nil.
  fileprivate func answer(ofNull isNull: Bool, _ elements: [TracedAnswer?]) -> TracedAnswer {
    let isYes = modifier == .any ? elements.contains(.yes) : !elements.contains { $0 != .yes }
    if modifier == .any {
      return isYes ? .yes : isNull || elements.contains(.null) ? .null : .no
    }
    // The first failure decides.
    let settling = elements.first { $0 != .yes } ?? .yes
    return settling ?? .yes
  }

  /// Returns whether a comparison fails because a value is nil.
  ///
  /// An explicit comparison with nil, as in `== nil`, gives NO instead.
  fileprivate func isFalseForNull(_ left: Value, _ right: Value) -> Bool {
    switch operation {
    case .notEqual: return false
    case .equal:
      if self.left.isLiteralNull || self.right.isLiteralNull { return false }
      return left.isNull || right.isNull
    case .between:
      return left.isNull || right.isNull || right.elements?.contains(where: \.isNull) ?? false
    default: return left.isNull || right.isNull
    }
  }
}

extension ExpressionTree {
  /// Whether it is the literal `nil`.
  package var isLiteralNull: Bool {
    if case .constant(let constant) = kind { constant.value.isNull } else { false }
  }
}

extension PredicateTree {
  /// A trace of the predicate and its parts without results.
  fileprivate var unasked: PredicateTrace {
    let trace = PredicateTrace(self, .unasked)
    switch kind {
    case .not(let inner): return descending { trace.with([inner.unasked]) }
    case .and(let parts), .or(let parts): return descending { trace.with(parts.map(\.unasked)) }
    case .comparison, .constant, .truth: return trace
    }
  }
}

extension PredicateTrace {
  fileprivate func with(_ parts: [PredicateTrace]) -> PredicateTrace {
    var result = self
    result.parts = parts
    return result
  }
}

extension PredicateTracer {
  /// Returns the elements of the collections in a side of a comparison: for each SUBQUERY with the
  /// result of its predicate, and for paths such as `items.@sum.price` and `tags.name`.
  func elements(in side: ExpressionTree) throws(Diagnostic) -> [TracedElement] {
    try side.descending { () throws(Diagnostic) in try elementsHere(side) }
  }

  private func elementsHere(_ side: ExpressionTree) throws(Diagnostic) -> [TracedElement] {
    switch side.kind {
    case .subquery(let collection, let name, let predicate):
      return try elements(of: collection, name, predicate)
    case .keyPath(let path):
      if let base = path.base, !base.isVariable { return try elements(in: base) }
      return try elements(after: path, side.span)
    case .function(let call):
      var found: [TracedElement] = []
      for argument in call.arguments { found += try elements(in: argument) }
      return found
    default: return []
    }
  }

  /// Returns the elements of a SUBQUERY, each with the trace of its predicate.
  private func elements(
    of collection: ExpressionTree, _ name: String, _ predicate: PredicateTree
  ) throws(Diagnostic) -> [TracedElement] {
    var inner = evaluator
    inner.context.elementVariables.insert(name)
    var found: [TracedElement] = []
    for element in try evaluator.value(of: collection).elements ?? [] {
      inner.context.variables[name] = element
      let trace = try PredicateTracer(evaluator: inner).trace(predicate)
      found.append(
        TracedElement(owner: nil, value: element, answer: trace.answer, trace: trace))
    }
    return found
  }

  /// Returns the elements of the collection in a path, without its operator: `items.price`.
  private func elements(
    after path: KeyPathTree, _ span: SourceSpan
  ) throws(Diagnostic) -> [TracedElement] {
    var plain = path
    if let place = path.components.firstIndex(where: { $0.kind == .collectionOperator }) {
      plain.components.remove(at: place)
      plain.components.removeAll { $0.kind == .collectionOperator }
    }
    guard !plain.components.isEmpty else { return [] }
    let side = ExpressionTree(.keyPath(plain), span: span)
    let value = try evaluator.value(of: plain, span)
    guard let values = value.arrayValue else { return [] }
    let owners = try owners(of: values, at: side)
    return values.enumerated().map { place, value in
      TracedElement(owner: owners?[place], value: value, answer: nil)
    }
  }

  /// Returns the objects that the values of a path belong to, one per value; nil if they are
  /// unknown.
  func owners(of values: [Value], at side: ExpressionTree) throws(Diagnostic) -> [Value]? {
    guard case .keyPath(var path) = side.kind, path.components.count > 1,
      !path.components.contains(where: { $0.kind != .key }),
      !values.contains(where: { $0.kind == .object })
    else { return nil }
    path.components.removeLast()
    let owners = try evaluator.value(of: path, side.span)
    guard let elements = owners.arrayValue, elements.count == values.count,
      elements.allSatisfy({ $0.kind == .object })
    else { return nil }
    return elements
  }
}

extension ExpressionTree {
  fileprivate var isVariable: Bool { if case .variable = kind { true } else { false } }
}
