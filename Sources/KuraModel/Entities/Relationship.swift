/// A way from an object to others.
public struct Relationship: Sendable, Hashable {
  /// `items`
  public var name: String
  /// `Item`
  public var destination: String
  /// `[Item]`
  public var isToMany: Bool
  /// Whether it may be empty; `Category?` and `[Item]` may.
  public var isOptional: Bool
  /// `[Item] ordered`
  public var isOrdered: Bool
  /// `inverse parentCategory`
  public var inverse: String?
  /// `delete cascade`
  public var deleteRule: DeleteRule
  /// `min 1`: the least count of a to-many.
  public var minimumCount: Int?
  /// `max 5`
  public var maximumCount: Int?
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?

  /// Makes a relationship.
  public init(
    name: String, destination: String, isToMany: Bool = false, isOptional: Bool = true,
    isOrdered: Bool = false, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
    minimumCount: Int? = nil, maximumCount: Int? = nil, userInfo: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.isOrdered = isOrdered
    self.inverse = inverse
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.userInfo = userInfo
  }
}

extension Relationship {
  /// The least number of objects at its other end: 1 for what may not be empty.
  ///
  ///     tags: [Tag] min 2      // 2
  ///     parent: Category       // 1
  ///     parent: Category?      // 0
  ///
  /// A to-many that is not optional has at least one, also where no `min` says so.
  public var leastCount: Int { max(minimumCount ?? 0, isOptional ? 0 : 1) }

  /// The greatest number of objects at its other end, or nil for any number.
  public var greatestCount: Int? { isToMany ? maximumCount : 1 }
}

/// What becomes of the destination when the source is deleted.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// Its inverse is emptied.
  case nullify
  /// It is deleted too.
  case cascade
  /// The source may not be deleted while there is one.
  case deny
  /// Nothing happens to it.
  case none
}
