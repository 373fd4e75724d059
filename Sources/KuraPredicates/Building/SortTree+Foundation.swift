public import Foundation

extension SortTree {
  /// The key and direction of Foundation's `SortDescriptor`; nil for a computed property, which no key
  /// names, and for a comparator of one's own.
  ///
  ///     SortTree(SortDescriptor(\Book.title, order: .reverse))?.description   // title desc
  ///
  /// Linear in the key.
  public init?<Root>(_ descriptor: SortDescriptor<Root>) {
    guard let path = descriptor.keyPath else { return nil }
    let name = "\(path)".split(separator: ".", maxSplits: 1).dropFirst().joined()
    guard !name.isEmpty, !name.contains("<") else { return nil }
    self.init(Key(name).expression, isAscending: descriptor.order == .forward)
  }
}
