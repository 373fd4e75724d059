import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport

extension Trial {
  /// Two to four contexts at one store.
  static let merges = Trial(
    "merges", "contexts that save into one store end with the same objects", rounds: 300
  ) { numbers, _ in
    var store = try SharedStore(&numbers)
    do {
      for _ in 0..<(4 + numbers.below(40)) { try store.step(&numbers) }
      try store.settle()
    } catch {
      throw Finding("\(error)\n  \(store.log.joined(separator: "\n  "))")
    }
  }
}

/// A store as a value, and contexts that began with it.
private struct SharedStore {
  let world: MergeWorld
  /// Whether a deletion may leave links, with which a save is refused.
  let leavesLinks: Bool
  var saved: Graph
  var contexts: [GraphContext]
  var isCurrent: [Bool]
  var log: [String] = []
  private let rules = EvaluationContext(nilArithmeticIsNil: true)

  init(_ numbers: inout SeededNumbers) throws {
    leavesLinks = numbers.oneIn(3)
    world = try MergeWorld(&numbers, leavesLinks: leavesLinks)
    var context = GraphContext(Graph(model: world.model))
    for _ in 0..<numbers.below(20) { log.append("first: " + world.edit(&context, &numbers)) }
    if !context.validationFailures(in: rules).isEmpty {
      context = GraphContext(Graph(model: world.model))
    }
    context.didSave()
    // As read from a file: without the earlier history.
    saved = try context.graph.readAnew()
    contexts = Array(repeating: GraphContext(saved), count: 2 + numbers.below(3))
    isCurrent = contexts.map { _ in true }
  }

  mutating func step(_ numbers: inout SeededNumbers) throws {
    let i = numbers.below(contexts.count)
    switch numbers.below(12) {
    case 0, 1: try save(i, numbers.pick([.error, .store, .memory]))
    case 2: try refresh(i, numbers.pick([.error, .store, .memory]))
    case 3: try turn(i, "undo") { try $0.undo()?.name }
    case 4 where numbers.flip(): try turn(i, "redo") { try $0.redo()?.name }
    case 5 where numbers.oneIn(6):
      contexts[i].rollback()
      log.append("\(i): rollback")
    default: log.append("\(i): " + world.edit(&contexts[i], &numbers))
    }
    try check(contexts[i].graph, "\(i)")
  }

  private mutating func turn(
    _ i: Int, _ name: String, _ body: (inout GraphContext) throws -> String?
  ) throws {
    let before = contexts[i].graph
    do { log.append("\(i): \(name) \(try body(&contexts[i]) ?? "nothing")") } catch {
      log.append("\(i): \(name) is rejected: \(error)")
      try contexts[i].graph.equals(before, "\(i) before and after a rejected step")
    }
  }

  /// Saves like a session; returns false if rules refuse that.
  @discardableResult
  private mutating func save(_ i: Int, _ policy: MergePolicy) throws -> Bool {
    guard contexts[i].validationFailures(in: rules).isEmpty else {
      log.append("\(i): save is rejected because of the rules")
      return false
    }
    guard contexts[i].hasChanges else { return true }
    if !isCurrent[i] {
      guard let merged = try merged(i, policy) else { return false }
      guard merged.graph.validationFailures(after: merged.change, in: rules).isEmpty else {
        log.append("\(i): save breaks the rules together")
        return false
      }
      contexts[i].merge(merged, onto: saved)
    }
    let change = contexts[i].netChange
    try saved.admit(change, checkingOld: true)
    log.append("\(i): saved")
    try saved.equals(contexts[i].graph, "the store and \(i), which saved")
    saved = try contexts[i].graph.readAnew()
    contexts[i].didSave()
    isCurrent = isCurrent.indices.map { $0 == i }
    return true
  }

  private mutating func refresh(_ i: Int, _ policy: MergePolicy) throws {
    guard !isCurrent[i], let merged = try merged(i, policy) else { return }
    contexts[i].merge(merged, onto: saved)
    log.append("\(i): refreshed")
    isCurrent[i] = true
  }

  /// Returns the merged changes of a context; nil if the policy leaves conflicts.
  private mutating func merged(_ i: Int, _ policy: MergePolicy) throws -> MergedChange? {
    let context = contexts[i]
    var before = try context.savedGraph.readAnew()
    for i in before.tables.indices {
      before.tables[i].nextNumber = context.savedNumbers[before.tables[i].layout.root] ?? 1
    }
    let own = try context.merging(onto: before, policy: .error, in: rules)
    if context.validationFailures(in: rules).isEmpty {
      try hold(
        own.conflicts.isEmpty, "a change without a counterpart is in conflict: \(own.conflicts)")
      try own.graph.equals(context.graph, "\(i) and its repeated change")
    }
    let merged = try context.merging(onto: saved, policy: policy, in: rules)
    log.append(
      "\(i): \(policy): \(merged.conflicts.count) conflicts, \(merged.settled.count) settled")
    guard merged.conflicts.isEmpty else {
      try hold(policy == .error, "\(policy) leaves conflicts: \(merged.conflicts)")
      return nil
    }
    try check(merged.graph, "\(i), merged")
    var replayed = saved
    try replayed.admit(merged.change, checkingOld: true)
    try replayed.equals(merged.graph, "the store with the change, and the merged graph of \(i)")
    try checkPolicy(policy, merged, context)
    return merged
  }

