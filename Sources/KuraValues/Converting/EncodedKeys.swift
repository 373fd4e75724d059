/// The keys that an encoded type may have, of which nil ones were not encoded.
///
/// A `CodingKey` that is an enumeration, as the compiler makes it, takes its own keys alone; one that
/// takes every text, as that of a dictionary, says nothing.
package final class EncodedKeys: Sendable {
  /// `Book`
  package let type: String
  /// The keys that were seen, also those whose value was nil.
  package let names: [String]
  private let keyTypes: [any CodingKey.Type]

  init(type: String, names: [String], keyTypes: [any CodingKey.Type]) {
    (self.type, self.names, self.keyTypes) = (type, names, keyTypes)
  }

  /// Whether the type may have a key of this name.
  package func accept(_ name: String) -> Bool {
    keyTypes.contains { $0.init(stringValue: name) != nil }
  }
}
