/// An object that says which keys it has, so that a type that is decoded of it can tell a missing key
/// from one without a value.
package protocol KeyListing: KeyReadable {
  /// The keys, in their order.
  var ownKeys: [String] { get }
}

/// An object that says which of its keys lead to others, so that none of these are told from a value that is
/// an empty list.
package protocol LinkKnowing: KeyReadable {
  func isLink(_ key: String) -> Bool
}

extension ValueDictionary: KeyListing {
  package var ownKeys: [String] { keys }
}

/// What is asked for keys: a dictionary, an object of a graph, or something else with keys.
struct ReadKeys {
  let reader: any KeyReadable
  /// All of them; nil where nobody can say.
  private let known: [String]?

  init(_ reader: any KeyReadable) {
    self.reader = reader
    known = (reader as? any KeyListing)?.ownKeys
  }

  var names: [String] { known ?? [] }

  /// `objectID` is a key of every object.
  func has(_ key: String) -> Bool {
    known.map { $0.contains(key) || key == "objectID" && reader.objectID != nil } ?? true
  }

  func value(_ key: String) throws -> Value { try reader.value(forKey: key) }
}

extension Value {
  /// Its keys, if it has some.
  var readKeys: ReadKeys? {
    if let dictionary = dictionaryValue { return ReadKeys(dictionary) }
    if case .object(let reference) = self { return ReadKeys(reference.reader) }
    return nil
  }
}
