/// What a store can hold: its entities, their attributes and relationships.
public struct Model: Sendable {
  /// In the order of their definition.
  public private(set) var entities: [Entity] {
    didSet { lookup = LazyLookup() }
  }
  /// Saved requests, in the order of their definition: `("Birthdays", "() = fetch MemoDate")`.
  public var requests: [SavedRequest]
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?
  /// What is known of each entity with its ancestors; made at the first question.
  private(set) var lookup = LazyLookup()

  /// Makes a model; `ModelCheck` says whether it holds together.
  public init(
    entities: [Entity] = [], requests: [SavedRequest] = [], userInfo: String? = nil
  ) {
    self.entities = entities
    self.requests = requests
    self.userInfo = userInfo
  }
}

extension Model {
  /// The entity of a name, or nil. Constant time but for the first question, as ``root(of:)``.
  public subscript(name: String) -> Entity? { index(of: name).map { entities[$0] } }

  /// The place of an entity in `entities`, or nil. Constant time but for the first question, as
  /// ``root(of:)``.
  public func index(of name: String) -> Int? { known(name)?.facts.index }
}

extension Model {
  /// Adds an entity, or puts it in the place of the one of its name.
  ///
  /// Linear in the number of entities: what is known of them is not made for this alone.
  public mutating func define(_ entity: Entity) {
    if let i = entities.firstIndex(where: { $0.name == entity.name }) {
      entities[i] = entity
    } else {
      entities.append(entity)
    }
  }

  /// Takes an entity out; what names it is left as it is, and `ModelCheck` finds it. Linear in the
  /// number of entities.
  public mutating func remove(_ name: String) {
    entities.removeAll { $0.name == name }
  }
}

extension Model: Hashable {
  /// Equal if entities, requests and user info are, in their order. Linear in the models.
  public static func == (a: Model, b: Model) -> Bool {
    a.entities == b.entities && a.requests == b.requests && a.userInfo == b.userInfo
  }

  /// Hashes entities and requests. Linear in the model.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entities)
    hasher.combine(requests)
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
