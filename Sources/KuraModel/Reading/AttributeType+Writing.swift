import Foundation
package import KuraJSON
package import KuraValues

extension AttributeType {
  /// A value of this type as a document writes it.
  ///
  ///     AttributeType.date.node(midnight, in: zone)      // "1935-06-11"
  ///     AttributeType.decimal.node(.decimal(price), in: zone)   // "0.1"
  ///     AttributeType.float.node(.double(0.1), in: zone)  // 0.1, the shortest that a float needs
  package func node(_ value: Value, in zone: ZoneRules) -> JSONNode {
    guard self == .float, case .double(let number) = value else { return JSONNode(value, in: zone) }
    return JSONNode(.number(Float(number).description))
  }

  /// A value of this type as a statement writes it.
  ///
  ///     AttributeType.boolean.literal(.boolean(true), in: zone)   // YES
  ///     AttributeType.json.literal(.list([1, .null]), in: zone)   // {1, NULL}
  ///
  /// A JSON object is written as JSON: the predicate language has no literal for one.
  package func literal(_ value: Value, in zone: ZoneRules) -> String {
    switch value {
    case .null: "NULL"
    case .boolean(let x): x ? "YES" : "NO"
    case .double(let x): self == .float ? Float(x).description : x.description
    case .integer(let x): "\(x)"
    case .decimal(let x): x.description
    case .list(let x): "{\(x.map { literal($0, in: zone) }.joined(separator: ", "))}"
    case .set(let x): "{\(x.elements.map { literal($0, in: zone) }.joined(separator: ", "))}"
    case .string(let x), .uri(let x): StatementText.string(x)
    case .date(let x): StatementText.string(x.documentText(in: zone))
    case .uuid(let x): StatementText.string(x.uuidString)
    case .binary(let x): StatementText.string(Data(x).base64EncodedString())
    case .dictionary: JSONNode(value, in: zone).text
    case .object(let x): x.id?.description ?? "NULL"
    }
  }
}

extension Timestamp {
  /// `1935-06-11` for a midnight in the zone, RFC 3339 for any other moment.
  package func documentText(in zone: ZoneRules) -> String {
    text(isMidnight(in: zone) ? .day : .rfc3339, in: zone)
  }
}

extension Value {
  /// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in either case.
  init?(uuidText text: String) {
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self = .uuid(uuid)
  }

  /// Text without blanks and control characters: a URI or, with Japanese in it, an IRI (RFC 3987).
  init?(uriText text: String) {
    let isURI = text.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
    }
    guard isURI, !text.isEmpty else { return nil }
    self = .uri(text)
  }

  /// Base64 with its padding, whose bits are zero (RFC 4648): one text for the same bytes.
  package init?(base64 text: String) {
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
      return nil
    }
    self = .binary(Array(data))
  }
}
