import KuraGraph

extension GraphWalk {
  /// Returns some edits, after applying them to the plain graph.
  mutating func edits(_ graph: inout PlainGraph) -> [GraphEdit] {
    var edits: [GraphEdit] = []
    for _ in 0..<(dice.chance(0.4) ? 1 : 2 + dice.below(30)) {
      let edit = edit(graph)
      note("\(edit)")
      graph.apply(edit)
      edits.append(edit)
    }
    // An object that was inserted and deleted in one step leaves no link.
    for case .insert(let id, _, _, _, _) in edits where graph.objects[id] == nil {
      graph.forget(id)
    }
    return edits
  }

  private mutating func edit(_ graph: PlainGraph) -> GraphEdit {
    let ids = graph.order
    let growth = ids.count < 8 ? 6 : ids.count > 30 ? 0 : 2
    if ids.isEmpty { return insert(graph) }
    let id = dice.pick(ids)
    switch dice.below(10 + growth) {
    case 0, 1:
      let key = dice.pick(["n", "s"])
      return .set(id, key, value(key))
    case 2: return .delete(dice.chance(0.8) ? [id] : Array(Set([id, dice.pick(ids)])))
    case 3 where ids.count > 20: return .delete([id])
    case 3..<10: return relate(id, graph) ?? .set(id, "n", value("n"))
    default: return insert(graph)
    }
  }

  private mutating func value(_ key: String) -> String? {
    if key == "s" { return "t\(dice.below(12))" }
    return dice.chance(0.2) ? nil : "\(dice.below(9))"
  }

  private mutating func relate(_ id: PlainID, _ graph: PlainGraph) -> GraphEdit? {
    let ends = world.ends(of: graph.objects[id]?.entity ?? "")
    guard !ends.isEmpty else { return nil }
    let end = dice.pick(ends)
    let operation =
      end.isToMany ? dice.pick([.set, .add, .add, .remove]) : NewValue.Operation.set
    return .relate(id, end.name, operation, targets(end, graph))
  }

  private mutating func targets(_ end: RelationshipEnd, _ graph: PlainGraph) -> [PlainID] {
    guard !graph.order.isEmpty, dice.chance(0.9) else { return [] }
    var targets: [PlainID] = []
    let wanted = end.isToMany ? 1 + dice.below(4) : 1
    for _ in 0..<wanted * 3 where targets.count < wanted {
      let target = dice.pick(graph.order)
      if graph.isKind(target, of: end.destination), !targets.contains(target) {
        targets.append(target)
      }
    }
    return targets
  }

  private mutating func insert(_ graph: PlainGraph) -> GraphEdit {
    let entity = dice.pick(world.concrete)
    let root = world.root(of: entity)
    let next = layer.plain.next[root] ?? 1
    let isNumbered = dice.chance(0.25)
    var number = next
    if isNumbered {
      number = Int64(dice.below(Int(next) + 3)) + 1
      while graph.objects[PlainID(root: root, number: number)] != nil { number += 1 }
    }
    layer.plain.next[root] = max(next, number + 1)
    var values: [String: String] = [:]
    for key in ["n", "s"] where dice.chance(0.6) { values[key] = value(key) }
    var links: [(String, [PlainID])] = []
    for end in world.ends(of: entity) where dice.chance(0.3) {
      links.append((end.name, targets(end, graph)))
    }
    return .insert(
      PlainID(root: root, number: number), entity: entity, isNumbered: isNumbered,
      values: values, links: links)
  }
}
