import KuraFetch
import KuraGraph
import KuraModel
import KuraRendering
import KuraValues
import Synchronization

/// The form of an entity's objects in a document: relationships on the side that it writes, and an
/// entity if there are several.
final class RecordForm: Sendable {
  let keys: RecordKeys
  /// The source of the values for each key.
  let sources: [RecordSource]

  /// Creates the form. An attribute of the entity replaces Kura's key of the same name.
  init(_ result: FetchResult) {
    let graph = result.snapshot.graph
    let own = RecordKey.all(of: result.entity, in: graph)
    let names = Set(own.map(\.name))
    let isAlone = graph.model.descendants(of: result.entity).isEmpty
    let head = isAlone ? [RecordKey.number] : [.number, .entity]
    let all = head.filter { !names.contains($0.name) } + own
    keys = RecordKeys(all.map(\.name))
    sources = all.map(\.source)
  }
}

/// The source of the values of a record's key.
enum RecordSource: Sendable {
  case number, entity
  case attribute(column: Int, AttributeType)
  case objects(KeySlot)
  /// A relationship that is its own inverse, written on the object with the lower objectID.
  case objectsAbove(KeySlot)
}

/// A key of a record, and the source of its values.
private struct RecordKey {
  let name: String
  let source: RecordSource
}

extension RecordKey {
  static let number = RecordKey(name: "objectID", source: .number)
  static let entity = RecordKey(name: "entity", source: .entity)

  /// Returns the attributes in the model's order, then the relationships that the document writes
  /// here.
  static func all(of entity: String, in graph: Graph) -> [RecordKey] {
    let model = graph.model
    let names =
      model.allAttributes(of: entity).map(\.name)
      + model.allRelationships(of: entity).map(\.name)
    guard let place = graph.place(of: entity) else { return [] }
    let slots = graph.tables[place.table].layout.slots[place.code]
    return names.compactMap { name in
      slots[name].flatMap { RecordKey(name, $0, model.writtenSide(of: name, in: entity)) }
    }
  }

  /// Creates the key; nil if the document writes the inverse. `side` is nil for an attribute.
  private init?(_ name: String, _ slot: KeySlot, _ side: WrittenSide?) {
    switch (slot, side) {
    case (.attribute(let column, let type), _): source = .attribute(column: column, type)
    case (_, .here), (_, .both): source = .objects(slot)
    case (_, .lowerObjectID): source = .objectsAbove(slot)
    case (_, .there), (_, nil): return nil
    }
    self.name = name
  }
}

extension RecordSource {
  /// Returns the value in a row of the result's table.
  func value(_ row: Int, _ result: FetchResult) -> Value {
    switch self {
    case .number:
      return .integer(result.snapshot.graph.tables[result.table].identifiers[row])
    case .entity:
      return .string(result.snapshot.object(table: result.table, row: row).entityName)
    case .attribute(let column, _):
      return result.snapshot.graph.tables[result.table].columns[column].value(row)
    case .objects(let slot):
      return objects(slot, result.snapshot.graph.rows(slot, result.table, row), result)
    case .objectsAbove(let slot):
      let graph = result.snapshot.graph
      let identifiers = graph.tables[result.table].identifiers
      let rows = graph.rows(slot, result.table, row)
      return objects(slot, rows.filter { identifiers[$0] >= identifiers[row] }, result)
    }
  }

  /// Appends the value in a row of the result's table as JSON; a text from its bytes.
  func append(
    _ row: Int, _ result: FetchResult, _ text: JSONText, isShortDate: Bool,
    to bytes: inout [UInt8]
  ) {
    if case .attribute(let column, .string) = self,
      result.snapshot.graph.tables[result.table].columns[column].withText(
        row, { text.append(utf8: $0, to: &bytes) })
    {
      return
    }
    text.append(value(row, result), isShortDate: isShortDate, to: &bytes)
  }

  /// Returns a to-one relationship as its object, a to-many relationship as a list of objects.
  private func objects(_ slot: KeySlot, _ rows: [Int], _ result: FetchResult) -> Value {
    guard let table = result.snapshot.graph.destination(slot) else {
      return slot.isToMany ? .list([]) : .null
    }
    let objects = rows.map {
      Value.object(ObjectReference(result.snapshot.object(table: table, row: $0)))
    }
    return slot.isToMany ? .list(objects) : objects.first ?? .null
  }

  /// Returns whether it has dates, and all of them are midnights in the result.
  func isShortDate(_ result: FetchResult, _ zone: ZoneRules) -> Bool {
    guard case .attribute(let column, .date) = self else { return false }
    return result.snapshot.graph.tables[result.table].columns[column]
      .areMidnights(result.rows, in: zone)
  }
}

/// The record forms of entities, cached until the model changes.
final class RecordForms: Sendable {
  private let cache = Mutex(Cache())

  private struct Cache {
    var model = Model()
    var forms: [String: RecordForm] = [:]
  }

  /// Returns the form of the objects that a fetch found.
  func form(of result: FetchResult) -> RecordForm {
    cache.withLock { cache in
      if !cache.model.sharesEntities(with: result.snapshot.graph.model) {
        cache = Cache(model: result.snapshot.graph.model)
      }
      if let form = cache.forms[result.entity] { return form }
      let form = RecordForm(result)
      cache.forms[result.entity] = form
      return form
    }
  }
}

/// The objects of a fetch in the form of the document.
final class ObjectRecords: GridRecords {
  private let result: FetchResult
  private let form: RecordForm
  /// For each key, whether it has dates, and all of them are midnights in the result.
  private let isShortDate: [Bool]

  init(_ result: FetchResult, _ form: RecordForm, _ zone: ZoneRules) {
    self.result = result
    self.form = form
    isShortDate = form.sources.map { $0.isShortDate(result, zone) }
  }

  var keys: RecordKeys { form.keys }

  func append(_ row: Int, _ key: Int, _ text: JSONText, to bytes: inout [UInt8]) {
    form.sources[key].append(
      Int(result.rows[row]), result, text, isShortDate: isShortDate[key], to: &bytes)
  }
}
