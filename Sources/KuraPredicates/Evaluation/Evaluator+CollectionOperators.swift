import KuraBytes
import KuraDiagnostics
import KuraValues

extension Evaluator {
  /// `@count`, `@sum.price`, `@distinctUnionOfObjects.tag`, with what stands before as collection.
  func aggregate(
    _ name: String, over value: Value, _ rest: ArraySlice<KeyComponent>, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    guard let operation = CollectionOperator(rawValue: name) else {
      throw Diagnostic(EvaluationFacts.unknownOperator(name), at: span)
    }
    if value.isNull { return .null }
    if case .dictionary(let dictionary) = value, operation == .count {
      return .integer(Int64(dictionary.keys.count))
    }
    if operation == .count, let elements = value.elements {
      return .integer(Int64(elements.count))
    }
    if operation != .count, rest.isEmpty {
      throw Diagnostic(EvaluationFacts.operatorNeedsKey(name), at: span)
    }
    let values = try values(of: rest, for: name, in: value, span)
    return try at(span) { () throws(EvaluationFacts) in
      try operation.result(values, context)
    }
  }

  /// What stands behind the operator, of each element.
  ///
  /// The operator may also stand first: then what stands behind it is the collection.
  private func values(
    of rest: ArraySlice<KeyComponent>, for name: String, in value: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> [Value] {
    switch value {
    case .list(let elements): return try values(of: rest, in: elements, span)
    case .set(let set): return try values(of: rest, in: set.elements, span)
    default:
      // An operator may follow an operator, and so on.
      let collection = try DeepStack.run { () throws(Diagnostic) in
        try follow(rest, from: value, span)
      }
      if collection.isNull { return [] }
      if let elements = collection.elements { return elements }
      throw Diagnostic(EvaluationFacts.notACollection("@" + name, collection.kind), at: span)
    }
  }

  private func values(
    of rest: ArraySlice<KeyComponent>, in elements: [Value], _ span: SourceSpan
  ) throws(Diagnostic) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      try checkCancel(span)
      let value = try DeepStack.run { () throws(Diagnostic) in
        try follow(rest, from: element, span)
      }
      if case .object = element, case .list(let several) = value {
        // Behind a to-many relationship there is one value for each object.
        values += several
      } else {
        values.append(value)
      }
    }
    return values
  }
}

/// The operators of a key path.
enum CollectionOperator: String, Sendable, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets
}

extension PredicateFunction {
  /// The operator that does the same with a path through a to-many: `avg` of `items.@avg.price`.
  package var collectionOperator: String? {
    CollectionOperator.allCases.first { $0.function == self }?.rawValue
  }
}

extension CollectionOperator {
  /// The function that it applies; nil for those that have none.
  var function: PredicateFunction? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .avg: .average
    case .min: .min
    case .max: .max
    case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays,
      .unionOfSets, .distinctUnionOfSets:
      nil
    }
  }

  func result(
    _ values: [Value], _ context: EvaluationContext
  ) throws(EvaluationFacts) -> Value {
    switch self {
    case .count: .integer(Int64(values.count))
    case .sum: try Statistics.sum(values)
    case .avg: try Statistics.average(values)
    case .min: try Statistics.extreme(values, .before)
    case .max: try Statistics.extreme(values, .after)
    case .unionOfObjects: .list(values.filter { !$0.isNull })
    case .distinctUnionOfObjects: .list(ValueSet(values.filter { !$0.isNull }).elements)
    case .unionOfArrays, .unionOfSets: .list(try Self.flattened(values))
    case .distinctUnionOfArrays: .list(ValueSet(try Self.flattened(values)).elements)
    case .distinctUnionOfSets: .set(ValueSet(try Self.flattened(values)))
    }
  }

  private static func flattened(_ values: [Value]) throws(EvaluationFacts) -> [Value] {
    let lists = values.map { value in value.isNull ? [] : value.elements ?? [value] }
    // The same list may stand there many times.
    guard lists.reduce(0, { $0 + $1.count }) <= ValueLimit.elements else {
      throw .tooLarge(.elements(ValueLimit.elements))
    }
    return lists.flatMap(\.self)
  }
}
