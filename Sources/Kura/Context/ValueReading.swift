import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Converts Swift values to the types of a model's keys.
struct ValueReading {
  /// Keeps the model instead of the graph: a retained graph makes the next change copy what it
  /// modifies.
  private let model: Model
  private let environment: FetchEnvironment
  private let origin: StoreOrigin

  init(_ storage: ContextStorage) {
    (model, origin) = (storage.model, storage.origin)
    environment = FetchEnvironment(
      now: .now, rules: storage.environment.rules, locale: EvaluationContext.plainLocale)
  }

  /// Returns the values for the keys of an entity, sorted by key.
  func values(
    _ values: KeyedValues, of entity: String, _ operation: NewValue.Operation = .set
  ) throws(Diagnostic) -> [NewValue] {
    try checkExists(entity)
    return try values.sorted(by: { $0.key < $1.key }).map { key, value throws(Diagnostic) in
      try self.value(Self.given(value, key, entity), key, entity, operation)
    }
  }

  private func checkExists(_ entity: String) throws(Diagnostic) {
    guard model[entity] == nil else { return }
    throw Diagnostic(ChangeProblem.unknownEntity(entity, known: model.entities.map(\.name)))
  }

  private static func given(
    _ value: Any?, _ key: String, _ entity: String
  ) throws(Diagnostic) -> Value {
    guard let value else { return .null }
    do { return try Value(untyped: value).inWholeMicroseconds } catch {
      throw Diagnostic(KeyedProblem(key: key, entity: entity, facts: UnreadableValue(error: error)))
    }
  }

  private func value(
    _ value: Value, _ key: String, _ entity: String, _ operation: NewValue.Operation
  ) throws(Diagnostic) -> NewValue {
    var new = NewValue(key, .null, operation: operation)
    switch model.property(named: key, of: entity) {
    case .attribute(let attribute)? where operation == .set:
      do { new.value = try attribute.type.taking(value, in: environment) } catch {
        throw Diagnostic(KeyedProblem(key: key, entity: entity, facts: error.facts))
      }
    case .relationship(let relationship)? where operation == .set || relationship.isToMany:
      try relate(&new, to: value, relationship.destination)
    case .attribute?, .relationship?: throw Diagnostic(NotToManyProblem(key: key, entity: entity))
    case nil:
      let known = model.keys(of: entity)
      throw Diagnostic(ChangeProblem.unknownKey(key, entity: entity, known: known))
    }
    return new
  }

  /// Sets the value of a relationship. A dictionary, alone or in a list, becomes a new object.
  private func relate(
    _ new: inout NewValue, to value: Value, _ destination: String
  ) throws(Diagnostic) {
    switch value {
    case .dictionary(let values): new.created = [(0, try object(values, of: destination))]
    case .list(let elements):
      var objects = elements
      for (place, element) in elements.enumerated() {
        guard case .dictionary(let values) = element else { continue }
        new.created.append((place, try object(values, of: destination)))
        objects[place] = .null
      }
      new.value = try present(.list(objects))
    default: new.value = try present(value)
    }
  }

  private func present(_ value: Value) throws(Diagnostic) -> Value {
    try origin.check(value)
    return value.named(in: model)
  }

  /// Returns a new object with the values of a dictionary, whose `entity` can be a subentity.
  private func object(
    _ values: ValueDictionary, of entity: String
  ) throws(Diagnostic) -> NewObject {
    var new = NewObject(entity: entity)
    var values = values
    if model.property(named: "entity", of: entity) == nil,
      case .string(let name)? = values["entity"]
    {
      guard model.entity(name, isKindOf: entity) else {
        throw Diagnostic(NotASubentityProblem(name: name, entity: entity))
      }
      (new.entity, values["entity"]) = (name, nil)
    }
    new.values = try zip(values.keys, values.values).map { key, value throws(Diagnostic) in
      try self.value(value, key, new.entity, .set)
    }
    return new
  }
}

/// A problem with the value of a key.
private struct KeyedProblem: DiagnosticFacts {
  let key: String
  let entity: String
  let facts: any DiagnosticFacts

  var kind: Diagnostic.Kind { .change }
  var sentence: String { "\(entity).\(key): \(facts.sentence)" }
  var help: String? { facts.help }
}

/// `["items": [["entity": "Tag"]]]`, where the items are no tags.
private struct NotASubentityProblem: DiagnosticFacts {
  let name: String
  let entity: String

  var kind: Diagnostic.Kind { .change }
  var sentence: String { localized("\(name) is not a subentity of \(entity)") }
}

/// A value of a type that predicates do not support.
private struct UnreadableValue: DiagnosticFacts {
  let error: UnknownValueType

  var kind: Diagnostic.Kind { .change }
  var sentence: String { error.description }
}

/// A key that is not a to-many relationship: `add([tag], to: "title", of: item)`.
private struct NotToManyProblem: DiagnosticFacts {
  let key: String
  let entity: String

  var kind: Diagnostic.Kind { .change }
  var sentence: String { localized("\(entity).\(key) is not a to-many relationship") }
  var help: String? { localized("to set its value, use update(_:_:)") }
}
