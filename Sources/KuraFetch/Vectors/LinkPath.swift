import KuraBytes
import KuraGraph
import KuraPredicates

/// A chain of relationships that begins with a to-many relationship: `orders.items`, `items.product.tags`.
final class LinkPath: Sendable {
  /// The objects at the end of the path for each row, per chunk, collected on first use.
  private let found: LazyValue<[Lists]>

  /// The objects of each row of a chunk, in path order, and the rows whose path meets a to-one relationship that is
  /// nil. Such a nil is an element, too.
  struct Lists: Sendable {
    var lists = LinkLists()
    var withNil: Bitmap
    /// The rows whose objects were not collected, because they are too many or the work was cancelled.
    var open: Bitmap
  }

  /// The maximum number of objects in all lists, which use 256 MB.
  static let most = 1 << 26

  init(_ find: @escaping @Sendable () -> [Lists]) { found = LazyValue(find) }

  fileprivate convenience init(
    _ graph: Graph, _ hops: [PathLink], from here: Table, atMost most: Int, _ cancel: CancelFlag
  ) {
    self.init {
      let links = hops.map { HopLinks(graph, $0) }
      return Workers.map(count: here.chunkCount, inParallel: here.chunkCount > 1) { number in
        links.lists(here.liveChunk(number), atMost: most / here.chunkCount, cancel)
      }
    }
  }

  var lists: [Lists] { found.value }
}

extension FilterCompiler {
  /// Returns the objects at the end of a path; nil if links may lead to deleted objects.
  func related(_ path: KeyPathTree, _ scope: FilterScope) -> RelatedObjects? {
    guard let (path, there) = linkPath(path, scope) else { return nil }
    let objects = graph.tables[there.place.table]
    let elements = SummaryNode.Elements(
      link: .path(path), here: graph.tables[scope.place.table], there: objects,
      count: objects.count, cancel: environment.cancel)
    return RelatedObjects(link: .relationship(elements), scope: there)
  }

  /// Returns the links of a path, and the entity at its end.
  func linkPath(
    _ path: KeyPathTree, _ scope: FilterScope, atMost most: Int = LinkPath.most
  ) -> (LinkPath, FilterScope)? {
    guard path.base == nil, 1...Self.longestPath ~= path.components.count, !graph.mayDangle
    else { return nil }
    let links = graph.links(path.components, from: scope)
    guard links.count == path.components.count, links[0].slot.isToMany,
      let there = links.last?.destination,
      links.allSatisfy({ link in
        if case .unresolved = link.slot { return false }
        // A sum of doubles depends on the order of the objects.
        return !link.slot.isToMany
          || graph.tables[link.destination.place.table].identifiers.isAscending
      })
    else { return nil }
    let here = graph.tables[scope.place.table]
    return (LinkPath(graph, links, from: here, atMost: most, environment.cancel), there)
  }
}

/// The links of all objects of a hop, in one array.
private struct HopLinks: Sendable {
  /// The end of each object's list; empty if each object has one link.
  let ends: [UInt32]
  let rows: [UInt32]
  /// Whether an object without a link has nil.
  let isToOne: Bool

  init(_ graph: Graph, _ link: PathLink) {
    var lists = LinkLists()
    let here = graph.tables[link.table]
    switch link.slot {
    case .toOne(let column, _): lists.rows = here.columns[column].allLinks
    case .toMany(let column, _, _):
      for chunk in here.columns[column].chunks {
        guard let part = chunk.linkLists else { continue }
        let first = UInt32(truncatingIfNeeded: lists.rows.count)
        lists.ends += part.ends.map { first + $0 }
        lists.rows += part.rows
      }
    case .inverse(let source, let column, _):
      lists = graph.inverse(source: source, column: column).lists(count: here.count)
    case .attribute, .unresolved: break
    }
    (ends, rows, isToOne) = (lists.ends, lists.rows, !link.slot.isToMany)
  }

  /// Adds the objects to which an object leads; returns false for nil.
  @inline(__always)
  func add(_ object: Int, to next: inout [UInt32]) -> Bool {
    if ends.isEmpty {
      if rows[object] == noRow { return false }
      next.append(rows[object])
      return true
    }
    let range = (object == 0 ? 0 : Int(ends[object - 1]))..<Int(ends[object])
    if range.isEmpty { return !isToOne }
    for place in range { next.append(rows[place]) }
    return true
  }
}

extension Column {
  /// The links of all rows of a to-one relationship.
  var allLinks: [UInt32] {
    chunks.flatMap { $0.links ?? [] }
  }
}

extension [HopLinks] {
  /// Follows the links of the candidates.
  fileprivate func lists(
    _ rows: ChunkRows, atMost most: Int, _ cancel: CancelFlag
  ) -> LinkPath.Lists {
    let none = Bitmap(count: rows.count)
    var result = LinkPath.Lists(withNil: none, open: none)
    var (objects, next): ([UInt32], [UInt32]) = ([], [])
    let first = rows.number << ColumnChunk.shift
    for row in 0..<rows.count {
      objects.removeAll(keepingCapacity: true)
      if rows.candidates.has(row) {
        objects.append(UInt32(truncatingIfNeeded: first + row))
        let room = most - result.lists.rows.count
        if let hasNil = follow(&objects, &next, atMost: room, cancel) {
          if hasNil { result.withNil.insert(row) }
        } else {
          result.open.insert(row)
          objects.removeAll(keepingCapacity: true)
        }
      }
      result.lists.rows += objects
      result.lists.ends.append(UInt32(truncatingIfNeeded: result.lists.rows.count))
    }
    return result
  }

  /// Replaces objects by those to which they lead, and returns whether a link is nil. Returns nil if these are too many,
  /// or if the work was cancelled.
  private func follow(
    _ objects: inout [UInt32], _ next: inout [UInt32], atMost most: Int, _ cancel: CancelFlag
  ) -> Bool? {
    var hasNil = false
    for hop in indices where !objects.isEmpty {
      next.removeAll(keepingCapacity: true)
      let links = self[hop]
      for object in objects {
        if !links.add(Int(object), to: &next) { hasNil = true }
        if next.count > most || cancel.isRequested { return nil }
      }
      swap(&objects, &next)
    }
    return hasNil
  }
}
