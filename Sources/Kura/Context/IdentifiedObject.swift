import KuraDiagnostics
import KuraModel
public import KuraPredicates
import KuraSentences
public import KuraValues

/// An object by its identity alone, as edits and predicates take it.
struct IdentifiedObject: KeyReadable {
  let objectID: ObjectID?
  /// Whether it is a value of Swift, which knows no more than this; else an object that is gone.
  var isAlone = false

  func value(forKey key: String) throws -> Value {
    if key == "objectID" { return .object(ObjectReference(self)) }
    guard isAlone, key != "self" else { return .null }
    throw Diagnostic(KeyOfIdentity(key: key, object: objectID?.description ?? ""))
  }
}

/// `items.filter(by: "category.name == 'home'")`, where `category` is an `ObjectID`.
private struct KeyOfIdentity: DiagnosticFacts {
  let key: String
  let object: String

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { localized("\(object) is an objectID here, and has no key \"\(key)\"") }
  var help: String? { localized("ask the context for it, or fetch objects by that predicate") }
}

extension Value {
  /// The value with its objects by identity alone, each with the root that the model says.
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
  /// The object of this identity.
  ///
  ///     try context.update(item, ["parentCategory": ObjectID(entity: "Category", number: 1)])
  public var predicateValue: Value {
    .object(ObjectReference(IdentifiedObject(objectID: self, isAlone: true)))
  }
}

extension ObjectID: Codable {
  /// Reads `Item/3`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = ObjectID(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is no objectID."))
    }
    self = id
  }

  /// Reads `Item/3`; nil for anything else. The entity is its own root until a context knows it.
  /// Linear in the text.
  public init?(_ text: String) {
    guard let slash = text.lastIndex(of: "/"), slash > text.startIndex,
      let number = Int64(text[text.index(after: slash)...]), number > 0
    else { return nil }
    self.init(entity: String(text[..<slash]), number: number)
  }

  /// Writes `Item/3`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
