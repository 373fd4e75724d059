import KuraGraph
import KuraModel
import KuraValues

/// The builders of a store's entities, and how their rows become a graph.
struct StoreAssembly {
  let model: Model
  let layout: ModelLayout
  private let dates: DateReading
  var builders: [EntityBuilder] = []
  /// Rows that break the model, up to `RowProblem.limit`.
  var problems: [RowProblem] = []
  var problemCount = 0
  /// For each table where its rows come from.
  var origins: [RowOrigin] = []

  init(_ model: Model, _ rules: ZoneRules) {
    self.model = model
    dates = DateReading(rules: rules)
    layout = ModelLayout(model)
  }

  func free() { for builder in builders { builder.free() } }

  /// The builder of an entity's rows, made at first use; nil if the model has no such entity.
  mutating func builder(for entity: String) -> Int? {
    if let known = builders.firstIndex(where: { $0.name == entity }) { return known }
    guard model[entity] != nil else { return nil }
    builders.append(makeBuilder(entity))
    return builders.count - 1
  }

  private func makeBuilder(_ entity: String) -> EntityBuilder {
    var builder = EntityBuilder(name: entity, isInferred: false, dates: dates)
    builder.addColumn("objectID", .objectID)
    for attribute in model.allAttributes(of: entity) {
      let column = builder.addColumn(attribute.name, .attribute(attribute.type))
      builder.columns[column].missing = missingValue(attribute)
    }
    for relationship in model.allRelationships(of: entity) {
      builder.addColumn(relationship.name, relationship.isToMany ? .toMany : .toOne)
    }
    return builder
  }

  /// A mandatory attribute that is left out has its default.
  ///
  /// A transient attribute is never written; one that a document has is read like any other. A
  /// derived one is written and read, for `now()` in it is the time of a save; neither is demanded.
  private func missingValue(_ attribute: Attribute) -> MissingValue? {
    guard !attribute.isOptional, let value = attribute.defaultValue else { return nil }
    switch StoredCell(value, as: attribute.type) {
    case .null, .link, .links: return nil
    case .integer(let number): return .word(number)
    case .double(let number): return .word(Int64(bitPattern: number.bitPattern))
    case .boolean(let flag): return .word(flag ? 1 : 0)
    case .text(let text): return .text(Array(text.utf8), isOdd: areOdd(text))
    }
  }
}

private func areOdd(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { OddScalars.areIn($0) }
}

extension StoreAssembly {
  mutating func note(_ problem: RowProblem) {
    problemCount += 1
    if problems.count < RowProblem.limit { problems.append(problem) }
  }

  /// Makes the graph; what breaks the model is in `problems` then.
  mutating func graph(nextObjectIDs: [String: Int64]) -> Graph {
    for i in builders.indices {
      builders[i].seal()
      problems += builders[i].problems
      problemCount += builders[i].problemCount
    }
    let trees = layout.tables.indices.map { tree($0, nextObjectIDs) }
    guard problemCount == 0 else { return Graph(model: model) }
    let tables = linked(trees)
    return Graph(model: model, layout: layout, tables: tables)
  }
}
