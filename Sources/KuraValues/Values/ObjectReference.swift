/// An object as a value. Objects are compared by identity.
///
/// Values cross threads, but objects of a program may not. A reader is therefore called only by the
/// code that evaluates a predicate, and merely retained elsewhere.
public final class ObjectReference: @unchecked Sendable {
  /// The identity in a graph; nil if the object does not belong to one.
  public let id: ObjectID?
  /// The object that reads the keys.
  public let reader: any KeyReadable

  /// Creates a reference to a readable object.
  public init(_ reader: any KeyReadable) {
    self.id = reader.objectID
    self.reader = reader
  }

  /// Creates a reference to an object of a graph, with its identity.
  package init(_ reader: any KeyReadable, id: ObjectID) { (self.id, self.reader) = (id, reader) }
}

extension ObjectReference {
  /// Returns whether both are the same object.
  ///
  /// It compares the identities in a graph if one has any; otherwise the identities of the readers,
  /// then `==` for `Hashable` types, then `===`. Dictionaries are the same if their contents are
  /// equal.
  package func isSame(as other: ObjectReference) -> Bool {
    if self === other { return true }
    if id != nil || other.id != nil { return id == other.id }
    guard let identity = readerIdentity else { return false }
    return identity == other.readerIdentity
  }

  /// Hashes consistently with `isSame(as:)`.
  package func hash(into hasher: inout Hasher) {
    if let id { return hasher.combine(id) }
    if let content { return hasher.combine(content) }
    hasher.combine(readerIdentity ?? AnyHashable(ObjectIdentifier(self)))
  }

  /// The object of the program.
  package var base: Any { (reader as? OpaqueObject)?.base ?? reader }

  /// The keys and values, if the object consists only of these; otherwise nil.
  package var content: ValueDictionary? { (reader as? any ContentReadable)?.content }

  private var readerIdentity: AnyHashable? {
    if let identity = reader.identity { return identity }
    if let content { return content }
    return OpaqueObject.identity(of: reader)
  }
}

/// A readable object that consists only of keys and values: a dictionary. It is compared by
/// content.
package protocol ContentReadable: KeyReadable {
  /// All keys with their values.
  var content: ValueDictionary? { get }
}

extension ValueDictionary: ContentReadable {
  /// The dictionary itself.
  package var content: ValueDictionary? { self }
}

extension Dictionary: ContentReadable where Key == String, Value == KuraValues.Value {
  /// The pairs, sorted by key.
  package var content: ValueDictionary? {
    ValueDictionary(sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}

/// An object of a program without keys. A predicate can only test its identity.
package struct OpaqueObject: KeyReadable {
  package let base: Any
  /// A value that is equal for references to the same object.
  package let identity: AnyHashable?

  /// Creates an object; nil if the type is neither `Hashable` nor a class, so that identity cannot
  /// be tested.
  init?(_ base: Any) {
    guard let identity = Self.identity(of: base) else { return nil }
    (self.base, self.identity) = (base, identity)
  }

  /// Throws an `UnknownValueType` for each key.
  package func value(forKey key: String) throws -> Value {
    // The evaluator handles SELF, which is not a key.
    if key == "self" { return .null }
    throw UnknownValueType(type: "\(type(of: base))", path: [])
  }

  /// Returns an identity based on `==` for a `Hashable` type, or on `===` for a class.
  static func identity(of value: Any) -> AnyHashable? {
    if let hashable = value as? AnyHashable { return hashable }
    return type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }
}

/// An object given as an identity, without a check that it exists.
package struct NamedObject: KeyReadable {
  package let objectID: ObjectID?

  package init(objectID: ObjectID?) { self.objectID = objectID }

  package func value(forKey key: String) -> Value { .null }
}

/// The identity of an object: its entity, and a number that is never reused.
///
///     ObjectID(entity: "MemoDate", number: 17).description   // "MemoDate/17"
public struct ObjectID: Sendable {
  /// The object's own entity, used in its description.
  public var entity: String
  /// The root entity of its inheritance tree, in which the number is unique.
  public var root: String
  /// The number, which is positive.
  public var number: Int64

  /// Creates an identity; by default the entity is its own root.
  public init(entity: String, root: String? = nil, number: Int64) {
    self.entity = entity
    self.root = root ?? entity
    self.number = number
  }

  /// The greatest number, chosen so that the next one can still be written.
  package static let greatestNumber = Int64.max / 2 - 1

  /// The greatest number that a statement can assign, which leaves numbers for later objects.
  package static let greatestGivenNumber = Int64.max / 4
}

extension ObjectID: Hashable {
  /// Returns whether root entity and number are equal: `Item/5` and `Task/5` are the same object.
  public static func == (a: ObjectID, b: ObjectID) -> Bool {
    a.number == b.number && a.root == b.root
  }

  /// Hashes root entity and number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(root)
    hasher.combine(number)
  }
}

extension ObjectID: CustomStringConvertible {
  /// The text form, such as `MemoDate/17`.
  public var description: String { "\(entity)/\(number)" }
}

/// An object with keys that predicates read.
///
/// As the value of a key it is an object: `ANY children.age < 18` reads the keys of its children. A
/// class can conform even if it is mutable or isolated to an actor: it is read only where the
/// predicate is evaluated.
public protocol KeyReadable: ValueConvertible {
  /// Returns the value of a key; null if there is none.
  ///
  /// Throws if the object has a known set of keys that does not include it.
  func value(forKey key: String) throws -> Value
  /// The identity in a graph; nil outside a graph.
  var objectID: ObjectID? { get }
  /// A value that is equal for references to the same object: a number, a UUID, anything
  /// `Hashable`.
  ///
  ///     var identity: AnyHashable? { isbn }   // parent == %@, SELF IN %@, ANY books == %@
  ///
  /// By default, a `Hashable` type is compared by `==`, and a class by `===`.
  var identity: AnyHashable? { get }
}

extension KeyReadable {
  /// By default nil, for objects outside a graph.
  public var objectID: ObjectID? { nil }
  /// By default nil: objects are compared by `==` or `===`.
  public var identity: AnyHashable? { nil }
  /// A reference to this object.
  public var predicateValue: Value { .object(ObjectReference(self)) }
}

extension Dictionary: KeyReadable where Key == String, Value == KuraValues.Value {
  /// Returns the value of a key; null if there is none. Constant time.
  public func value(forKey key: String) -> KuraValues.Value { self[key] ?? .null }
}
