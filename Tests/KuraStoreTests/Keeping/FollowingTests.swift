import TestSupport
import Testing

@testable import KuraStore

/// A program that merges the saves of others, and counts how often it read the complete document.
private final class Follower {
  let keeper: JournaledDocument<Notes>
  var saved: Notes
  private(set) var readings = 0
  private let counter: Counter

  private final class Counter { var count = 0 }

  init(_ disk: ModelDisk) throws {
    let counter = Counter()
    var form = Notes.form
    let read = form.read
    form.read = { place, file in
      counter.count += 1
      return try read(place, file)
    }
    (keeper, saved, _) = try JournaledDocument.open(disk.place, form, KeepingOptions())
    self.counter = counter
  }

  /// Returns whether there were new saves.
  func refresh() throws -> Bool {
    defer { readings = counter.count }
    return try keeper.refresh(from: saved) { [self] notes, _ in saved = notes }
  }
}

/// Records of other programs are read from the end of the journal.
@Suite struct FollowingTests {
  private func disk() -> ModelDisk { ModelDisk(["s": Notes(["first"]).document]) }

  @Test func newRecordsAreReadAndTheDocumentIsNot() throws {
    let disk = disk()
    let follower = try Follower(disk)
    var other = try NotesProgram(disk)
    for text in ["a", "b", "c"] {
      try other.save(text)
      #expect(try follower.refresh())
      #expect(try !follower.refresh())
    }
    try other.save("d")
    try other.save("e")
    #expect(try follower.refresh())
    #expect(follower.saved.texts == ["first", "a", "b", "c", "d", "e"])
    #expect(follower.readings == 1)
  }

  @Test func aFoldIsReadWholeAndWhatComesBehindItIsNot() throws {
    let disk = disk()
    let follower = try Follower(disk)
    var other = try NotesProgram(disk)
    try other.save("a")
    #expect(try other.keeper.fold(other.saved) == .folded)
    #expect(try follower.refresh())
    #expect(follower.readings == 2)
    try other.save("b")
    #expect(try follower.refresh())
    #expect(follower.saved.texts == ["first", "a", "b"] && follower.readings == 2)
  }

  @Test func aRecordThatIsNotWholeIsNotTakenIn() throws {
    let disk = disk()
    let follower = try Follower(disk)
    var other = try NotesProgram(disk)
    try other.save("a")
    #expect(try follower.refresh())
    let before = Array((disk.state.image["s.journal"] ?? "").utf8)
    try other.save("b")
    let whole = Array((disk.state.image["s.journal"] ?? "").utf8)
    disk.put("s.journal", Array(whole.dropLast(9)))
    #expect(try follower.refresh())
    #expect(follower.saved.texts == ["first", "a"])
    disk.put("s.journal", whole)
    #expect(try follower.refresh())
    #expect(follower.saved.texts == ["first", "a", "b"])
    disk.put("s.journal", before)
    #expect(throws: KeepingFailure.self) { try follower.refresh() }
    #expect(follower.saved.texts == ["first", "a", "b"])
  }

  @Test("A follower has the same content as a program that starts now", arguments: 0..<40)
  func randomSaves(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let disk = disk()
    let follower = try Follower(disk)
    var others = [try NotesProgram(disk), try NotesProgram(disk)]
    for step in 0..<30 {
      let i = Int.random(in: 0...1, using: &numbers)
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0: others[i].memory.model += 1
      case 1: _ = try others[i].keeper.fold(others[i].saved)
      case 2: others[i] = try NotesProgram(disk)
      default: others[i].memory.texts.append("text \(step)")
      }
      if Bool.random(using: &numbers) { try others[i].save() }
      guard Bool.random(using: &numbers) else { continue }
      _ = try follower.refresh()
      #expect(follower.saved == (try NotesProgram(disk).saved), "step \(step)")
    }
  }
}
