import KuraModel
import KuraPredicates
import KuraValues

@testable import KuraGraph

extension GraphWalk {
  /// Checks that everything that can be read, in every way, equals the plain graph.
  mutating func checkAll() {
    compare(context.graph, plain.graph, "the graph")
    compare(layer.told.graph, plain.graph, "the graph that was told of")
    checkDerived()
    var graph = layer.saved
    let net = context.netChange
    if !plain.graph.isDangling, let conflict = graph.conflicts(with: net).first {
      fail("a change conflicts with its own base: \(conflict)")
    }
    admit(net, to: &graph)
    compare(graph, plain.graph, "the saved state with the net change")
    admit(net.inverted, to: &graph)
    compare(graph, plain.saved, "the same without the net change again")
  }

  /// Checks that reverting a change restores the previous state.
  mutating func checkInverse(_ change: ChangeSet, _ before: PlainGraph) {
    var graph = context.graph
    admit(change.inverted, to: &graph)
    compare(graph, before, "the inverse of a change")
    admit(change, to: &graph)
    compare(graph, plain.graph, "the inverse of a change, and the change")
  }

  /// Checks that a context's changes and their inverses pass the gate, except links that `deny` and
  /// `none` leave to objects that were inserted or deleted since the last save.
  private mutating func admit(_ change: ChangeSet, to graph: inout Graph) {
    if plain.graph.isDangling || plain.saved.isDangling { return graph.apply(.objects(change)) }
    do { try graph.admit(change, checkingOld: true) } catch {
      fail("a change of the context is refused: \(error.facts.sentence)")
    }
  }

  mutating func compare(_ graph: Graph, _ plain: PlainGraph, _ what: String) {
    guard fault == nil else { return }
    let count = graph.tables.reduce(0) { $0 + $1.liveCount }
    if count != plain.objects.count {
      fail("\(what): \(count) objects, and not \(plain.objects.count)")
    }
    for (id, object) in plain.objects {
      guard let (table, row) = graph.find(id.objectID) else {
        return fail("\(what): there is no \(id)")
      }
      let found = graph.plainObject(table, row, world)
      var wanted = object
      for end in world.ends(of: object.entity) {
        let seen = plain.seen(id, end.name)
        wanted.links[end.name] = end.isOrdered ? seen : seen.sorted { $0.number < $1.number }
      }
      if found != wanted { return fail("\(what): \(id) is \(found), and not \(wanted)") }
    }
  }

  private mutating func checkDerived() {
    guard fault == nil else { return }
    let snapshot = context.snapshot
    for (id, object) in plain.graph.objects {
      guard let (table, row) = context.graph.find(id.objectID) else { continue }
      let reader = snapshot.object(table: table, row: row)
      for attribute in world.model.allAttributes(of: object.entity) {
        guard let derivation = attribute.derivation else { continue }
        let anew = try? derivation.evaluate(
          on: .object(ObjectReference(reader)), in: GraphWalk.evaluation)
        let kept = try? reader.value(forKey: attribute.name)
        if anew.map({ "\($0)" }) != kept.map({ "\($0)" }) {
          fail("\(id).\(attribute.name) is \(kept as Any), and anew \(anew as Any)")
        }
      }
    }
  }
}

extension Graph {
  /// Returns an object in the form of the plain model, read key by key.
  fileprivate func plainObject(_ table: Int, _ row: Int, _ world: GeneratedModel) -> PlainObject {
    let source = tables[table]
    let entity = source.layout.entities[source.entityCode(row)]
    var object = PlainObject(entity: entity)
    for key in ["n", "s"] {
      guard let column = source.layout.slots[source.entityCode(row)][key]?.column else { continue }
      switch source.columns[column].cell(row) {
      case .integer(let x): object.values[key] = "\(x)"
      case .text(let x): object.values[key] = x
      case .null, .double, .boolean, .object, .objects: break
      }
    }
    for end in world.ends(of: entity) {
      guard let slot = source.layout.slots[source.entityCode(row)][end.name] else { continue }
      object.links[end.name] = rows(slot, table, row).map {
        PlainID(
          root: world.root(of: end.destination),
          number: tables[destination(slot) ?? 0].identifiers[$0])
      }
    }
    return object
  }
}

extension PlainGraph {
  /// Returns whether both are equal, ignoring the order where it has no meaning.
  func isAlike(_ other: PlainGraph) -> Bool {
    objects.count == other.objects.count
      && objects.allSatisfy { id, object in
        guard let there = other.objects[id], there.entity == object.entity,
          there.values == object.values
        else { return false }
        return world.ends(of: object.entity).allSatisfy { end in
          let (a, b) = (links(id, end.name), other.links(id, end.name))
          return end.isOrdered ? a == b : Set(a) == Set(b)
        }
      }
  }
}
