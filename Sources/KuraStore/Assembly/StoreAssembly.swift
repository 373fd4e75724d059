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

extension StoreAssembly {
  /// The part and the row in it of a row of the tree.
  func place(of row: Int, in parts: [Int]) -> (part: Int, row: Int) {
    var row = row
    for part in parts {
      if row < builders[part].rowCount { return (part, row) }
      row -= builders[part].rowCount
    }
    return (parts.last ?? 0, row)
  }

  /// Notes the objects that have no value for a mandatory attribute.
  mutating func checkMandatory(_ parts: [Int]) {
    for part in parts {
      for attribute in model.allAttributes(of: builders[part].name)
      where !attribute.isOptional && attribute.derivation == nil && !attribute.isTransient {
        guard let column = builders[part].column(attribute.name) else { continue }
        checkMandatory(part, column, attribute.name)
      }
    }
  }

  private mutating func checkMandatory(_ part: Int, _ column: Int, _ key: String) {
    // A value of another type has been noted already, and left a null.
    guard builders[part].problemCount == 0 else { return }
    for (number, chunk) in builders[part].columns[column].sealed.enumerated() {
      guard let nulls = chunk.nulls else { continue }
      nulls.forEachSet { row in
        let row = number << ColumnChunk.shift + row
        note(
          RowProblem(
            kind: .missing, entity: builders[part].name, row: row, objectID: objectID(part, row),
            key: key))
      }
    }
  }

  /// The objectID that the document gives a row, or nil.
  func objectID(_ part: Int, _ row: Int) -> Int64? {
    let chunks = builders[part].columns[0].sealed
    let chunk = row >> ColumnChunk.shift
    guard chunk < chunks.count, case .integers(let values) = chunks[chunk].keptOnly,
      let place = chunks[chunk].place(of: row & ColumnChunk.mask)
    else { return nil }
    return values[place]
  }
}

/// Where the rows of a table come from.
struct RowOrigin {
  /// The builders whose rows stand one behind the other.
  var parts: [Int]
  /// For each row of the table its place among those; nil: the same.
  var order: [Int]?
}

extension StoreAssembly {
  /// The entity under which the document has the object of a problem, and its place in that list.
  func origin(of problem: RowProblem) -> (entity: String, row: Int)? {
    switch problem.kind {
    case .unknownKey, .mismatch, .notAnObject, .missing, .duplicateObjectID, .abstract:
      return (problem.entity, problem.row)
    case .dangling, .contradiction, .twice:
      guard let table = layout.places[problem.entity]?.table, origins.indices.contains(table)
      else { return nil }
      let origin = origins[table]
      let place = place(of: origin.order?[problem.row] ?? problem.row, in: origin.parts)
      return (builders[place.part].name, place.row)
    }
  }
}
