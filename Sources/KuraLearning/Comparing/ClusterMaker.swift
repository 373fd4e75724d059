import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Generates objects of an entity, and the objects that the keys of two predicates lead to.
struct ClusterMaker {
  let model: Model
  /// The keys that the predicates name; other attributes get the first allowed value.
  let keys: Set<String>
  var pool: LiteralPool
  var seeds: Seeds
  private(set) var store = GeneratedStore()
  /// The ranges of the objects of each cluster.
  private(set) var clusters: [Range<Int>] = []
  private var numbers: [String: Int64] = [:]
  /// The values of unique keys that are in use.
  private var taken: [String: Set<Value>] = [:]

  /// The number of objects above which new objects get only the mandatory links.
  private static let mostObjects = 24

  init(_ model: Model, _ trees: [PredicateTree], _ variables: [String: Value], seed: UInt64) {
    self.model = model
    pool = LiteralPool(trees, variables)
    seeds = Seeds(seed)
    var keys: Set<String> = []
    for tree in trees.flatMap(\.allNodes.expressions) {
      switch tree.kind {
      case .keyPath(let path): for step in path.components { keys.insert(step.name) }
      case .objectOrQuotient(let key, _): keys.insert(key)
      default: break
      }
    }
    self.keys = keys
  }
}

extension ClusterMaker {
  /// Begins a store with `count` objects of an entity, each with a cluster of other objects.
  mutating func make(_ count: Int, of entity: String) {
    store = GeneratedStore()
    (clusters, numbers) = ([], [:])
    for _ in 0..<count {
      taken = [:]
      let first = store.objects.count
      _ = add(entity, depth: 3, first: first, from: nil)
      clusters.append(first..<store.objects.count)
    }
  }

  /// The object that links to a new one, and the key of the inverse.
  private struct Origin {
    let place: Int
    let inverse: String?
  }

  /// Adds an object, and returns its index; nil if no entity can have objects of its own.
  private mutating func add(
    _ entity: String, depth: Int, first: Int, from origin: Origin?
  ) -> Int? {
    let kinds = ([entity] + model.descendants(of: entity)).filter { model[$0]?.isAbstract == false }
    guard let kind = seeds.pick(kinds), depth > -4 else { return nil }
    let root = model.root(of: kind)
    numbers[root, default: 0] += 1
    let place = store.objects.count
    store.objects.append(GeneratedStore.Object(entity: kind, number: numbers[root] ?? 1))
    for attribute in model.allAttributes(of: kind) where attribute.derivation == nil {
      guard var value = value(of: attribute) else { continue }
      if isUnique(attribute.name, in: kind) { makeNew(&value, "\(root) \(attribute.name)") }
      store.objects[place].values.append((attribute.name, value))
    }
    for relationship in model.allRelationships(of: kind)
    where model[relationship.destination] != nil {
      guard keys.contains(relationship.name) || relationship.leastCount > 0 else { continue }
      let isBack = origin.map { $0.inverse == relationship.name } ?? false
      // The inverse of a to-one relationship is set with the relationship itself.
      if isBack, !relationship.isToMany || depth <= 0 { continue }
      let link = link(
        relationship, of: place, depth: depth, first: first,
        and: isBack ? origin.map { [$0.place] } ?? [] : [])
      store.objects[place].links.append(link)
    }
    return place
  }

  /// Returns a link to new objects, and to some existing ones.
  private mutating func link(
    _ relationship: Relationship, of origin: Int, depth: Int, first: Int, and known: [Int]
  ) -> GeneratedStore.Link {
    let count = count(of: relationship, depth: depth, first: first) - known.count
    var places = known
    for _ in 0..<max(0, count) {
      let place = add(
        relationship.destination, depth: depth - 1, first: first,
        from: Origin(place: origin, inverse: relationship.inverse))
      if let place { places.append(place) }
    }
    return GeneratedStore.Link(
      key: relationship.name, isToMany: relationship.isToMany, places: places)
  }

  private mutating func count(of relationship: Relationship, depth: Int, first: Int) -> Int {
    let least = relationship.leastCount
    let isFull = depth <= 0 || store.objects.count - first >= Self.mostObjects
    if isFull { return least }
    guard relationship.isToMany else { return max(least, seeds.oneIn(4) ? 0 : 1) }
    let wanted = seeds.oneIn(2) ? seeds.pick(pool.counts(near: relationship.name)) : nil
    return min(max(least, wanted ?? seeds.below(4)), relationship.greatestCount ?? 8)
  }

  /// Returns a possible value of the attribute; nil for its default, if no predicate uses it.
  private mutating func value(of attribute: Attribute) -> Value? {
    guard keys.contains(attribute.name) else {
      if attribute.isOptional || attribute.defaultValue != nil { return nil }
      let usual = LiteralPool.usual(attribute.type).map(attribute.fitted)
      return usual.first { attribute.allows($0) } ?? .null
    }
    if attribute.isOptional, seeds.oneIn(5) { return .null }
    let (near, exact) = (pool.values(near: attribute), pool.exact(attribute))
    for _ in 0..<8 {
      let known = seeds.oneIn(3) && !exact.isEmpty ? exact : near
      let isNear = !known.isEmpty && !seeds.oneIn(6)
      let value = seeds.pick(isNear ? known : LiteralPool.usual(attribute.type)) ?? .null
      let fitted = attribute.fitted(value)
      if attribute.allows(fitted) { return fitted }
    }
    return attribute.isOptional
      ? .null
      : near.first { attribute.allows($0) }
        ?? LiteralPool.usual(attribute.type).first { attribute.allows($0) } ?? .null
  }
}

// Unique keys
extension ClusterMaker {
  private func isUnique(_ key: String, in entity: String) -> Bool {
    model.allUniquenessConstraints(of: entity).contains { $0.keys == [key] }
  }

  /// Replaces a value that is in use: a text becomes longer, a number greater.
  private mutating func makeNew(_ value: inout Value, _ key: String) {
    while !value.isNull, !taken[key, default: []].insert(value).inserted {
      switch value {
      case .string(let text): value = .string(text + "\(taken[key]?.count ?? 0)")
      case .integer(let number): value = .integer(number &+ 1)
      case .double(let number): value = .double(number + 1)
      case .decimal(let number): value = .decimal(number + 1)
      case .date(let date):
        value = .date(Timestamp(microseconds: date.microseconds &+ 86_400_000_000))
      case .null, .boolean, .uuid, .uri, .binary, .list, .set, .dictionary, .object: return
      }
    }
  }
}

extension Attribute {
  /// Returns a text that is too short, extended to the least length.
  fileprivate func fitted(_ value: Value) -> Value {
    guard case .string(let text) = value, case .integer(let least)? = minimum,
      text.utf16.count < least, least < 100
    else { return value }
    return .string(text + String(repeating: "x", count: Int(least) - text.utf16.count))
  }

  /// Returns whether a value is within the bounds; all other rules are checked for the complete
  /// store.
  fileprivate func allows(_ value: Value) -> Bool {
    var bounded = value
    if case .string(let text) = value { bounded = .integer(Int64(text.utf16.count)) }
    if let minimum, (try? Value.order(bounded, minimum)) == .before { return false }
    if let maximum, (try? Value.order(bounded, maximum)) == .after { return false }
    return true
  }
}
