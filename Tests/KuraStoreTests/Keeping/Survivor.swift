@testable import KuraStore

/// What opening a disk after a loss of power gives.
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

/// What the disks hold that were opened already.
final class Survivors {
  private var known: [DiskImage: Survivor] = [:]

  /// In an order that is the same in every run.
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

  /// The first state after a loss of power that does not hold what it must.
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
