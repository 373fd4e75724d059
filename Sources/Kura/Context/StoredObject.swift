import KuraDiagnostics
import KuraGraph
import KuraModel
public import KuraPredicates
public import KuraValues

/// An object of a store: one of a context, ``ManagedObject``, or as it was, ``ObjectSnapshot``.
///
/// Predicates read it, and `%@` takes it: `FetchRequest("Item", where: "parentCategory == %@", home)`
public protocol StoredObject: KeyReadable, FormatConvertible, Sendable, Identifiable, Hashable,
  CustomStringConvertible
where ID == ObjectID {
  /// Where and when its expressions are evaluated.
  var environment: PredicateEnvironment { get }
}

extension StoredObject {
  /// Its identity.
  public var objectID: ObjectID? { id }

  /// `Item/3`
  public var description: String { id.description }

  /// The value of a key.
  ///
  ///     try item["title"]   // string("掃除")
  ///
  /// It costs what `value(forKey:)` does. Throws a diagnostic where its entity has no such key.
  public subscript(key: String) -> Value { get throws { try value(forKey: key) } }

  /// The value of a key as a type of Swift.
  ///
  ///     let due: Date? = try item.value("due")
  ///
  /// It costs what `value(forKey:)` does, and is linear in the value. Throws a diagnostic where its
  /// entity has no such key, and a `DecodingError` where the value is none of that type.
  public func value<Wanted: Decodable>(_ key: String, as: Wanted.Type = Wanted.self) throws
    -> Wanted
  { try ValueDecoder().decode(Wanted.self, from: try value(forKey: key)) }

  /// The value of an expression: a path, or what is computed of some.
  ///
  ///     try item.value(of: "parentCategory.items.@count")   // integer(3)
  ///
  /// In the environment of its context, as a request has it. Linear in the text and in the objects that
  /// the expression goes through. Throws a diagnostic where
  /// the text is no expression, or it cannot be evaluated.
  public func value(of expression: String) throws -> Value {
    try ExpressionTree(parsing: expression).evaluate(self, in: environment)
  }

  /// The object as a type of Swift.
  ///
  ///     struct Item: Decodable { var title: String; var due: Date? }
  ///     try item.decode(Item.self).title   // 掃除
  ///
  /// Linear in the keys that the type asks for, and in the objects behind them. Throws a `DecodingError`
  /// where the type wants what the object does not have.
  public func decode<Wanted: Decodable>(_ type: Wanted.Type = Wanted.self) throws -> Wanted {
    try ValueDecoder().decode(type, from: predicateValue)
  }
}

extension GraphObject {
  /// Throws where the object's entity has no such key.
  func checkKey(_ key: String) throws(Diagnostic) {
    let model = snapshot.graph.model
    let isKnown = model.property(named: key, of: entityName) != nil
    guard !isKnown, key != "objectID", key != "entity" else { return }
    throw Diagnostic(
      ChangeFacts.unknownKey(key, entity: entityName, known: model.keys(of: entityName)))
  }
}
