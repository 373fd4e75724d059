import Foundation
import Testing
import Torture

/// The complete program with files that others put there.
@Suite("The program")
struct ProgramTests {
  private let document =
    #"{"format": "kura/1", "model": {"entities": {"Item": {"attributes": {"n": {"type": "integer"}}}}}, "#
    + #""objects": {"Item": [{"objectID": 1, "n": 1}]}}"#

  @Test("reports that a script is a folder")
  func folder() throws {
    let ground = try TrialFolder("program")
    for arguments in [["-f", "."], [".read \".\""]] {
      let outcome = try Program.run((arguments[0] == "-f" ? [] : [""]) + arguments, in: ground)
      #expect(outcome.reports.contains("cannot read \".\": it is a folder"), "\(outcome.reports)")
      #expect(outcome.status == 1)
    }
  }

  @Test("has the status 2 if the store lacks saves of a damaged journal")
  func damagedJournal() throws {
    let ground = try TrialFolder("program")
    try ground.write(document, to: "s.json")
    try ground.write("{\"journal\": 1, \"document\": damaged}\n", to: "s.json.journal")
    let damaged = try Program.run(["s.json", "count Item"], in: ground)
    #expect(damaged.output == "1\n" && damaged.status == 2)
    #expect(damaged.reports.contains("is damaged"))
    let piped = try Program.run(["s.json"], input: "count Item\n", in: ground)
    #expect(piped.output == "1\n" && piped.status == 2)
    let failed = try Program.run(["s.json", "count Nothing"], in: ground)
    #expect(failed.status == 1)
    let dropped = try Program.run(["--drop-damaged-save", "s.json", "count Item"], in: ground)
    #expect(dropped.output == "1\n" && dropped.status == 0)
  }

  @Test("reports that a store with a journal has become plain JSON")
  func noStoreAnyMore() throws {
    let ground = try TrialFolder("program")
    try ground.write(document, to: "s.json")
    // Pauses at the end like a user: the journal exists while the program runs.
    let saved = try Program.run(
      ["s.json", "insert Item n = 2; save", ".output | cp s.json.journal kept", "print 1"],
      in: ground)
    #expect(saved.status == 0 && ground.exists("kept"), "\(saved.reports)")
    try ground.write(document.replacing("kura/1", with: "mura/1"), to: "s.json")
    try ground.write(try ground.bytes(of: "kept"), to: "s.json.journal")
    let outcome = try Program.run(["s.json", "count s"], in: ground)
    #expect(outcome.status == 2)
    #expect(outcome.reports.contains("another program changed \"s.json\", but"))
  }

  @Test("waits for a lock as long as requested, and reports who has it")
  func lockTimeout() throws {
    let ground = try TrialFolder("program")
    try ground.write(document, to: "s.json")
    try ground.write(#"{"process": 4711, "user": "hana", "host": "desk"}"#, to: "s.json.lock")
    let lock = open(ground.file("s.json.lock"), O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    for statements in ["insert Item n = 2; save", "save \"s.json\" replacing"] {
      let outcome = try Program.run(["--lock-timeout", "0.2", "s.json", statements], in: ground)
      #expect(outcome.status == 2)
      #expect(
        outcome.reports.contains(
          #"hana@desk (process 4711) still holds the lock on "s.json" after 0.2 seconds"#),
        "\(outcome.reports)")
      #expect(outcome.reports.contains("--lock-timeout SECONDS waits longer"))
    }
    let wrong = try Program.run(["--lock-timeout=-1", "s.json", "count Item"], in: ground)
    #expect(
      wrong.status == 64
        && wrong.reports.contains(
          "--lock-timeout needs a number of seconds from 0 to 1,000,000,000")
    )
    #expect(try ground.bytes(of: "s.json") == Array(document.utf8))
  }
}
