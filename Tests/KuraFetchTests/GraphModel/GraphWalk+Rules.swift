import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

@testable import KuraFetch

extension GraphWalk {
  /// Checks that each violation of uniqueness is found, object by object.
  mutating func checkUnique() {
    guard fault == nil, !plain.graph.isDangling else { return }
    let wanted = plain.graph.uniqueFailures
    let all = uniqueFailures(context.allValidationFailures(in: GraphWalk.evaluation))
    if all != wanted { fail("not unique are \(wanted), and found were \(all)") }
    let changed = uniqueFailures(context.validationFailures(in: GraphWalk.evaluation))
    let ids = plain.graph.objects.filter {
      plain.saved.objects[$0.key]?.values != $0.value.values
    }.keys
    let missed = wanted.filter { failure in ids.contains { failure.hasPrefix("\($0.number) ") } }
      .subtracting(changed)
    // Numbers of different trees may be equal: only changed objects must be found.
    if !changed.isSubset(of: wanted) { fail("found were \(changed), and not unique are \(wanted)") }
    let surelyMissed = missed.filter { failure in
      ids.contains { "\($0.number) \($0.root)" == failure.prefix { $0 != ":" } }
    }
    if !surelyMissed.isEmpty { fail("after the change were missed \(surelyMissed)") }
  }

  private func uniqueFailures(_ failures: [ValidationFailure]) -> Set<String> {
    Set(
      failures.filter { $0.rule == .unique }
        .map { "\($0.object.number) \($0.object.root): \($0.key)" })
  }

  /// Checks that fetches agree with the reference evaluator, with any caches that they create.
  mutating func checkFetches(_ snapshot: GraphSnapshot) throws {
    for _ in 0..<4 {
      let entity = dice.pick(GeneratedModel.names)
      let text = predicate(entity)
      note("fetch \(entity) where \(text)")
      var fetch = FetchTree(of: FetchSource(.entity(entity)))
      fetch.predicate = try World.parse(text)
      let environment = FetchEnvironment(now: Timestamp(microseconds: 0), rules: .utc)
      let request = try fetch.bound(to: snapshot, environment)
      let table = snapshot.graph.tables[request.place.table]
      let codes = snapshot.graph.codes(of: entity)
      let wanted = try (0..<table.count).filter { row in
        let object = snapshot.object(table: request.place.table, row: row)
        return try table.isLive(row) && codes.contains(table.entityCode(row))
          && request.predicate?.evaluate(
            on: .object(ObjectReference(object)), in: request.environment.evaluation) ?? true
      }
      let found = try request.run().rows.map { Int($0) }
      if found.sorted() != wanted { fail("\(entity) \(text): \(found), and not \(wanted)") }
    }
  }

  private mutating func predicate(_ entity: String) -> String {
    let number = dice.below(8)
    let ends = world.ends(of: entity)
    guard !ends.isEmpty, dice.chance(0.7) else {
      return dice.pick([
        "s == \"t\(number)\"", "s == \"t\(number)\"", "n > \(number)", "n == nil",
        "s ENDSWITH \"\(number)\" AND n != 3", "objectID > \(number)", "s IN {\"t1\", \"t2\"}",
      ])
    }
    let end = dice.pick(ends)
    if !end.isToMany {
      return dice.pick([
        "\(end.name).n > \(number)", "\(end.name).s == \"t\(number)\"", "\(end.name) == nil",
        "\(end.name).n == nil",
      ])
    }
    return dice.pick([
      "ANY \(end.name).n > \(number)", "NONE \(end.name).s == \"t\(number)\"",
      "\(end.name).@count == \(number / 2)", "ALL \(end.name).n < \(number)",
      "\(end.name).@sum.n > \(number)",
      "SUBQUERY(\(end.name), $x, $x.n > \(number)).@count > 0",
    ])
  }
}

extension PlainGraph {
  /// `3 A: n, r0a` for each object whose values of those keys another object has too.
  var uniqueFailures: Set<String> {
    var failures: Set<String> = []
    for (entity, keys) in world.unique {
      let owners = Dictionary(grouping: objects(of: entity)) { id in
        keys.map { objects[id]?.values[$0] ?? links(id, $0).first?.description }
      }
      for (values, ids) in owners where ids.count > 1 && !values.contains(nil) {
        let names = keys.joined(separator: ", ")
        for id in ids { failures.insert("\(id.number) \(id.root): \(names)") }
      }
    }
    return failures
  }
}
