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
public protocol KeyReadable: ValueConvertible {
  /// The value of a key; null where there is none.
  ///
  /// Throws where a model is known and has no such key.
  func value(forKey key: String) throws -> Value
  /// Its identity, if it has one.
  var objectID: ObjectID? { get }
}

extension KeyReadable {
  /// Most readable things have no identity.
  public var objectID: ObjectID? { nil }
  /// An object that refers to this.
  public var predicateValue: Value { .object(ObjectReference(self)) }
}

/// An object as a value: equal to another by identity.
public final class ObjectReference: Sendable {
  /// Its identity, or nil for a readable thing that has none.
  public let id: ObjectID?
  /// Where its keys are read.
  public let reader: any KeyReadable

  /// Makes a reference to something readable.
  public init(_ reader: any KeyReadable) {
    self.id = reader.objectID
    self.reader = reader
  }
}

extension Dictionary: KeyReadable where Key == String, Value == KuraValues.Value {
  /// The value of a key; null where there is none.
  public func value(forKey key: String) -> KuraValues.Value { self[key] ?? .null }
}
