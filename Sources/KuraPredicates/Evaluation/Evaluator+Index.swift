import KuraDiagnostics
import KuraValues

extension Evaluator {
  /// `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]`, `a["key"]`
  func element(
    of collection: ExpressionTree, _ place: IndexKind, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let value = try value(of: collection)
    switch place {
    case .first: return try elements(value, span).first ?? .null
    case .last: return try elements(value, span).last ?? .null
    case .size:
      if value.isNull { return .null }
      return .integer(Int64(try elements(value, span).count))
    case .at(let index):
      let index = try self.value(of: index)
      return try at(span) { () throws(EvaluationFacts) in try value.element(at: index) }
    }
  }

  private func elements(_ value: Value, _ span: SourceSpan) throws(Diagnostic) -> [Value] {
    if value.isNull { return [] }
    guard let elements = value.elements else {
      throw Diagnostic(EvaluationFacts.notACollection("[ ]", value.kind), at: span)
    }
    return elements
  }
}

extension Value {
  /// The element at a number of a list, or at a key of what has keys; nil of nil.
  func element(at index: Value) throws(EvaluationFacts) -> Value {
    switch (self, index) {
    case (_, .null): throw .badIndex(index.kind)
    case (.null, _): return .null
    case (.dictionary(let dictionary), .string(let key)): return dictionary[key] ?? .null
    case (.object(let object), .string(let key)):
      do { return try object.reader.value(forKey: key) } catch {
        throw .unreadableKey(key, "\(error)")
      }
    case (.list(let elements), _): return try elements.element(at: index)
    case (.set, _), (.dictionary, _), (.object, _): throw .badIndex(index.kind)
    default: throw .notACollection("[ ]", kind)
    }
  }
}

extension [Value] {
  fileprivate func element(at index: Value) throws(EvaluationFacts) -> Value {
    guard let place = try? index.wholeNumber() else { throw .badIndex(index.kind) }
    guard let place = Int(exactly: place), indices.contains(place) else {
      throw .indexOutOfRange(place, count: count)
    }
    return self[place]
  }
}
