@testable import KuraStore

/// A step of a story.
enum StoryStep: CustomStringConvertible {
  case add(String)
  /// A change of the model: a save rewrites the document.
  case changeModel
  case save, fold, close
  /// The program is killed, and another one starts.
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

/// A disk after one operation, and the allowed contents of its store.
struct StoryMoment {
  var operation: Int
  var version: Int
  var state: DiskState
  var allowed: Set<Notes>
}

/// Runs steps on a disk, and records the allowed contents of the store after each operation.
final class Story {
  let disk: ModelDisk
  let options: KeepingOptions
  /// The content that was acknowledged last, and the result of an unfinished save.
  var allowed: Set<Notes>
  var moments: [StoryMoment] = []
  var failures: [any Error] = []
  /// The reason why the content of memory could not be saved at the end.
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
    // The content of memory can still be saved after any failure.
    disk.failing = nil
    do { try save(&program) } catch { lastFailure = error }
    remember()
  }

  /// Records a moment; operations that only read left the disk unchanged.
  private func remember() {
    if let last = moments.last, last.version == disk.version, last.allowed == allowed { return }
    moments.append(
      StoryMoment(
        operation: disk.count, version: disk.version, state: disk.state, allowed: allowed))
  }

  /// Starts a program, and tries again if it could not be started.
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

  /// Saves. Meanwhile, and after an error, both contents are allowed; after success only the saved one.
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
  /// Returns the moments that a failed operation may have changed: several after a write, the last
  /// one after an operation that only read.
  func moments(after number: Int) -> [StoryMoment] {
    let isLook = disk.lookedAt.contains(number)
    return moments.filter { $0.operation >= number && (!isLook && $0.operation < number + 25) }
      + moments.suffix(1)
  }
}
