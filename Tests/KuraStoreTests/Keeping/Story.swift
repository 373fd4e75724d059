@testable import KuraStore

/// A step of a story.
enum StoryStep: CustomStringConvertible {
  case add(String)
  /// As a change of the model: a save writes the document anew.
  case changeModel
  case save, fold, close
  /// The program ends without a word, and another begins.
  case kill
  /// Another program saves a text.
  case other(String)

  var description: String {
    switch self {
    case .add: "add"
    case .changeModel: "changeModel"
    case .save: "save"
    case .fold: "fold"
    case .close: "close"
    case .kill: "kill"
    case .other: "other"
    }
  }
}

/// A disk after one operation, and what a store on it may hold.
struct StoryMoment {
  var operation: Int
  var version: Int
  var state: DiskState
  var allowed: Set<Notes>
}

/// Runs steps on a disk, and knows after each operation what the store may hold.
final class Story {
  let disk: ModelDisk
  let options: KeepingOptions
  /// What was acknowledged last, and what an unfinished save may have made of it.
  var allowed: Set<Notes>
  var moments: [StoryMoment] = []
  var failures: [any Error] = []
  /// Why what was in memory at the end could not be saved.
  var lastFailure: (any Error)?

  init(_ disk: ModelDisk, holding notes: Notes, _ options: KeepingOptions = KeepingOptions()) {
    self.disk = disk
    self.options = options
    allowed = [notes]
  }

  func run(_ steps: [StoryStep]) {
    disk.observe = { [unowned self] in remember() }
    defer { disk.observe = {} }
    guard var program = start() else { return }
    for step in steps {
      do { try run(step, &program) } catch { failures.append(error) }
    }
    // Whatever went wrong before, what is in memory can be saved still.
    disk.failing = nil
    do { try save(&program) } catch { lastFailure = error }
    remember()
  }

  /// What only looked at the disk left it as it was.
  private func remember() {
    if let last = moments.last, last.version == disk.version, last.allowed == allowed { return }
    moments.append(
      StoryMoment(
        operation: disk.count, version: disk.version, state: disk.state, allowed: allowed))
  }

  /// A program that could not be started is started again.
  private func start() -> NotesProgram? {
    for _ in 0..<2 {
      do { return try NotesProgram(disk, options) } catch { failures.append(error) }
    }
    return nil
  }

  private func run(_ step: StoryStep, _ program: inout NotesProgram) throws {
    switch step {
    case .add(let text): program.memory.texts.append(text)
    case .changeModel: program.memory.model += 1
    case .save: try save(&program)
    case .fold: _ = try program.keeper.fold(program.saved)
    case .close: _ = try program.keeper.close(program.saved)
    case .kill:
      disk.closeAll()
      if let next = start() { program = next }
    case .other(let text):
      var other = try NotesProgram(disk, options)
      other.memory.texts.append(text)
      try save(&other)
    }
  }

  /// While it saves both are possible, and after an error too; then only what was saved is.
  private func save(_ program: inout NotesProgram) throws {
    allowed.insert(program.memory)
    if program.saved != Array(allowed).first || allowed.count > 1 {
      for notes in allowed {
        var merged = notes
        merged.texts += program.memory.texts.dropFirst(program.saved.texts.count)
        merged.model = max(notes.model, program.memory.model)
        if notes != program.memory { allowed.insert(merged) }
      }
    }
    try program.save()
    allowed = [program.saved]
  }
}

extension Story {
  /// The moments that an operation that failed may have changed: most of those after a write, the
  /// last after one that only looked.
  func moments(after number: Int) -> [StoryMoment] {
    let isLook = disk.lookedAt.contains(number)
    return moments.filter { $0.operation >= number && (!isLook && $0.operation < number + 25) }
      + moments.suffix(1)
  }
}
