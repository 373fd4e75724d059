import KuraBytes

/// What a terminal shows while something takes long.
enum ProgressText {
  static func verb(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: "loading"
    case .fetching: "fetching"
    }
  }

  /// `43 %, 88 of 205 MB`; of a pipe `88 MB`
  static func measure(_ moment: WorkProgress.Moment) -> String {
    let done = amount(moment.done, moment.work)
    guard let total = moment.total, total > 0 else { return "\(done) \(unit(moment.work))" }
    let percent = min(100, Int(Double(moment.done) / Double(total) * 100))
    return "\(percent) %, \(done) of \(amount(total, moment.work)) \(unit(moment.work))"
  }

  private static func amount(_ count: Int, _ work: WorkProgress.Work) -> Int {
    switch work {
    case .loading: count / 1_000_000
    case .fetching: count
    }
  }

  private static func unit(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: "MB"
    case .fetching: "rows"
    }
  }
}

/// What a session asks on a terminal.
enum Question {
  static func save(to path: String) -> String {
    "Save the changes to \(path)? [y]es, [n]o, [c]ancel: "
  }

  static func leaveScratch(_ name: String) -> String {
    "The scratch context \(name) is open: commit or cancel ends it. Leave and lose it? [y/N]: "
  }

  static let leaveWithoutSaving = "There are changes that no file has. Leave without them? [y/N]: "

  /// `Delete all 3 objects of Item? [y/N]: `
  static func all(_ verb: String, _ count: Int, of entity: String) -> String {
    "\(verb) all \(counted(count, "object", "objects")) of \(entity)? [y/N]: "
  }

  static let openWithoutSaving = "There are unsaved changes. Open without them? [y/N]: "
}

/// The line with which a session at a terminal begins.
enum Greeting {
  static func text(_ opened: String) -> String {
    "Kura \(Version.current), \(opened). Type .help for help."
  }

  /// `todo.json: 3 entities, 120 objects`
  static func opened(_ name: String, entities: Int, objects: Int) -> String {
    "\(name): \(counted(entities, "entity", "entities")), \(counted(objects, "object", "objects"))"
  }

}
