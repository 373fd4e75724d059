import TestSupport

/// Two to four processes at one store, and one that only reads.
///
/// The last store that each has seen is recorded, so that every save can be compared with a plain
/// three-way merge.
final class Meeting {
  static let store = "s.json"
  let ground: TrialFolder
  let world: MeetingWorld
  var members: [Partner] = []
  private var reader: Partner
  /// By member, the last store that it shared; nil if unknown.
  private var bases: [StoreView?] = []
  var policies: [String] = []
  var stored: StoreView
  /// The actions, for the analysis of a fault.
  var story: [String] = []

  init(numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    self.ground = ground
    world = MeetingWorld(&numbers)
    let made = try Program.run(
      ["--create", "--keep-going", Self.store], input: world.beginning(&numbers), in: ground)
    try hold(made.reports.contains("\nsaved: "), "the store was not created: \(made.reports)")
    reader = try Partner("reader", at: Self.store, in: ground, ["--read-only"])
    stored = try StoreView(try reader.ask(world.question).lines)
    for _ in 0..<(2 + numbers.below(3)) { try join() }
  }

  private func join() throws {
    members.append(try member(members.count))
    bases.append(stored)
    policies.append("error")
  }

  private func member(_ place: Int) throws -> Partner {
    try Partner("p\(place)", at: Self.store, in: ground)
  }

  func run(_ numbers: inout SeededNumbers) throws {
    do {
      for _ in 0..<(10 + numbers.below(25)) { try step(&numbers) }
      try end(&numbers)
    } catch {
      throw Finding("\(error)\n  the statements were:\n    \(story.joined(separator: "\n    "))")
    }
  }

  private func step(_ numbers: inout SeededNumbers) throws {
    let place = numbers.below(members.count)
    switch numbers.below(40) {
    case 0: try crowd(&numbers)
    case 1: try crash(place, &numbers)
    case 2...3: try choosePolicy(place, &numbers)
    case 4...7: try refresh(place)
    case 8...15: try save(place)
    default: try tell(place, world.statement(&numbers))
    }
  }
}

extension Meeting {
  @discardableResult
  func tell(_ place: Int, _ text: String) throws -> Partner.Answer {
    story.append("\(members[place].name): \(text)")
    let answer = try members[place].ask(text)
    let said = answer.reports.split(separator: "\n").map { "      \($0)" }
    story.append(contentsOf: said)
    return answer
  }

  func view(_ partner: Partner) throws -> StoreView {
    let answer = try partner.ask(world.question)
    try hold(!answer.hasFailed, "\(partner.name) cannot show it: \(answer.reports)")
    do { return try StoreView(answer.lines) } catch { throw Finding("\(partner.name): \(error)") }
  }

  /// Returns the store as the reader sees it.
  func look() throws -> StoreView {
    let answer = try reader.ask(".refresh")
    try hold(!answer.hasFailed, "the reader cannot refresh: \(answer.reports)")
    return try view(reader)
  }

  private func choosePolicy(_ place: Int, _ numbers: inout SeededNumbers) throws {
    policies[place] = numbers.pick(["error", "store", "memory"])
    try tell(place, ".merge \(policies[place])")
  }

  /// Refreshes a member, which must not lose its own changes.
  private func refresh(_ place: Int) throws {
    let mine = try view(members[place])
    let answer = try tell(place, ".refresh")
    let result = try view(members[place])
    if answer.hasFailed {
      if let difference = result.difference(to: mine) {
        throw Finding("a failed .refresh changed \(difference)")
      }
      return
    }
    try holdMerged(place, mine, result, answer.reports)
    bases[place] = stored
  }

  @discardableResult
  func save(_ place: Int) throws -> Partner.Answer {
    let mine = try view(members[place])
    let answer = try tell(place, "save;")
    let now = try look()
    let result = try view(members[place])
    guard answer.isSaved else {
      if let difference = now.difference(to: stored) {
        throw Finding("a rejected save changed the store: \(difference)")
      }
      if let difference = result.difference(to: mine) {
        throw Finding("a rejected save changed \(difference)")
      }
      return answer
    }
    if let difference = result.difference(to: now) {
      throw Finding("\(members[place].name) saved, but shows different data: \(difference)")
    }
    try holdMerged(place, mine, result, answer.reports)
    (stored, bases[place]) = (now, now)
    return answer
  }

  private func holdMerged(
    _ place: Int, _ mine: StoreView, _ result: StoreView, _ reports: String
  ) throws {
    guard let base = bases[place] else { return }
    let merge = SerialMerge(
      base: base, mine: mine, store: stored, derived: world.derived, sets: world.sets,
      attributes: world.attributes)
    if let fault = merge.fault(in: result, reports: reports) {
      throw Finding("\(members[place].name) merged wrongly: \(fault)")
    }
  }

  /// Lets all members act at once.
  private func crowd(_ numbers: inout SeededNumbers) throws {
    for place in members.indices {
      let text = (0..<3).map { _ in world.statement(&numbers) }.joined(separator: "\n")
      story.append("\(members[place].name), with all others: \(text)\nsave;")
      try members[place].send(text + "\nsave;")
    }
    for place in members.indices {
      story.append("      \(members[place].name): \(try members[place].answer().reports)")
      bases[place] = nil
    }
    stored = try look()
  }

  /// Kills a process in the middle of its work, and replaces it.
  private func crash(_ place: Int, _ numbers: inout SeededNumbers) throws {
    let saves = numbers.flip()
    let text = world.statement(&numbers) + (saves ? "\nsave;" : "")
    story.append("\(members[place].name) is killed during: \(text)")
    try members[place].send(text)
    pause(microseconds: numbers.below(6000))
    members[place].kill()
    let now = try look()
    if !saves, let difference = now.difference(to: stored) {
      throw Finding("a process that was killed before saving changed \(difference)")
    }
    stored = now
    (members[place], bases[place]) = (try member(place), now)
    policies[place] = "error"
  }
}
