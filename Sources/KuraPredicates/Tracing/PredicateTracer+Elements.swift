import KuraDiagnostics
import KuraValues

extension PredicateTracer {
  /// The elements of the collections that a side of a comparison goes through: those of each SUBQUERY
  /// with what its predicate said, and those behind `items.@sum.price` and `tags.name`.
  func elements(in side: ExpressionTree) throws(Diagnostic) -> [TracedElement] {
    try side.descending { () throws(Diagnostic) in try elementsHere(side) }
  }

  private func elementsHere(_ side: ExpressionTree) throws(Diagnostic) -> [TracedElement] {
    switch side.kind {
    case .subquery(let collection, let name, let predicate):
      return try elements(of: collection, name, predicate)
    case .keyPath(let path):
      if let base = path.base, !base.isVariable { return try elements(in: base) }
      return try elements(behind: path, side.span)
    case .function(let call):
      var found: [TracedElement] = []
      for argument in call.arguments { found += try elements(in: argument) }
      return found
    default: return []
    }
  }

  /// Each element of a SUBQUERY with the trace of its predicate.
  private func elements(
    of collection: ExpressionTree, _ name: String, _ predicate: PredicateTree
  ) throws(Diagnostic) -> [TracedElement] {
    var inner = evaluator
    var found: [TracedElement] = []
    for element in try evaluator.value(of: collection).elements ?? [] {
      inner.context.variables[name] = element
      let trace = try PredicateTracer(evaluator: inner).trace(predicate)
      found.append(
        TracedElement(owner: nil, value: element, answer: trace.answer, trace: trace))
    }
    return found
  }

  /// What stands in the collection of a path, an operator in it left out: `items.price`.
  private func elements(
    behind path: KeyPathTree, _ span: SourceSpan
  ) throws(Diagnostic) -> [TracedElement] {
    var plain = path
    if let place = path.components.firstIndex(where: { $0.kind == .collectionOperator }) {
      plain.components.remove(at: place)
      plain.components.removeAll { $0.kind == .collectionOperator }
    }
    guard !plain.components.isEmpty else { return [] }
    let side = ExpressionTree(.keyPath(plain), span: span)
    let value = try evaluator.value(of: plain, span)
    guard value.isSeveral, let values = value.elements else { return [] }
    let owners = try owners(of: values, at: side)
    return values.enumerated().map { place, value in
      TracedElement(owner: owners?[place], value: value, answer: nil)
    }
  }

  /// The objects of which a path gives some values, one for each; nil where they are not known.
  func owners(of values: [Value], at side: ExpressionTree) throws(Diagnostic) -> [Value]? {
    guard case .keyPath(var path) = side.kind, path.components.count > 1,
      !path.components.contains(where: { $0.kind != .key }), !values.contains(where: \.isObject)
    else { return nil }
    path.components.removeLast()
    let owners = try evaluator.value(of: path, side.span)
    guard owners.isSeveral, let elements = owners.elements, elements.count == values.count,
      elements.allSatisfy(\.isObject)
    else { return nil }
    return elements
  }
}

extension ExpressionTree {
  fileprivate var isVariable: Bool { if case .variable = kind { true } else { false } }
}

extension Value {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }

  fileprivate var isSeveral: Bool {
    switch self {
    case .list, .set: true
    default: false
    }
  }
}
