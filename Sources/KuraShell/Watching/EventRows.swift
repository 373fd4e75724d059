import KuraDiagnostics
import KuraFetch
import KuraJSON
import KuraModel
import KuraRendering
import KuraSentences
import KuraValues

/// The events of watched fetches for output: lines, or rows of a grid.
struct EventRows {
  let zone: ZoneRules
  private var rows: [EventRow] = []

  init(_ reported: [ReportedChange], _ zone: ZoneRules) {
    self.zone = zone
    rows = reported.flatMap { reported in reported.change.events.map { EventRow($0, of: reported) }
    }
  }

  var isEmpty: Bool { rows.isEmpty }
}

/// One event, with its places and their section headings.
private struct EventRow {
  let watch: String
  let step: Int
  let event: Event
  var row: ResultsRow?
  var section: Value?
  var from: Place?
  var to: Place?
  var keys: [String] = []

  enum Event { case delete, insert, move, update, sectionDelete, sectionInsert }

  struct Place {
    var heading: Value?
    /// The section and the row; for a section only its place.
    var indexes: [Int]
  }
}

extension EventRow {
  init(_ event: ResultsEvent, of reported: ReportedChange) {
    (watch, step) = (reported.name, reported.step)
    let (before, after) = reported.sections
    switch event {
    case .delete(let row, let from):
      (self.event, self.row, self.from) = (.delete, row, Place(from, before))
    case .insert(let row, let to):
      (self.event, self.row, self.to) = (.insert, row, Place(to, after))
    case .move(let row, let from, let to, let keys):
      (self.event, self.row, self.keys) = (.move, row, keys)
      (self.from, self.to) = (Place(from, before), Place(to, after))
    case .update(let row, let at, let keys):
      (self.event, self.row, self.to, self.keys) = (.update, row, Place(at, after), keys)
    case .sectionDelete(let heading, let at):
      (self.event, section, from) = (.sectionDelete, heading, Place(indexes: [at]))
    case .sectionInsert(let heading, let at):
      (self.event, section, to) = (.sectionInsert, heading, Place(indexes: [at]))
    }
    section = section ?? to?.heading ?? from?.heading
  }
}

extension EventRow.Place {
  init(_ place: ResultsPlace, _ sections: [ResultsRun]?) {
    heading = sections.map { $0[place.section].heading }
    indexes = [place.section, place.row]
  }
}

// Rows
extension EventRows {
  /// The events as a grid; it has a column for values of groups if an event has some.
  var grid: Grid {
    let hasGroups = rows.contains { if case .values? = $0.row { true } else { false } }
    let names = [
      localized("event"), "objectID", localized("section"), localized("from"), localized("to"),
      localized("keys"),
    ]
    return Grid(
      columns: [GridColumn(localized("watch")), GridColumn(localized("step"), isNumeric: true)]
        + (names + (hasGroups ? [localized("row")] : [])).map { GridColumn($0) },
      rows: rows.map(\.cells))
  }
}

extension EventRow {
  fileprivate var cells: [Value] {
    var (id, group) = (Value.null, Value.null)
    switch row {
    case .object(let object): id = .string(object.description)
    case .values(let values): group = .dictionary(values).namingObjects
    case nil: break
    }
    return [
      .string(watch), .integer(Int64(step)), .string(event.word), id,
      section?.namingObjects ?? .null,
      EventRow.list(from), EventRow.list(to), .list(keys.map(Value.string)), group,
    ]
  }

  private static func list(_ place: Place?) -> Value {
    guard let place else { return .null }
    return .list(place.indexes.map { .integer(Int64($0)) })
  }
}

extension Value {
  /// The value with each object replaced by its name: events may have several entities.
  fileprivate var namingObjects: Value {
    mapObjects { reference in reference.id.map { .string($0.description) } ?? .null }
  }
}

// Lines for people
extension EventRows {
  /// A line for each event, with aligned parts: `bells  delete  MemoDate/5  from Private 2`
  var lines: String {
    let parts = rows.map { $0.parts(zone) }
    let width = DisplayWidth()
    let widths = (0..<3).map { column in parts.map { width.cells($0[column]) }.max() ?? 0 }
    return parts.map { parts in
      let padded = zip(parts, widths).map { part, cells in
        part + String(repeating: " ", count: cells - width.cells(part))
      }
      return (padded + parts.dropFirst(3)).joined(separator: "  ") + "\n"
    }.joined()
  }
}

extension EventRow {
  /// Returns the watch, the event, the row, and the place.
  fileprivate func parts(_ zone: ZoneRules) -> [String] {
    let object: String =
      switch row {
      case .object(let id): id.description
      case .values(let values): values.inWords(zone)
      case nil: section.map { $0.heading(zone) } ?? ""
      }
    return [watch, event.word, VisibleText.of(object), places(zone)]
      + (keys.isEmpty ? [] : [keys.joined(separator: ", ")])
  }

  private func places(_ zone: ZoneRules) -> String {
    switch (from, to) {
    case (let from?, let to?):
      localized("from \(from.inWords(zone))") + " " + localized("to \(to.inWords(zone))")
    case (let from?, nil): localized("from \(from.inWords(zone))")
    case (nil, let to?): localized("at \(to.inWords(zone))")
    case (nil, nil): ""
    }
  }
}

extension EventRow.Event {
  fileprivate var word: String {
    switch self {
    case .delete: localized("delete")
    case .insert: localized("insert")
    case .move: localized("move")
    case .update: localized("update")
    case .sectionDelete: localized("section delete")
    case .sectionInsert: localized("section insert")
    }
  }
}

extension EventRow.Place {
  /// Returns `Private 2`, `2`.
  fileprivate func inWords(_ zone: ZoneRules) -> String {
    let last = "\(indexes.last ?? 0)"
    return heading.map { VisibleText.of($0.heading(zone)) + " " + last } ?? last
  }
}

extension Value {
  fileprivate func heading(_ zone: ZoneRules) -> String {
    switch self {
    case .null: localized("(none)")
    case .string(let text): text
    case .date(let date): date.documentText(in: zone)
    case .object(let reference): reference.id?.description ?? ""
    case .boolean(let truth): truth ? "YES" : "NO"
    default: JSONNode(self, in: zone).text
    }
  }
}

extension ValueDictionary {
  /// Returns `category Private, c 3`.
  fileprivate func inWords(_ zone: ZoneRules) -> String {
    zip(keys, values).map { "\($0) \($1.heading(zone))" }.joined(separator: ", ")
  }
}
