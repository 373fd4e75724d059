import KuraBytes
package import KuraPredicates
package import KuraValues

/// A fetch in an expression: its value, which only data has, is read by the rest of the check.
///
/// As deep as fetches stand in each other, so it looks for a stack before it frees those in it.
package final class NestedFetch: Sendable {
  package let tree: FetchTree
  /// What its value is, as far as the model says.
  package let type: CheckedType
  /// Whether it reads a variable of a subquery around it, and so has a value for each element.
  package let isOfElement: Bool
  /// Those in it. Written once more, at its end, when nobody else can see them; what is freed then
  /// is written too, inside this, and Swift's check of that would go through all levels at each.
  @exclusivity(unchecked) nonisolated(unsafe) private var inner: InnerFetches

  init(_ tree: FetchTree, _ type: CheckedType, isOfElement: Bool, _ inner: InnerFetches) {
    self.tree = tree
    self.type = type
    self.isOfElement = isOfElement
    self.inner = inner
  }

  deinit { DeepStack.run { inner = InnerFetches() } }
}

/// The fetches in a fetch, in the order of the check.
struct InnerFetches: Sendable {
  /// Those that stand in what it is made from.
  var inSource: [NestedFetch] = []
  var inClauses: [NestedFetch] = []
}

extension NestedFetch {
  /// Those that stand in what it is made from, in the order of the check.
  package var inSource: [NestedFetch] { inner.inSource }
  /// Those that stand in its clauses, in the order of the check.
  package var inClauses: [NestedFetch] { inner.inClauses }
}

/// What a nested fetch has given.
package struct KnownFetch: Sendable {
  /// Nil where it is another for each element.
  let value: Value?
  let type: CheckedType

  package init(_ value: Value?, _ type: CheckedType) {
    self.value = value
    self.type = type
  }
}
