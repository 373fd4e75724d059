import KuraModel
import KuraValues

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
