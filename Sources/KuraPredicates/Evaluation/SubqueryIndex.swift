import KuraBytes
import KuraDiagnostics
import KuraValues
import Synchronization

/// The hash tables of SUBQUERYs in a statement that compare the elements of a fixed collection with
/// an outer value: `SUBQUERY((fetch Order), $o, $o.email == email)`.
///
/// Such a SUBQUERY is a join by value. The table returns the elements that can match; the evaluator
/// tests only these, with the same result as a loop. The table is created at the second evaluation,
/// in one pass over the elements. Elements that cannot match are not evaluated, so they cannot
/// fail.
package final class SubqueryIndexes: Sendable {
  private let known = Mutex<[Entry]>([])

  package init() {}

  private struct Entry: Sendable {
    let predicate: PredicateTree
    let variable: String
    /// The elements. Retaining them prevents another list from using the same storage.
    let elements: [Value]
    /// The join; nil if no comparison is one.
    let join: EquiJoin?
    var isUsed = false
    var index: SubqueryIndex?

    init(_ elements: [Value], _ variable: String, _ predicate: PredicateTree) {
      (self.elements, self.variable, self.predicate) = (elements, variable, predicate)
      join = EquiJoin(predicate, variable)
    }

    func isAbout(_ elements: [Value], _ variable: String, _ predicate: PredicateTree) -> Bool {
      elements.count == self.elements.count && variable == self.variable
        && elements.hasSameStorage(as: self.elements) && predicate == self.predicate
    }
  }

  /// The minimum number of elements; a loop over fewer is as fast.
  private static let fewest = 16
  /// The maximum number of entries. A statement reaches it only if collections differ per row.
  private static let most = 64

  /// Returns the elements that can match a predicate, in their order; nil if all must be tested.
  func candidates(
    among elements: [Value], _ variable: String, _ predicate: PredicateTree, _ evaluator: Evaluator
  ) throws(Diagnostic) -> [Value]? {
    guard elements.count >= Self.fewest, let entry = entry(elements, variable, predicate),
      let join = entry.join, entry.isUsed
    else { return nil }
    let index: SubqueryIndex
    if let made = entry.index {
      index = made
    } else {
      index = try SubqueryIndex(elements, variable, join, evaluator)
      known.withLock { known in
        for place in known.indices where known[place].isAbout(elements, variable, predicate) {
          known[place].index = index
        }
      }
    }
    let values = join.keys.map { key in try? evaluator.value(of: key.outer) }
    return index.elements(equalTo: values)
  }

  /// Returns the entry of an earlier evaluation of a SUBQUERY; nil for the first evaluation.
  private func entry(
    _ elements: [Value], _ variable: String, _ predicate: PredicateTree
  ) -> Entry? {
    known.withLock { known in
      for place in known.indices where known[place].isAbout(elements, variable, predicate) {
        defer { known[place].isUsed = true }
        return known[place]
      }
      if known.count < Self.most {
        known.append(Entry(elements, variable, predicate))
        known[known.count - 1].isUsed = true
      }
      return nil
    }
  }
}

extension [Value] {
  fileprivate func hasSameStorage(as other: [Value]) -> Bool {
    withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress }
    }
  }
}

/// The equalities between the element of a SUBQUERY and outer values.
private struct EquiJoin {
  /// `$o.email` and `email`
  let keys: [(inner: ExpressionTree, outer: ExpressionTree)]

  /// Finds the join; nil if no part of an AND compares a path of the variable with an expression
  /// that does not contain it.
  init?(_ predicate: PredicateTree, _ variable: String) {
    keys = predicate.conjuncts.compactMap { part in
      guard case .comparison(let comparison) = part.kind, comparison.operation == .equal,
        comparison.options.isEmpty, comparison.modifier == .direct
      else { return nil }
      return [(comparison.left, comparison.right), (comparison.right, comparison.left)].first {
        $0.0.isPath(of: variable) && $0.1.isConstant(while: variable)
      }
    }
    if keys.isEmpty { return nil }
  }
}

extension ExpressionTree {
  /// Whether it is a variable, or a path of keys that starts at one.
  fileprivate func isPath(of variable: String) -> Bool {
    switch kind {
    case .variable(variable): return true
    case .keyPath(let path):
      guard case .variable(variable)? = path.base?.kind else { return false }
      return path.components.allSatisfy { $0.kind == .key }
    default: return false
    }
  }

  /// Whether its value does not depend on a variable, and it is not a literal.
  fileprivate func isConstant(while variable: String) -> Bool {
    if case .constant = kind { return false }
    if variables.contains(variable) { return false }
    return first { tree in
      switch tree.kind {
      case .function(let call): call.depends(on: .chance)
      case .fetch: true
      default: false
      }
    } == nil
  }
}

/// The elements of a collection by the values of the inner keys of a join.
private struct SubqueryIndex: Sendable {
  private let elements: [Value]
  private var places: [[Value]: [Int]] = [:]
  /// The places of elements with a value that has no key, or cannot be evaluated.
  private var others: [Int] = []
  /// The ranks of the kinds of all values except nil, per key. If there are several, a comparison may convert.
  private var ranks: [Set<Int>]

  init(
    _ elements: [Value], _ variable: String, _ join: EquiJoin, _ evaluator: Evaluator
  ) throws(Diagnostic) {
    self.elements = elements
    ranks = Array(repeating: [], count: join.keys.count)
    var evaluator = evaluator
    evaluator.context.elementVariables.insert(variable)
    for (place, element) in elements.enumerated() {
      if place & 255 == 0 { try evaluator.checkCancel(join.keys[0].inner.span) }
      evaluator.context.variables[variable] = element
      let keys = join.keys.compactMap { (try? evaluator.value(of: $0.inner))?.joinKey }
      guard keys.count == join.keys.count else {
        others.append(place)
        continue
      }
      places[keys, default: []].append(place)
      for (number, key) in keys.enumerated() where !key.isNull {
        ranks[number].insert(key.kind.rank)
      }
    }
  }

  /// Returns the elements that can be equal to the outer values; nil if all must be tested. A value
  /// is nil if it cannot be evaluated.
  func elements(equalTo values: [Value?]) -> [Value]? {
    var keys: [Value] = []
    for (value, ranks) in zip(values, ranks) {
      guard let key = value?.joinKey, ranks.count < 2,
        key.isNull || ranks.isEmpty || ranks.first == key.kind.rank
      else { return nil }
      keys.append(key)
    }
    let found = places[keys] ?? []
    if others.isEmpty { return found.map { elements[$0] } }
    return (found + others).sorted().map { elements[$0] }
  }
}

extension Value {
  /// The value as a hash key; nil for NaN and for kinds that have none.
  ///
  /// Values that a comparison can find equal have equal keys. A literal compared with a decimal has all its digits, so
  /// the key of a number is the nearest double.
  fileprivate var joinKey: Value? {
    switch self {
    case .null, .string, .date, .object: return self
    case .boolean, .integer, .double, .decimal:
      guard let number = approximateNumber, !number.isNaN else { return nil }
      // 0 and -0 are equal.
      return .double(number + 0)
    case .uuid, .uri, .binary, .list, .set, .dictionary: return nil
    }
  }
}
