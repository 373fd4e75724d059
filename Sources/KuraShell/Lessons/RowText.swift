import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

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
