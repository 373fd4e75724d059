import Foundation
import KuraValues

extension KeptPart: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .value(let value): try encode(value, in: &container)
    case .and(let parts): try container.encode(parts, forKey: .and)
    case .or(let parts): try container.encode(parts, forKey: .or)
    case .truth(let text): try container.encode(text, forKey: .truth)
    case .predicate(let text): try container.encode(text, forKey: .predicate)
    case .quotient(let entity, let number):
      try container.encode(Object(entity: entity, number: number), forKey: .quotient)
    }
  }

  private func encode(
    _ value: Value, in container: inout KeyedEncodingContainer<Key>
  ) throws {
    switch value {
    case .null: try container.encodeNil(forKey: .null)
    case .boolean(let x): try container.encode(x, forKey: .boolean)
    case .integer(let x): try container.encode(x, forKey: .integer)
    // As text, for JSON has no infinity.
    case .double(let x): try container.encode("\(x)", forKey: .double)
    case .decimal(let x): try container.encode("\(x)", forKey: .decimal)
    case .string(let x): try container.encode(x, forKey: .string)
    case .date(let x): try container.encode(x.text(.rfc3339, in: .utc), forKey: .date)
    case .uuid(let x): try container.encode(x.uuidString, forKey: .uuid)
    case .uri(let x): try container.encode(x, forKey: .uri)
    case .binary(let x):
      try container.encode(Data(x).base64EncodedString(), forKey: .binary)
    case .list(let x): try container.encode(x.map(KeptPart.value), forKey: .list)
    case .set(let x): try container.encode(x.elements.map(KeptPart.value), forKey: .set)
    case .dictionary(let x):
      let pairs = Pairs(keys: x.keys, values: x.values.map(KeptPart.value))
      try container.encode(pairs, forKey: .dictionary)
    case .object(let x): try encode(x, in: &container)
    }
  }

  private func encode(
    _ object: ObjectReference, in container: inout KeyedEncodingContainer<Key>
  ) throws {
    guard let id = object.id else {
      throw EncodingError.invalidValue(
        object,
        .init(
          codingPath: container.codingPath,
          debugDescription: "an object without identity is only in memory and cannot be kept"))
    }
    let kept = Object(
      entity: id.entity, root: id.root == id.entity ? nil : id.root, number: id.number)
    try container.encode(kept, forKey: .object)
  }
}
