import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraRendering
import KuraScript
import KuraSentences
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
    let (lines, listing) = (ModelListing(zone: zone).lines(context), changeListing)
    try write(Grid(columns: .change, rows: lines.map(\.cells) + listing.rows(change)))
  }

  /// Shows a change in the form of `changes`.
  func show(change: ChangeSet) throws {
    // If it was cancelled, the change is incomplete.
    try services.cancel.check()
    let listing = changeListing
    try write(Grid(columns: .change, rows: listing.rows(change)))
  }

  var changeListing: ChangeListing {
    ChangeListing(
      graph: context.graph, live: variables.live, zone: zone, cancel: services.cancel)
  }
}

extension ModelListing.Line {
  fileprivate var cells: [Value] {
    [change.words(kind), name, key, old, new].map { $0.map(Value.string) ?? .null }
  }
}

extension [GridColumn] {
  static var change: [GridColumn] {
    [localized("change"), localized("object"), localized("key")].map {
      GridColumn($0, isOwnText: true)
    } + [localized("old"), localized("new")].map { GridColumn($0) }
  }
}

/// Lists changes as rows.
struct ChangeListing {
  let graph: Graph
  let live: LiveGraph
  let zone: ZoneRules
  let cancel: CancelFlag

  /// Returns the rows of a change. Values are formatted according to `types` if the change belongs
  /// to an earlier model, otherwise according to the model.
  func rows(_ change: ChangeSet, _ types: KeyTypes? = nil) throws(Stopped) -> [[Value]] {
    let types = types ?? KeyTypes(change, in: graph.model)
    return try rows(localized("inserted"), change.inserted, types)
      + rows(localized("updated"), change.updated, types)
      + rows(localized("deleted"), change.deleted, types)
  }

  private func rows(
    _ verb: String, _ batches: [ObjectBatch], _ types: KeyTypes
  ) throws(Stopped) -> [[Value]] {
    var rows: [[Value]] = []
    for batch in batches {
      for (i, number) in batch.numbers.enumerated() {
        try cancel.check()
        rows += self.rows(verb, batch, i, number, types.entities[batch.entity] ?? [:])
      }
    }
    return rows
  }

  /// Returns a row for each value of an object that is not null on both sides; at least one row.
  private func rows(
    _ verb: String, _ batch: ObjectBatch, _ i: Int, _ number: Int64,
    _ types: [String: KeyTypes.Kind]
  ) -> [[Value]] {
    let head = [Value.string(verb), name(batch.entity, number)]
    let rows = batch.changes(i).filter { !$0.isOfNothing }.map { change in
      let type = types[change.key]
      return head + [
        .string(change.key), value(change.old ?? .null, type), value(change.new ?? .null, type),
      ]
    }
    return rows.isEmpty ? [head + [.null, .null, .null]] : rows
  }

  private func value(_ value: StoredCell, _ type: KeyTypes.Kind?) -> Value {
    switch (type, value) {
    case (.attribute(let type), _): shown(value.value(as: type))
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
