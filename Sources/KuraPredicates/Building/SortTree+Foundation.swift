public import Foundation

extension SortTree {
  /// The key, direction and comparison of Foundation's `SortDescriptor`; nil for a computed property,
  /// which no key names.
  ///
  ///     SortTree(SortDescriptor(\Book.title, order: .reverse))?.description   // title desc
  ///     SortTree(SortDescriptor(\Book.author?.name))?.description   // author.name
  ///
  /// Of the comparators of strings `lexical` is the order of the language without a word more, and where
  /// Foundation has them `localized` is `[l]` and `localizedStandard` is `natural`; any other is nil, as
  /// is the descriptor of a key path that has one of its own. Linear in the key.
  public init?<Root>(_ descriptor: SortDescriptor<Root>) {
    guard let name = descriptor.keyPath?.plainName,
      let (options, isNatural) = Self.comparison(descriptor.stringComparator)
    else { return nil }
    self.init(
      Key(name).expression, options: options, isNatural: isNatural,
      isAscending: descriptor.order == .forward)
  }

  /// How strings compare; nil where the language has no word for it.
  private static func comparison(
    _ comparator: String.StandardComparator?
  ) -> (ComparisonOptions, isNatural: Bool)? {
    guard var comparator else { return ([], false) }
    comparator.order = .forward
    if comparator == .lexical { return ([], false) }
    #if canImport(Darwin)
      if comparator == .localized { return (.localeSensitive, false) }
      if comparator == .localizedStandard { return ([], true) }
    #endif
    return nil
  }
}
