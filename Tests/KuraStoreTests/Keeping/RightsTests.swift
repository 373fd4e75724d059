import Foundation
import Testing

@testable import KuraStore

/// Rights as a list, moved to a file of another owner.
@Suite struct RightsTests {
  private func entry(
    _ tag: AccessRights.Tag, _ rights: UInt16, _ number: UInt32 = .max
  ) -> AccessRights.Entry { .init(tag: tag, rights: rights, number: number) }

  @Test func areReadAsTheyWereWritten() throws {
    let rights = AccessRights(mode: 0o640).moved(from: 1000, 100)
    #expect(AccessRights(bytes: rights.bytes) == rights)
    for bytes in [[], [1, 0, 0, 0], [2, 0, 0, 0, 1], [2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]]
      as [[UInt8]]
    {
      #expect(AccessRights(bytes: bytes) == nil)
    }
    #expect(AccessRights(mode: 0o754).mode == 0o754)
  }

  @Test func nameWhoHadThemAsOwnerOrGroup() {
    #expect(AccessRights(mode: 0o640).moved(from: nil, nil) == AccessRights(mode: 0o640))
    #expect(
      AccessRights(mode: 0o660).moved(from: 1000, nil).entries == [
        entry(.owner, 6), entry(.user, 6, 1000), entry(.owningGroup, 6), entry(.mask, 6),
        entry(.other, 0),
      ])
    #expect(
      AccessRights(mode: 0o640).moved(from: nil, 100).entries == [
        entry(.owner, 6), entry(.owningGroup, 0), entry(.group, 4, 100), entry(.mask, 4),
        entry(.other, 0),
      ])
  }

  @Test func areNotWidenedByAMaskThatGoes() throws {
    let rights = AccessRights(entries: [
      entry(.owner, 6), entry(.owningGroup, 4), entry(.group, 6, 100), entry(.mask, 4),
      entry(.other, 0),
    ])
    #expect(rights.moved(from: 7, nil).entries.first { $0.tag == .group }?.rights == 4)
    #expect(rights.moved(from: nil, nil) == rights)
  }

  /// Readers with a mode alone: owner, former group, present group, others.
  @Test func withAModeAloneGiveNobodyMore() {
    for mode: UInt32 in 0...0o777 {
      let old = AccessRights(mode: mode)
      let new = old.movedPlainly(from: nil, 100)
      #expect(new[.owner] == old[.owner])
      // Members of the former group are now others; members of the new group were others.
      #expect(new[.other] & ~old[.owningGroup] == 0 && new[.other] & ~old[.other] == 0)
      #expect(new[.owningGroup] & ~old[.other] == 0)
    }
  }
}

/// A store with another owner, on a disk on which files cannot be given away.
@Suite struct OwnerTests {
  private func disk(keepsOwner: Bool, keepsAccess: Bool) -> ModelDisk {
    let disk = ModelDisk(["s": Notes(["first"]).document])
    disk.rights.keepsOwner = keepsOwner
    disk.rights.keepsAccess = keepsAccess
    return disk
  }

  @Test func isSavedToAndKeepsItsOwner() throws {
    let disk = disk(keepsOwner: false, keepsAccess: true)
    let document = disk.state.image["s"]
    var options = KeepingOptions()
    options.journalLimit = 10
    var program = try NotesProgram(disk, options)
    for text in ["a", "b"] {
      program.memory.texts.append(text)
      let result = try program.keeper.save(
        SaveRequest(program.memory, record: program.memory.record(since: program.saved))
      ) { _ in throw NoNotes() }
      program.saved = result.contents
      // It is tried and reported once.
      #expect((result.foldFailure != nil) == (text == "a"))
    }
    guard case .leftToOwner = try program.keeper.close(program.saved) else {
      Issue.record("folded")
      return
    }
    #expect(throws: KeepingFailure.self) { try program.keeper.fold(program.saved) }
    #expect(disk.state.image["s"] == document && disk.state.image["s.new"] == nil)
    #expect(try NotesProgram(disk).saved.texts == ["first", "a", "b"])
  }

  @Test func isNotWrittenAnewForAnotherModel() throws {
    let disk = disk(keepsOwner: false, keepsAccess: true)
    let image = disk.state.image
    var program = try NotesProgram(disk)
    program.memory.model = 1
    do {
      try program.save()
      Issue.record("saved")
    } catch KeepingFailure.ownerNotPreserved {
    }
    #expect(disk.state.image == image)
  }

  @Test func isNotSavedToWhereItsOwnerWouldBeLockedOut() throws {
    let disk = disk(keepsOwner: false, keepsAccess: false)
    let image = disk.state.image
    var program = try NotesProgram(disk)
    program.memory.texts.append("a")
    do {
      try program.save()
      Issue.record("saved")
    } catch KeepingFailure.ownerLockedOut {
    }
    #expect(disk.state.image == image)
  }

  @Test func isFoldedByItsOwnerThoughTheGroupCannotBeKept() throws {
    let disk = disk(keepsOwner: true, keepsAccess: false)
    disk.rights.keepsGroup = false
    var program = try NotesProgram(disk)
    try program.save("a")
    #expect(try program.keeper.fold(program.saved) == .folded)
    #expect(disk.state.image.keys.sorted() == ["s"])
  }
}
