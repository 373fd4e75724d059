import KuraDiagnostics
import KuraGraph
import KuraModel
public import KuraPredicates
public import KuraValues

/// An object of a store: a ``ManagedObject`` of a context, or an ``ObjectSnapshot`` of one moment.
///
/// Predicates read it, and `%@` accepts it:
///
///     try FetchRequest("Item", where: "parentCategory == %@", home)
public protocol StoredObject: KeyReadable, FormatConvertible, Sendable, Identifiable, Hashable,
  CustomStringConvertible
where ID == ObjectID {
  /// The environment in which its expressions are evaluated.
  var environment: PredicateEnvironment { get }
}

extension StoredObject {
  /// The object's identity.
  public var objectID: ObjectID? { id }

  /// `Item/3`
  public var description: String { id.description }

  /// Returns the value of a key.
  ///
  ///     try item["title"]   // string("掃除")
  ///
  /// It costs what `value(forKey:)` does. Throws a diagnostic if the entity does not have the key.
  public subscript(key: String) -> Value { get throws { try value(forKey: key) } }

  /// Returns the value of a key as a Swift type.
  ///
  ///     let due: Date? = try item.value("due")
  ///
  /// It costs what `value(forKey:)` does, and is linear in the value. Throws a diagnostic if the
  /// entity does not have the key, and a `DecodingError` if the value is not of that type.
  public func value<Wanted: Decodable>(_ key: String, as: Wanted.Type = Wanted.self) throws
    -> Wanted
  { try ValueDecoder().decode(Wanted.self, from: try value(forKey: key)) }

  /// Evaluates an expression, such as a path or a computation.
  ///
  ///     try item.value(of: "parentCategory.items.@count")   // integer(3)
  ///
  /// The expression is evaluated in the environment of the context, as in a request. Linear in the
  /// text and in the objects that the expression visits. Throws a diagnostic if the text is not an
  /// expression, or if it cannot be evaluated.
  public func value(of expression: String) throws -> Value {
    try ExpressionTree(parsing: expression).evaluate(self, in: environment)
  }

  /// Decodes the object as a Swift type.
  ///
  ///     struct Item: Decodable { var title: String; var due: Date? }
  ///     try item.decode(Item.self).title   // 掃除
  ///
  /// Linear in the keys that the type reads and in the related objects. Throws a `DecodingError` if
  /// the type requires a value that the object does not have.
  public func decode<Wanted: Decodable>(_ type: Wanted.Type = Wanted.self) throws -> Wanted {
    try ValueDecoder().decode(type, from: predicateValue)
  }
}

extension GraphObject {
  /// Throws if the object's entity does not have a key.
  func checkKey(_ key: String) throws(Diagnostic) {
    let model = snapshot.graph.model
    let isKnown = model.property(named: key, of: entityName) != nil
    guard !isKnown, key != "objectID", key != "entity" else { return }
    throw Diagnostic(
      ChangeProblem.unknownKey(key, entity: entityName, known: model.keys(of: entityName)))
  }
}
