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
  }

  fileprivate init(_ graph: Graph, _ hops: [Hop], from here: Table) {
    found = LazyValue {
      Workers.map(count: here.chunkCount, inParallel: here.chunkCount > 1) { number in
        let rows = here.liveRows(inChunk: number)
        return hops.lists(ChunkRows(table: here, number: number, candidates: rows), graph)
      }
    }
  }

  var lists: [Lists] { found.value }

  fileprivate enum Hop {
    case toOne(Column)
    case lists(Column)
    case inverse(source: Int, column: Int, isToMany: Bool)
  }
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
  func linkPath(_ path: KeyPathTree, _ scope: FilterScope) -> (LinkPath, FilterScope)? {
    guard path.base == nil, 1...Self.longestPath ~= path.components.count, !graph.mayDangle
    else { return nil }
    var there = scope
    var hops: [LinkPath.Hop] = []
    for key in path.components {
      let table = graph.tables[there.place.table]
      guard key.kind == .key, let slot = table.layout.slots[there.place.code][key.name],
        let hop = LinkPath.Hop(slot, table), let next = destination(key.name, there),
        // A sum of doubles depends on the order of the objects.
        !hop.isToMany || graph.tables[next.place.table].identifiers.isAscending
      else { return nil }
      hops.append(hop)
      there = next
    }
    guard hops[0].isToMany else { return nil }
    return (LinkPath(graph, hops, from: graph.tables[scope.place.table]), there)
  }
}

extension LinkPath.Hop {
  fileprivate init?(_ slot: KeySlot, _ table: Table) {
    switch slot {
    case .toOne(let column, _): self = .toOne(table.columns[column])
    case .toMany(let column, _, _): self = .lists(table.columns[column])
    case .inverse(let source, let column, let isToMany):
      self = .inverse(source: source, column: column, isToMany: isToMany)
    case .attribute, .unresolved: return nil
    }
  }

  fileprivate var isToMany: Bool {
    switch self {
    case .toOne: false
    case .lists: true
    case .inverse(_, _, let isToMany): isToMany
    }
  }
}

extension [LinkPath.Hop] {
  /// Follows the links of the candidates.
  fileprivate func lists(_ rows: ChunkRows, _ graph: Graph) -> LinkPath.Lists {
    let followers = map { Follower(graph, $0) }
    var result = LinkPath.Lists(withNil: Bitmap(count: rows.count))
    var (here, next): ([UInt32], [UInt32]) = ([], [])
    let first = rows.number << ColumnChunk.shift
    for row in 0..<rows.count {
      here.removeAll(keepingCapacity: true)
      if rows.candidates.has(row) { here.append(UInt32(truncatingIfNeeded: first + row)) }
      for follower in followers where !here.isEmpty {
        next.removeAll(keepingCapacity: true)
        for object in here {
          if !follower.add(Int(object), to: &next) { result.withNil.insert(row) }
        }
        swap(&here, &next)
      }
      result.lists.append(here)
    }
    return result
  }
}

/// A hop with the data that it reads for each object.
private enum Follower {
  case toOne([ColumnChunk])
  case lists([ColumnChunk])
  case inverse(InverseIndex, isToMany: Bool)

  init(_ graph: Graph, _ hop: LinkPath.Hop) {
    switch hop {
    case .toOne(let column): self = .toOne(column.chunks)
    case .lists(let column): self = .lists(column.chunks)
    case .inverse(let source, let column, let isToMany):
      self = .inverse(graph.inverse(source: source, column: column), isToMany: isToMany)
    }
  }

  /// Adds the objects to which an object leads; returns false for nil.
  func add(_ object: Int, to next: inout [UInt32]) -> Bool {
    let (chunk, place) = (object >> ColumnChunk.shift, object & ColumnChunk.mask)
    switch self {
    case .toOne(let chunks):
      guard case .links(let links) = chunks[chunk].values, links[place] != noRow else {
        return false
      }
      next.append(links[place])
    case .lists(let chunks):
      if case .linkLists(let lists) = chunks[chunk].values {
        next += lists.rows[lists.range(place)]
      }
    case .inverse(let index, let isToMany):
      let objects = index[object]
      if objects.isEmpty { return isToMany }
      next += objects
    }
    return true
  }
}
