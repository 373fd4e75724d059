import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraRendering
import KuraScript
import KuraValues

/// `changes`: lists each value that was set, changed or removed since the last save.
extension ChangesStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    guard let since else { return try session.showChanges() }
    try session.show(change: session.changes(since: since))
  }
}

extension Session {
  func showChanges() throws {
    guard let change = context.netChange(services.cancel) else { throw Stopped() }
    let rows = try modelRows + changeListing.rows(change)
    try write(Grid(columns: .change, rows: rows))
  }

  /// Shows a change in the form of `changes`.
  func show(change: ChangeSet) throws {
    // If it was cancelled, the change is incomplete.
    try services.cancel.check()
    try write(Grid(columns: .change, rows: changeListing.rows(change)))
  }

  var changeListing: ChangeListing {
    ChangeListing(context.graph, variables.live, zone, services.cancel)
  }

  /// The entities and requests that were defined, altered or dropped; for altered entities each
  /// key.
  private var modelRows: [[Value]] {
    ModelListing(zone: zone).lines(context).map { line in
      [line.change, line.name, line.key, line.old, line.new].map {
        $0.map(Value.string) ?? .null
      }
    }
  }
}

extension [GridColumn] {
  static var change: [GridColumn] {
    ["change", "object", "key"].map { GridColumn($0, isOwnText: true) }
      + ["old", "new"].map { GridColumn($0) }
  }
}

/// Lists changes as rows.
struct ChangeListing {
  let graph: Graph
  let live: LiveGraph
  let zone: ZoneRules
  private let cancel: CancelFlag

  init(_ graph: Graph, _ live: LiveGraph, _ zone: ZoneRules, _ cancel: CancelFlag) {
    self.graph = graph
    self.live = live
    self.zone = zone
    self.cancel = cancel
  }

  /// Returns the rows of a change. Values are formatted according to `types` if the change belongs
  /// to an earlier model, otherwise according to the model.
  func rows(_ change: ChangeSet, _ types: KeyTypes? = nil) throws(Stopped) -> [[Value]] {
    let types = types ?? KeyTypes(change, in: graph.model)
    var rows: [[Value]] = []
    for batch in change.inserted {
      rows += try self.rows("inserted", batch, types) { values, key, value in
        values + [key, .null, value]
      }
    }
    for batch in change.updated { rows += try self.rows(batch, types) }
    for batch in change.deleted {
      rows += try self.rows("deleted", batch, types) { values, key, value in
        values + [key, value, .null]
      }
    }
    return rows
  }

  /// Returns a row for each value of an object; at least one row.
  private func rows(
    _ verb: String, _ batch: ObjectBatch, _ types: KeyTypes,
    _ row: ([Value], Value, Value) -> [Value]
  ) throws(Stopped) -> [[Value]] {
    try eachObject(batch.numbers) { i, number in
      let head = [Value.string(verb), name(batch.entity, number)]
      let rows = batch.columns.filter { $0.values[i] != .null }.map {
        row(head, .string($0.key), value($0.values[i], types.entities[batch.entity]?[$0.key]))
      }
      return rows.isEmpty ? [head + [.null, .null, .null]] : rows
    }
  }

  private func rows(_ batch: UpdatedObjects, _ types: KeyTypes) throws(Stopped) -> [[Value]] {
    try eachObject(batch.numbers) { i, number in
      batch.columns.map { column in
        let type = types.entities[batch.entity]?[column.key]
        return [
          .string("updated"), name(batch.entity, number), .string(column.key),
          value(column.old[i], type), value(column.new[i], type),
        ]
      }
    }
  }

  private func eachObject(
    _ numbers: [Int64], _ rows: (Int, Int64) -> [[Value]]
  ) throws(Stopped) -> [[Value]] {
    var all: [[Value]] = []
    for (i, number) in numbers.enumerated() {
      try cancel.check()
      all += rows(i, number)
    }
    return all
  }

  private func value(_ value: ChangeValue, _ type: KeyTypes.Kind?) -> Value {
    switch (type, value) {
    case (.attribute(let type), _): shown(value.cell.value(as: type))
    case (.object(let entity), .object(let number)): object(entity, number)
    case (.objects(let entity), .objects(let numbers)): .list(numbers.map { object(entity, $0) })
    case (.objects(let entity), .object(let number)): .list([object(entity, number)])
    case (.object, _), (.objects, _), (nil, _): .null
    }
  }

  /// Formats a date as a document does: a column with values of several types has no format of its
  /// own.
  private func shown(_ value: Value) -> Value {
    if case .date(let date) = value { .string(date.documentText(in: zone)) } else { value }
  }

  /// Names the object of a row, with its entity in every format because rows have several entities.
  private func name(_ entity: String, _ number: Int64) -> Value {
    .string(graph.id(entity, number).description)
  }

  private func object(_ entity: String, _ number: Int64) -> Value {
    live.object(graph.id(entity, number))
  }
}
