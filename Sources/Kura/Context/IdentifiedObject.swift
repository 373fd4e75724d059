import KuraDiagnostics
import KuraModel
public import KuraPredicates
import KuraSentences
public import KuraValues

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
