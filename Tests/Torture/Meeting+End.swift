import TestSupport

extension Meeting {
  /// Lets all members save, following the advice of the messages; then all must have the same
  /// store.
  func end(_ numbers: inout SeededNumbers) throws {
    for place in members.indices { try settle(place, &numbers) }
    stored = try look()
    for partner in members {
      story.append("\(partner.name): .refresh")
      let answer = try partner.ask(".refresh")
      try hold(!answer.hasFailed, "\(partner.name) cannot refresh at the end: \(answer.reports)")
      if let difference = try view(partner).difference(to: stored) {
        throw Finding("at the end \(partner.name) and the store differ: \(difference)")
      }
    }
    for partner in members { _ = try partner.leave() }
    let last = try view(try Partner("last", at: Self.store, in: ground, ["--read-only"]))
    if let difference = last.difference(to: stored) {
      throw Finding("the document differs after reopening: \(difference)")
    }
  }

  /// Saves; conflicts are resolved as the message says.
  private func settle(_ place: Int, _ numbers: inout SeededNumbers) throws {
    for _ in 0..<40 {
      let answer = try save(place)
      if answer.isSaved || !answer.hasFailed { return }
      try takeWayOn(place, answer.reports, &numbers)
    }
    throw Finding("\(members[place].name) is still stuck")
  }

  private func takeWayOn(
    _ place: Int, _ reports: String, _ numbers: inout SeededNumbers
  ) throws {
    for policy in ["store", "memory"] where policies[place] == policy {
      try hold(
        !reports.contains(".merge \(policy)"), "a message suggests the present setting: \(reports)")
    }
    let ways = [".merge store", ".merge memory", ".refresh", "undo", "rollback"].filter(
      reports.contains)
    try hold(!ways.isEmpty, "no message suggests how to continue: \(reports)")
    let way = numbers.pick(ways)
    if way.hasPrefix(".merge") { policies[place] = String(way.dropFirst(7)) }
    let answer = try tell(place, way.hasPrefix(".") ? way : way + ";")
    // A change that cannot be undone can still be rolled back.
    if way == "undo", answer.hasFailed || answer.reports.contains("nothing to undo") {
      try tell(place, "rollback;")
    }
    if way == "rollback" {
      try hold(!answer.hasFailed, "rollback fails: \(answer.reports)")
    }
  }
}
