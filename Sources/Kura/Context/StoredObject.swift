import KuraDiagnostics
import KuraGraph
import KuraModel
public import KuraPredicates
import KuraSentences
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

/// An object that consists only of its identity, as edits and predicates accept it.
struct IdentifiedObject: KeyReadable {
  let objectID: ObjectID?
  /// Whether it represents an identity from Swift code, which has no other keys. Otherwise it
  /// represents a deleted object.
  var isAlone = false

  func value(forKey key: String) throws -> Value {
    if key == "objectID" { return .object(ObjectReference(self)) }
    guard isAlone, key != "self" else { return .null }
    throw Diagnostic(KeyOfIdentity(key: key, object: objectID?.description ?? ""))
  }
}

/// A key of a bare identity: `items.filter(by: "category.name == 'home'")`, if `category` is an
/// `ObjectID`.
private struct KeyOfIdentity: DiagnosticFacts {
  let key: String
  let object: String

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String {
    localized("\(object) is only an objectID here, so it has no key \"\(key)\"")
  }
  var help: String? {
    localized("get the object from the context, or use the predicate in a fetch")
  }
}

extension Value {
  /// Returns the value with its objects replaced by identities, each with the root entity from the
  /// model.
  func named(in model: Model) -> Value {
    mapObjects { reference in
      guard let id = reference.id else { return .object(reference) }
      let root = model.root(of: id.entity)
      let known = ObjectID(entity: id.entity, root: root, number: id.number)
      return .object(ObjectReference(IdentifiedObject(objectID: known)))
    }
  }
}

extension ObjectID: ValueConvertible, FormatConvertible {
  /// The object with this identity, as a value.
  ///
  ///     try context.update(item, ["parentCategory": ObjectID(entity: "Category", number: 1)])
  public var predicateValue: Value {
    .object(ObjectReference(IdentifiedObject(objectID: self, isAlone: true)))
  }
}

extension ObjectID: Codable {
  /// Decodes `Item/3`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = ObjectID(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not an objectID."))
    }
    self = id
  }

  /// Parses `Item/3`; nil for any other text. The entity counts as its own root until a context
  /// resolves it. Linear in the text.
  public init?(_ text: String) {
    guard let slash = text.lastIndex(of: "/"), slash > text.startIndex,
      let number = Int64(text[text.index(after: slash)...]), number > 0
    else { return nil }
    self.init(entity: String(text[..<slash]), number: number)
  }

  /// Encodes `Item/3`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
