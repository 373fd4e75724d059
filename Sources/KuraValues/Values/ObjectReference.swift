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

/// Something of a program's own of which a predicate knows only whether it is the same: it has no keys.
package struct OpaqueObject: KeyReadable {
  package let base: Any
  /// What two of them share that are one.
  package let identity: AnyHashable?

  /// Nil for what no two values of can be told to be the same: it is neither `Hashable` nor a class.
  init?(_ base: Any) {
    guard let identity = Self.identity(of: base) else { return nil }
    (self.base, self.identity) = (base, identity)
  }

  /// Throws an `UnknownValueType` for each key.
  package func value(forKey key: String) throws -> Value {
    // SELF is no key: who evaluates knows it.
    if key == "self" { return .null }
    throw UnknownValueType(type: "\(type(of: base))", path: [])
  }

  /// What is one by `==` if it is `Hashable`, else by `===` if it is a class.
  static func identity(of value: Any) -> AnyHashable? {
    if let hashable = value as? AnyHashable { return hashable }
    return type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }
}

/// An object by its name alone, of which nobody has looked whether it is there.
package struct NamedObject: KeyReadable {
  package let objectID: ObjectID?

  package init(objectID: ObjectID?) { self.objectID = objectID }

  package func value(forKey key: String) -> Value { .null }
}

/// The identity of an object: its entity and a number that is never given twice.
///
///     ObjectID(entity: "MemoDate", number: 17).description   // "MemoDate/17"
public struct ObjectID: Sendable {
  /// The object's own entity, by which it prints.
  public var entity: String
  /// The entity at the root of its inheritance tree, within which the number is unique.
  public var root: String
  /// A positive number.
  public var number: Int64

  /// Makes an identity; the entity is its own root unless said.
  public init(entity: String, root: String? = nil, number: Int64) {
    self.entity = entity
    self.root = root ?? entity
    self.number = number
  }

  /// The greatest number; the next one can still be written down.
  package static let greatestNumber = Int64.max / 2 - 1

  /// The greatest number that a statement may give, so that numbers are left for the objects after it.
  package static let greatestGivenNumber = Int64.max / 4
}

extension ObjectID: Hashable {
  /// Equal if root entity and number are: `Item/5` and `Task/5` are one object.
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
  /// `MemoDate/17`
  public var description: String { "\(entity)/\(number)" }
}

/// What predicates read: something with keys.
///
/// As the value of a key it is an object: `ANY children.age < 18` reads the keys of its children.
/// A class may conform as it is, mutable or isolated to an actor: it is read where the predicate is
/// evaluated, and nowhere else.
public protocol KeyReadable: ValueConvertible {
  /// The value of a key; null where there is none.
  ///
  /// Throws where a model is known and has no such key.
  func value(forKey key: String) throws -> Value
  /// Its identity in a graph, if it has one there.
  var objectID: ObjectID? { get }
  /// What two values share that are one object: a number, a UUID, anything `Hashable`.
  ///
  ///     var identity: AnyHashable? { isbn }   // parent == %@, SELF IN %@, ANY books == %@
  ///
  /// Who says nothing is equal by `==` if it is `Hashable`, else by `===` if it is a class.
  var identity: AnyHashable? { get }
}

extension KeyReadable {
  /// Most readable things have no identity in a graph.
  public var objectID: ObjectID? { nil }
  /// Most types say by `==` or `===` which of their values are one.
  public var identity: AnyHashable? { nil }
  /// An object that refers to this.
  public var predicateValue: Value { .object(ObjectReference(self)) }
}

extension Dictionary: KeyReadable where Key == String, Value == KuraValues.Value {
  /// The value of a key; null where there is none. Constant time.
  public func value(forKey key: String) -> KuraValues.Value { self[key] ?? .null }
}
