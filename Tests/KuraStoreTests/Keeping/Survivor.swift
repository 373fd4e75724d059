@testable import KuraStore

/// The result of opening a disk after a loss of power.
enum Survivor: Equatable {
  case holds(Notes)
  case readOnly(ReadOnlyReason)
  case failed(String)

  init(_ image: DiskImage) {
    do {
      let program = try NotesProgram(ModelDisk(image.mapValues { Array($0.utf8) }))
      self = program.keeper.readOnly.map { .readOnly($0) } ?? .holds(program.saved)
    } catch {
      self = .failed("\(error)")
    }
  }
}

/// The contents of disks that have been opened already.
final class Survivors {
  private var known: [DiskImage: Survivor] = [:]

  /// The images, in the same order in every run.
  var images: [DiskImage] {
    known.keys.sorted {
      $0.sorted { $0.key < $1.key }.description < $1.sorted { $0.key < $1.key }.description
    }
  }

  subscript(image: DiskImage) -> Survivor {
    if let known = known[image] { return known }
    let survivor = Survivor(image)
    known[image] = survivor
    return survivor
  }

  /// Returns the first state after a loss of power that lacks required contents.
  func firstLoss(in moments: some Sequence<StoryMoment>) -> String? {
    for moment in moments {
      for image in moment.state.statesAfterLossOfPower {
        let survivor = self[image]
        if case .holds(let notes) = survivor, moment.allowed.contains(notes) { continue }
        return """
          after operation \(moment.operation): \(survivor), not one of \(moment.allowed): \(image)
          """
      }
    }
    return nil
  }
}
