import Testing

@testable import KuraStore

/// The store on a disk that loses power after any operation, in every possible way.
@Suite struct PowerTests {
  static let long = String(repeating: "long ", count: 150)

  static let stories: [[StoryStep]] = [
    [.add("a"), .save, .add("b"), .save, .add(long), .save, .fold, .add("c"), .save, .close],
    [.changeModel, .save, .add("a"), .save, .changeModel, .add("b"), .save, .add("c"), .save],
    [.add("a"), .save, .kill, .add("b"), .save, .other("x"), .add("c"), .save, .other("y"), .fold],
    [.other("x"), .add("a"), .save, .close, .kill, .add("b"), .changeModel, .save, .other("z")],
    [.add(long), .save, .kill, .fold, .add("d"), .save, .changeModel, .save, .kill, .close],
  ]

  private func story(exchanges: Bool) -> Story {
    let notes = Notes(["first", "second"])
    let disk = ModelDisk(["s": notes.document])
    disk.exchanges = exchanges
    return Story(disk, holding: notes)
  }

  @Test("leaves every acknowledged save and nothing else", arguments: stories, [true, false])
  func loss(steps: [StoryStep], exchanges: Bool) {
    let story = story(exchanges: exchanges)
    story.run(steps)
    #expect(story.failures.isEmpty && story.lastFailure == nil, "\(story.failures)")
    #expect(Survivors().firstLoss(in: story.moments) == nil)
  }

  @Test(
    "leaves them if an operation failed before, and memory can still be saved",
    arguments: stories)
  func lossAfterFailure(steps: [StoryStep]) {
    let survivors = Survivors()
    let quiet = story(exchanges: true)
    quiet.run(steps)
    for number in 1...quiet.disk.count {
      let story = story(exchanges: number % 3 > 0)
      story.disk.failing = (number, number % 2 == 0 ? 5 : 28)
      story.run(steps)
      #expect(story.lastFailure == nil, "operation \(number)")
      let loss = survivors.firstLoss(in: story.moments(after: number))
      #expect(loss == nil, "operation \(number) failed")
      if loss != nil { return }
    }
  }

  @Test("leaves a usable store, and power may be lost again")
  func secondLoss() {
    let survivors = Survivors()
    for steps in Self.stories {
      let story = story(exchanges: true)
      story.run(steps)
      _ = survivors.firstLoss(in: story.moments)
    }
    let again = Survivors()
    // One in four, always the same ones: all of them would take fifteen seconds.
    for (i, image) in survivors.images.enumerated() where i % 4 == 0 {
      guard case .holds(let notes) = survivors[image] else { continue }
      let story = Story(ModelDisk(image.mapValues { Array($0.utf8) }), holding: notes)
      story.run([.add("again"), .save, .changeModel, .save])
      let loss = again.firstLoss(in: story.moments)
      #expect(loss == nil)
      if loss != nil { return }
    }
  }

  /// Each of these is a step that the protocol needs.
  static let needed: [DiskOperation] = [
    .sync("s.journal"), .sync("s.new"), .syncFolder,
  ]

  @Test("is noticed by these tests if a step is omitted", arguments: needed)
  func missingStep(operation: DiskOperation) {
    let isNoticed = Self.stories.contains { steps in
      let story = story(exchanges: false)
      story.disk.ignored = { $0 == operation }
      story.run(steps)
      return Survivors().firstLoss(in: story.moments) != nil
    }
    #expect(isNoticed)
  }
}
