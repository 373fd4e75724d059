import KuraBytes
import KuraModel
import KuraValues

extension AttributeType {
  /// A value of one type read as another, by what a person would type for it.
  ///
  ///     try AttributeType.date.reading(.string("1935/06/11"), of: .string, in: zone)
  ///     try AttributeType.integer.reading(.double(2), of: .double, in: zone)      // 2
  ///     try AttributeType.integer.reading(.double(2.5), of: .double, in: zone)    // fraction
  ///
  /// Throws where the value is none of the type.
  func reading(
    _ value: Value, of old: AttributeType, in zone: ZoneRules
  ) throws(ValueMismatch) -> Value {
    if value.isNull { return .null }
    if old == .json, self != .json { return try reading(json: value, in: zone) }
    switch self {
    case .json: return value.isJSON ? value : .string(old.plainText(value, in: zone))
    case .string: return .string(old.plainText(value, in: zone))
    case .integer, .integer16, .integer32, .double, .float, .decimal, .boolean:
      guard old != .date, old != .binary else { break }
      return try self.value(ofText: old.numberText(value, in: zone, for: self), in: zone)
    case .date, .uuid, .uri, .binary:
      guard old == .string || old == .uri else { break }
      return try self.value(ofText: old.plainText(value, in: zone), in: zone)
    }
    throw .typed(self, found: old)
  }

  /// A JSON value by the type that it would have as an attribute.
  private func reading(json value: Value, in zone: ZoneRules) throws(ValueMismatch) -> Value {
    switch value {
    case .string: return try reading(value, of: .string, in: zone)
    case .integer: return try reading(value, of: .integer, in: zone)
    case .double: return try reading(value, of: .double, in: zone)
    case .decimal: return try reading(value, of: .decimal, in: zone)
    case .boolean: return try reading(value, of: .boolean, in: zone)
    case .list, .dictionary, .set:
      if self == .string { return .string(AttributeType.json.plainText(value, in: zone)) }
      throw .kind(self, found: value.jsonKind)
    case .null, .date, .uuid, .uri, .binary, .object:
      throw .kind(self, found: value.jsonKind)
    }
  }

  /// The value as text, without quotes.
  private func plainText(_ value: Value, in zone: ZoneRules) -> String {
    switch value {
    case .string(let text), .uri(let text): text
    case .date(let date): date.documentText(in: zone)
    case .boolean, .integer, .double, .decimal: literal(value, in: zone)
    case .uuid, .binary, .list, .set, .dictionary, .null, .object:
      node(value, in: zone).plainText
    }
  }

  /// `YES` is 1 where a number is wanted.
  private func numberText(_ value: Value, in zone: ZoneRules, for type: AttributeType) -> String {
    if case .boolean(let truth) = value, type.isNumeric { return truth ? "1" : "0" }
    return plainText(value, in: zone)
  }
}

extension JSONNode {
  /// A string without its quotes, anything else as JSON.
  fileprivate var plainText: String {
    if case .string(let text) = kind { text } else { text }
  }
}
