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
