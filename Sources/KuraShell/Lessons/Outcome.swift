import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

/// The result of statements, in a form that can be compared.
enum Outcome {
  /// `fetch Task`: the objects, and their section headings.
  case objects([ObjectID], headings: [Value])
  /// `fetch Task select title`: the rows, and their section headings.
  case rows([[Value]], headings: [String])
  /// `count Task`, `exists Task`, `print 1 + 2`
  case values([Value])
  /// A change: all objects after it.
  case graph(GraphContent)
}

/// A query that can return its result without showing it.
protocol QueryCommand: Command {
  func outcome(in session: Session, _ source: SourceText) throws -> Outcome
}

extension Outcome {
  enum Kind: Sendable { case objects, rows, values, graph }

  var kind: Kind {
    switch self {
    case .objects: .objects
    case .rows: .rows
    case .values: .values
    case .graph: .graph
    }
  }
}

/// The difference between an outcome and the expected one.
enum Difference {
  case kind(wanted: Outcome.Kind, found: Outcome.Kind)
  case objects(missing: [ObjectID], extra: [ObjectID])
  /// The same objects or rows in another order; the first wrong place, from 1.
  case order(place: Int, wanted: String, found: String)
  case headings
  case columns(wanted: [String], found: [String])
  case rows(missing: [[Value]], extra: [[Value]])
  case values(wanted: [Value], found: [Value])
  case graph(GraphDifference)
  /// The query failed on a store.
  case failure(String)
}

extension Outcome {
  /// Returns the difference; nil if the outcomes are equal in the compared aspects.
  func difference(to wanted: Outcome, _ grading: Grading) -> Difference? {
    switch (self, wanted) {
    case (.objects(let found, let own), .objects(let ids, let headings)):
      Self.difference(of: found, to: ids, isOrdered: grading.isOrdered)
        ?? (own == headings || !grading.isOrdered && headings.isEmpty ? nil : .headings)
    case (.rows(let found, let own), .rows(let rows, let headings)):
      Self.difference(of: own, to: headings)
        ?? Self.difference(of: found, to: rows, isOrdered: grading.isOrdered)
    case (.values(let found), .values(let values)):
      found == values ? nil : .values(wanted: values, found: found)
    case (.graph(let found), .graph(let content)):
      found.difference(to: content).map { .graph($0) }
    default: .kind(wanted: wanted.kind, found: kind)
    }
  }

  private static func difference(
    of found: [ObjectID], to wanted: [ObjectID], isOrdered: Bool
  ) -> Difference? {
    let missing = Set(wanted).subtracting(found)
    let extra = Set(found).subtracting(wanted)
    guard missing.isEmpty, extra.isEmpty else {
      return .objects(
        missing: wanted.filter(missing.contains), extra: found.filter(extra.contains))
    }
    guard isOrdered, let place = zip(found, wanted).enumerated().first(where: { $1.0 != $1.1 })
    else { return nil }
    return .order(
      place: place.offset + 1, wanted: place.element.1.description,
      found: place.element.0.description)
  }

  /// Returns a difference for too many columns, too few, or another order; names are not compared.
  private static func difference(of found: [String], to wanted: [String]) -> Difference? {
    let isPermuted = found != wanted && found.sorted() == wanted.sorted()
    guard found.count != wanted.count || isPermuted else { return nil }
    return .columns(wanted: wanted, found: found)
  }

  private static func difference(
    of found: [[Value]], to wanted: [[Value]], isOrdered: Bool
  ) -> Difference? {
    var rest = found
    let missing = wanted.filter { row in
      guard let place = rest.firstIndex(of: row) else { return true }
      rest.remove(at: place)
      return false
    }
    guard missing.isEmpty, rest.isEmpty else { return .rows(missing: missing, extra: rest) }
    guard isOrdered, let place = zip(found, wanted).enumerated().first(where: { $1.0 != $1.1 })
    else { return nil }
    return .order(
      place: place.offset + 1, wanted: RowText.text(place.element.1),
      found: RowText.text(place.element.0))
  }
}

/// Formats values and objects in a line of text.
enum RowText {
  static func text(_ row: [Value], _ zone: ZoneRules = .utc) -> String {
    row.map { text($0, zone) }.joined(separator: ", ")
  }

  static func text(_ value: Value, _ zone: ZoneRules = .utc) -> String {
    switch value {
    case .null: "NULL"
    case .boolean(let truth): truth ? "YES" : "NO"
    case .string(let text): StatementText.string(text)
    case .date(let date): text(date, zone)
    case .object(let reference): reference.id?.description ?? "?"
    case .list(let values): "{\(values.map { text($0, zone) }.joined(separator: ", "))}"
    case .set(let set): "{\(set.elements.map { text($0, zone) }.joined(separator: ", "))}"
    default: ExpressionTree(.constant(Constant(value))).expressionFormat
    }
  }

  /// Returns `2026-01-06`, or `2026-01-06 23:59:59` with a time.
  private static func text(_ date: Timestamp, _ zone: ZoneRules) -> String {
    let text = date.documentText(in: zone)
    return date.isMidnight(in: zone) || text.utf8.count < 19
      ? String(text.prefix(10)) : String(text.prefix(19).replacing("T", with: " "))
  }

  /// Returns `Task/2 (title "歯医者の予約", dueDate NULL)`, with the first key and the given ones.
  static func text(_ id: ObjectID, in graph: Graph, keys: [String], _ zone: ZoneRules) -> String {
    guard let place = graph.find(id) else { return id.description }
    let object = GraphSnapshot(graph).object(table: place.table, row: place.row)
    let known = graph.model.keys(of: id.entity)
    let asked = keys.filter(known.contains)
    let first = known.prefix(1).filter { !asked.contains($0) }
    let values = (first + asked).prefix(4).map { key in
      "\(key) \(text((try? object.value(forKey: key)) ?? .null, zone))"
    }
    return "\(id) (\(values.joined(separator: ", ")))"
  }
}
