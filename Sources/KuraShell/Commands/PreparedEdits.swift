import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  /// Returns the prepared edit of a statement that sets attributes to literals, and their values.
  /// Nil if the statement sets anything else, or if a value needs a check, a conversion or a warning.
  func prepared(
    _ kind: PreparedEdit.Kind, _ entity: String, _ assignments: [Assignment]
  ) -> (edit: PreparedEdit, values: [Value])? {
    guard assignments.allSatisfy({ $0.operation == .set && $0.literal != nil && $0.path.isEmpty }),
      let edit = preparedEdit(kind, entity, assignments),
      let values = edit.types.plain(assignments.map { $0.literal ?? .null }, in: self)
    else { return nil }
    return (edit, values)
  }

  /// Returns the prepared edit of an entity's keys, usually the one of the previous statement.
  func preparedEdit(
    _ kind: PreparedEdit.Kind, _ entity: String, _ assignments: [Assignment]
  ) -> PreparedEdit? {
    let (keys, model) = (assignments.lazy.map(\.key.text), context.graph.model)
    if let edit = preparedEdits.first(where: { $0.isOf(kind, entity, keys, in: model) }) {
      return edit
    }
    guard let edit = PreparedEdit(kind, entity, Array(keys), in: context.graph) else { return nil }
    preparedEdits = [edit] + preparedEdits.prefix(Self.mostPrepared - 1)
    return edit
  }

  /// The maximum number of alternating kinds of statements; more are rare.
  private static var mostPrepared: Int { 4 }
}

extension [AttributeType] {
  /// Returns literals as values of these types; nil if one needs a check or a conversion.
  func plain(_ literals: [Value], in session: Session) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(count)
    for (type, literal) in zip(self, literals) {
      guard let value = literal.plain(type, in: session) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension Value {
  /// Returns a literal as a value of a type, if it needs no check or conversion; otherwise nil.
  fileprivate func plain(_ type: AttributeType, in session: Session) -> Value? {
    switch (type, self) {
    case (.string, .string), (.integer, .integer), (.boolean, .boolean): self
    case (.double, .double(let x)): x.isFinite ? self : nil
    case (.double, .integer(let x)): Double(exactly: x).map { .double($0) }
    case (.date, .string(let text)): date(text, in: session)
    case (_, .null): .null
    default: nil
    }
  }

  /// Returns a date in a document's form whose time exists in the zone; otherwise nil.
  private func date(_ text: String, in session: Session) -> Value? {
    let zone = session.zone
    guard let value = try? AttributeType.date.value(ofText: text, in: zone),
      !zone.skips(text)
    else { return nil }
    return value
  }
}
