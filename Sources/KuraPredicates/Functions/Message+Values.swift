import Foundation
import KuraValues

// What URLs, UUIDs and dictionaries answer.
extension Message {
  static let addresses: [Message] = [
    address("absoluteString") { $0.absoluteString },
    address("scheme") { $0.scheme },
    address("host") { $0.host(percentEncoded: false) },
    address("path") { $0.path(percentEncoded: false) },
    address("query") { $0.query(percentEncoded: false) },
    address("fragment") { $0.fragment(percentEncoded: false) },
    address("user") { $0.user(percentEncoded: false) },
    Message("port", keyOf: .uri) { (target, _, _) throws(EvaluationFacts) in
      try target.address().port.map { .integer(Int64($0)) } ?? .null
    },
    Message("UUIDString", keyOf: .uuid) { (target, _, _) throws(EvaluationFacts) in
      .string(try target.uuid().uuidString)
    },
    Message("uuidString", keyOf: .uuid) { (target, _, _) throws(EvaluationFacts) in
      .string(try target.uuid().uuidString)
    },
  ]

  static let keyed: [Message] = [
    Message("allKeys", keyOf: .dictionary, reading: .everything) {
      (target, _, _) throws(EvaluationFacts) in
      .list(try target.dictionary().keys.map(Value.string))
    },
    Message("allValues", keyOf: .dictionary, reading: .everything) {
      (target, _, _) throws(EvaluationFacts) in
      .list(try target.dictionary().values)
    },
    Message("objectForKey:", reading: .member) { (target, arguments, _) throws(EvaluationFacts) in
      try target.dictionary()[try arguments[0].text()] ?? .null
    },
    Message("valueForKey:", reading: .member) { (target, arguments, _) throws(EvaluationFacts) in
      try target.element(at: arguments[0])
    },
    Message("objectAtIndex:", reading: .member) { (target, arguments, _) throws(EvaluationFacts) in
      try target.element(at: arguments[0])
    },
    Message("containsObject:") { (target, arguments, _) throws(EvaluationFacts) in
      guard let elements = target.elements else {
        throw .notACollection("containsObject:", target.kind)
      }
      return .boolean(elements.contains(arguments[0]))
    },
  ]

  private static func address(
    _ selector: String, _ part: @escaping @Sendable (URL) -> String?
  ) -> Message {
    Message(selector, keyOf: .uri) { (target, _, _) throws(EvaluationFacts) in
      part(try target.address()).map(Value.string) ?? .null
    }
  }
}

extension Value {
  fileprivate func address() throws(EvaluationFacts) -> URL {
    guard case .uri(let text) = self else { throw .wrongArgument(expected: "a URI", kind) }
    guard let url = URL(string: text) else { throw .unreadableText(text, .uri) }
    return url
  }

  fileprivate func uuid() throws(EvaluationFacts) -> UUID {
    guard case .uuid(let uuid) = self else { throw .wrongArgument(expected: "a UUID", kind) }
    return uuid
  }

  fileprivate func dictionary() throws(EvaluationFacts) -> ValueDictionary {
    guard let dictionary = dictionaryValue else {
      throw .wrongArgument(expected: "a dictionary", kind)
    }
    return dictionary
  }
}
