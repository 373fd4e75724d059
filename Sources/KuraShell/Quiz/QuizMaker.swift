import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraModel
import KuraScript
import KuraValues

/// Generates predicates about the objects of a store, from their values.
struct QuizMaker {
  let store: TrialStore
  let entity: String
  private let model: Model
  /// Sample objects of each entity, whose values are used.
  private let samples: [String: [ObjectID]]

  init(_ store: TrialStore, entity: String) {
    self.store = store
    self.entity = entity
    let graph = store.graph
    model = graph.model
    samples = Dictionary(
      model.entities.map { ($0.name, Array(graph.objectIDs(of: $0.name).prefix(1000))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The minimum number of objects of an entity in a quiz.
  static let fewest = 4

  /// Returns the entities that have enough objects.
  static func entities(in graph: Graph) -> [String] {
    graph.model.entities.map(\.name).filter { graph.objectCount(of: $0) >= fewest }
  }

  /// Returns a predicate of a level, from 1 to 3, that a fifth to four fifths of the objects pass;
  /// nil if none was found.
  func predicate(level: Int, _ random: inout SeededNumbers) -> QuizPredicate? {
    for _ in 0..<120 {
      guard let candidate = candidate(level, &random), let share = share(of: candidate) else {
        continue
      }
      if (0.2...0.8).contains(share) { return candidate }
    }
    return nil
  }

  private func share(of predicate: QuizPredicate) -> Double? {
    guard case .values(let values)? = outcome("count \(name) where \(predicate.text)"),
      case .integer(let count)? = values.first
    else { return nil }
    return Double(count) / Double(max(1, store.graph.objectCount(of: entity)))
  }

  /// The entity's name as statements write it.
  var name: String { StatementText.name(entity) }

  func outcome(_ statement: String) -> Outcome? {
    try? Attempt(Array(statement.utf8)).outcome(in: store, comparesStore: false)
  }

  private func candidate(_ level: Int, _ random: inout SeededNumbers) -> QuizPredicate? {
    switch level {
    case 1: return comparison(of: entity, &random)?.predicate
    case 2: return connected(&random)
    default: return random.chance(60) ? crossing(&random) ?? connected(&random) : negated(&random)
    }
  }

  private func connected(_ random: inout SeededNumbers) -> QuizPredicate? {
    guard let a = comparison(of: entity, &random), let b = comparison(of: entity, &random),
      a.key != b.key || model.allAttributes(of: entity).count == 1 && a.value != b.value
    else { return nil }
    return random.chance(50) ? .and(a.predicate, b.predicate) : .or(a.predicate, b.predicate)
  }

  private func negated(_ random: inout SeededNumbers) -> QuizPredicate? {
    random.chance(50)
      ? comparison(of: entity, &random)?.predicate.negated : connected(&random)?.negated
  }
}

// Along relationships
extension QuizMaker {
  private func crossing(_ random: inout SeededNumbers) -> QuizPredicate? {
    guard let relationship = random.pick(model.allRelationships(of: entity)) else { return nil }
    let key = StatementText.name(relationship.name)
    if relationship.isToMany, random.chance(25) {
      let count = Int.random(in: 1...3, using: &random)
      return QuizPredicate(
        text: "\(key).@count >= \(count)", english: "the number of \(key) is at least \(count)",
        japanese: "\(key)が\(count)個以上ある")
    }
    guard let comparison = comparison(of: relationship.destination, &random) else { return nil }
    if relationship.isToMany {
      return comparison.predicate(
        of: key, random.pick(QuizComparison.Modifier.allCases) ?? .any)
    }
    var far = comparison
    far.key = "\(key).\(comparison.key)"
    return far.predicate
  }
}

// Comparisons
extension QuizMaker {
  /// Returns a comparison with a value that occurs.
  func comparison(
    of entity: String, _ random: inout SeededNumbers
  ) -> QuizComparison? {
    guard let attribute = random.pick(model.allAttributes(of: entity)) else { return nil }
    let key = StatementText.name(attribute.name)
    if attribute.isOptional, random.chance(30) {
      return QuizComparison(key: key, operation: random.chance(50) ? .isNil : .isNotNil)
    }
    guard let value = occurring(attribute.name, entity, &random) else { return nil }
    return comparison(key, value, &random)
  }

  private func comparison(
    _ key: String, _ value: Value, _ random: inout SeededNumbers
  ) -> QuizComparison? {
    switch value {
    case .boolean, .uuid, .uri:
      return QuizComparison(key: key, operation: .equal, value: RowText.text(value, store.zone))
    case .integer, .double, .decimal:
      let operation = random.pick([QuizComparison.Operator.less, .atLeast, .equal]) ?? .less
      return QuizComparison(key: key, operation: operation, value: RowText.text(value, store.zone))
    case .date(let date):
      let text = StatementText.string(RowText.text(.date(date), store.zone))
      return QuizComparison(
        key: key, operation: random.chance(50) ? .less : .atLeast, value: text)
    case .string(let text) where !text.isEmpty && text.count < 60:
      return comparison(key, text: text, &random)
    default: return nil
    }
  }

  private func comparison(
    _ key: String, text: String, _ random: inout SeededNumbers
  ) -> QuizComparison {
    let letters = Array(text)
    let length = min(letters.count, Int.random(in: 1...3, using: &random))
    let start = Int.random(in: 0...(letters.count - length), using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return QuizComparison(
        key: key, operation: .begins, value: StatementText.string(String(letters.prefix(length))))
    case 1:
      let part = String(letters[start..<start + length])
      return QuizComparison(key: key, operation: .contains, value: StatementText.string(part))
    case 2: return QuizComparison(key: key, operation: .notEqual, value: StatementText.string(text))
    default: return QuizComparison(key: key, operation: .equal, value: StatementText.string(text))
    }
  }

  private func occurring(
    _ key: String, _ entity: String, _ random: inout SeededNumbers
  ) -> Value? {
    let graph = store.graph
    guard let id = random.pick(samples[entity] ?? []),
      let place = graph.find(id)
    else { return nil }
    let object = GraphSnapshot(graph).object(table: place.table, row: place.row)
    return (try? object.value(forKey: key)).flatMap { $0.isNull ? Optional<Value>.none : $0 }
  }
}
