/// An object as a value: equal to another by identity.
///
/// Values cross threads and objects of somebody's own may not: a reader is asked where a predicate is
/// evaluated, by whoever evaluates it, and is only held everywhere else.
public final class ObjectReference: @unchecked Sendable {
  /// Its identity in a graph, or nil for a readable thing that has none there.
  public let id: ObjectID?
  /// Where its keys are read.
  public let reader: any KeyReadable

  /// Makes a reference to something readable.
  public init(_ reader: any KeyReadable) {
    self.id = reader.objectID
    self.reader = reader
  }
}

extension ObjectReference {
  /// Whether both are one object.
  ///
  /// By the identity in a graph if one has it, else by what the readers say, else by `==` of what is
  /// `Hashable`, else by `===`. Dictionaries are one if their contents are equal.
  package func isSame(as other: ObjectReference) -> Bool {
    if self === other { return true }
    if id != nil || other.id != nil { return id == other.id }
    guard let identity = readerIdentity else { return false }
    return identity == other.readerIdentity
  }

  /// Hashes so that what is one object hashes alike.
  package func hash(into hasher: inout Hasher) {
    if let id { return hasher.combine(id) }
    if let content { return hasher.combine(content) }
    hasher.combine(readerIdentity ?? AnyHashable(ObjectIdentifier(self)))
  }

  /// The object of the program's own that it stands for.
  package var base: Any { (reader as? OpaqueObject)?.base ?? reader }

  /// The keys and values of an object that is nothing else; nil for all others.
  package var content: ValueDictionary? { (reader as? any ContentReadable)?.content }

  private var readerIdentity: AnyHashable? {
    if let identity = reader.identity { return identity }
    if let content { return content }
    return OpaqueObject.identity(of: reader)
  }
}

/// What has keys and is nothing but these: a dictionary, which equals another by its content.
package protocol ContentReadable: KeyReadable {
  /// All keys with their values.
  var content: ValueDictionary? { get }
}

extension ValueDictionary: ContentReadable {
  /// Itself.
  package var content: ValueDictionary? { self }
}

extension Dictionary: ContentReadable where Key == String, Value == KuraValues.Value {
  /// The pairs in the order of their keys.
  package var content: ValueDictionary? {
    ValueDictionary(sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}
