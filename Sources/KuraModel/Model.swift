public import KuraValues

/// What a store can hold: its entities, their attributes and relationships.
public struct Model: Sendable {
  /// In the order of their definition.
  public private(set) var entities: [Entity]
  /// Saved requests, in the order of their definition: `("Birthdays", "() = fetch MemoDate")`.
  public var requests: [SavedRequest]
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?
  private var places: [String: Int]

  /// Makes a model; `ModelCheck` says whether it holds together.
  public init(
    entities: [Entity] = [], requests: [SavedRequest] = [], userInfo: String? = nil
  ) {
    self.entities = entities
    self.requests = requests
    self.userInfo = userInfo
    places = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity of a name, or nil.
  public subscript(name: String) -> Entity? { places[name].map { entities[$0] } }

  /// The place of an entity in `entities`, or nil.
  public func index(of name: String) -> Int? { places[name] }

  /// Adds an entity, or puts it in the place of the one of its name.
  public mutating func define(_ entity: Entity) {
    if let i = places[entity.name] {
      entities[i] = entity
    } else {
      places[entity.name] = entities.count
      entities.append(entity)
    }
  }
}

/// A fetch with a name and parameters, which belongs to the model.
public struct SavedRequest: Sendable, Hashable {
  /// `Birthdays`
  public var name: String
  /// `() = fetch MemoDate where title CONTAINS "誕生日" sort date`
  public var text: String

  /// Makes a saved request.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
