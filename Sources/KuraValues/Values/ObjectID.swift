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