  /// Checks that with the policy `store` every key that others have changed has their value.
  private func checkPolicy(
    _ policy: MergePolicy, _ merged: MergedChange, _ context: GraphContext
  ) throws {
    guard policy == .error, merged.settled.isEmpty else { return }
    // Without a conflict, local changes have their local values.
    for batch in merged.renumbering(context.netChange, in: world.model).updated {
      for column in batch.columns where column.key == "n" || column.key == "m" {
        for (i, number) in batch.numbers.enumerated() {
          let id = ObjectID(
            entity: batch.entity, root: world.model.root(of: batch.entity), number: number)
          try hold(
            merged.graph.find(id) == nil || merged.graph.value(column.key, of: id) == column.new[i],
            "\(id).\(column.key) was lost in a merge without conflicts")
        }
      }
    }
  }

  /// Lets all save with the policy of the message, or roll back; then all read.
  mutating func settle() throws {
    for i in contexts.indices {
      if try !save(i, .error), try !save(i, i % 2 == 0 ? .store : .memory) {
        contexts[i].rollback()
      }
    }
    for i in contexts.indices {
      try refresh(i, .error)
      try hold(isCurrent[i], "\(i) cannot read what others have saved")
      try hold(!contexts[i].hasChanges, "\(i) has changes after its save")
      try contexts[i].graph.equals(saved, "\(i) and the store, at the end")
    }
  }

  private func check(_ graph: Graph, _ name: String) throws {
    if !leavesLinks { try graph.checkLinks(name) }
  }
}

extension Graph {
  /// Every object with its values.
  private var contents: [ObjectID: [String: StoredCell]] {
    var contents: [ObjectID: [String: StoredCell]] = [:]
    for entity in model.entities where entity.parent == nil {
      for id in objectIDs(of: entity.name) {
        var values: [String: StoredCell] = [:]
        for key in model.keys(of: id.entity) {
          let value = value(key, of: id)
          if value != .null { values[key] = value }
        }
        contents[id] = values
      }
    }
    return contents
  }

  fileprivate func equals(_ other: Graph, _ what: String) throws {
    let (mine, theirs) = (contents, other.contents)
    guard mine != theirs else { return }
    let ids = Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }
    let lines = ids.map { id in
      "\(id): \(mine[id].map { "\($0)" } ?? "not there") and \(theirs[id].map { "\($0)" } ?? "not there")"
    }
    throw Finding("different: \(what)\n  \(lines.sorted().joined(separator: "\n  "))")
  }

  /// Returns the graph as read from a document: the existing objects, by number.
  fileprivate func readAnew() throws -> Graph {
    try BatchedGraph(self).graph()
  }

  /// Checks that both ends of every relationship agree, and lead to existing objects.
  fileprivate func checkLinks(_ name: String) throws {
    for (id, values) in contents {
      for (key, value) in values {
        guard case .relationship(let relationship)? = model.property(named: key, of: id.entity)
        else { continue }
        let root = model.root(of: relationship.destination)
        try hold(Set(value.numbers).count == value.numbers.count, "\(name): \(id).\(key) twice")
        for number in value.numbers {
          let target = ObjectID(entity: relationship.destination, root: root, number: number)
          guard let place = find(target) else {
            throw Finding("\(name): \(id).\(key) leads to \(target), which does not exist")
          }
          let found = tables[place.table].objectID(place.row)
          try hold(
            model.entity(found.entity, isKindOf: relationship.destination),
            "\(name): \(id).\(key) leads to \(found)")
        }
      }
    }
    try checkInverses(name)
  }

  private func checkInverses(_ name: String) throws {
    for entity in model.entities {
      for relationship in entity.relationships {
        guard let back = model.inverse(of: relationship.name, in: entity.name) else { continue }
        for id in objectIDs(of: entity.name) {
          for other in related(relationship.name, id) {
            try hold(
              related(back.relationship.name, other).contains(id),
              "\(name): \(id).\(relationship.name) has \(other), whose \(back.relationship.name) does not have it"
            )
          }
          let count = related(relationship.name, id).count
          try hold(
            relationship.isToMany || count <= 1, "\(name): \(id).\(relationship.name) has \(count)")
        }
      }
    }
  }

  private func related(_ key: String, _ id: ObjectID) -> [ObjectID] {
    guard let place = find(id) else { return [] }
    let table = tables[place.table]
    guard let slot = table.layout.slots[table.entityCode(place.row)][key],
      let destination = destination(slot)
    else { return [] }
    return rows(slot, place.table, place.row).map { tables[destination].objectID($0) }
  }
}

/// A graph that is built from the objects of another.
private struct BatchedGraph {
  private let source: Graph
  init(_ source: Graph) { self.source = source }

  func graph() throws -> Graph {
    var batches: [ObjectBatch] = []
    for entity in source.model.entities {
      for id in source.objectIDs(of: entity.name) where id.entity == entity.name {
        let columns = source.model.keys(of: id.entity).compactMap { key -> ChangeColumn? in
          let value = source.value(key, of: id)
          return value == .null ? nil : ChangeColumn(key: key, new: [value])
        }
        batches.append(ObjectBatch(entity: entity.name, numbers: [id.number], columns: columns))
      }
    }
    batches.sort { $0.numbers[0] < $1.numbers[0] }
    var graph = Graph(model: source.model)
    try graph.admit(ChangeSet(inserted: batches))
    for i in graph.tables.indices { graph.tables[i].nextNumber = source.tables[i].nextNumber }
    return graph
  }
}
