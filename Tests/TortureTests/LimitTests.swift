import Foundation
import Testing
import Torture

/// Small limits of the system: each ends in a message, and none in a signal.
@Suite("A small limit")
struct LimitTests {
  /// Runs the program with a limit of the shell, in a folder with a store.
  private func run(
    _ limit: String, _ statements: String = "insert Item n = 2; save; count Item",
    in ground: TrialFolder
  ) throws -> Program.Outcome {
    try Program.run(
      ["s.json", statements], in: ground,
      by: ["/bin/sh", "-c", "\(limit); exec \"$@\"", "sh"])
  }

  private func store(objects: Int = 1) throws -> TrialFolder {
    let ground = try TrialFolder("limit")
    let items = (1...objects).map { #"{"objectID": \#($0), "n": \#($0)}"# }.joined(separator: ", ")
    try ground.write(
      #"{"format": "kura/1", "model": {"entities": {"Item": {"attributes": {"n": {"type": "integer"}}}}}, "#
        + #""objects": {"Item": [\#(items)]}}"#, to: "s.json")
    return ground
  }

  @Test("of open files is reported before anything is opened", arguments: 3..<24)
  func files(limit: Int) throws {
    let ground = try store()
    let outcome = try run("ulimit -n \(limit)", in: ground)
    #expect(outcome.signal == nil)
    if outcome.status == 0 {
      #expect(outcome.output == "2\n")
      return
    }
    // With so few files the system cannot even load the program's libraries.
    #expect(limit < 5 || outcome.reports.contains("more files; the limit is \(limit) open files"))
    #expect(outcome.status != 0 && !ground.exists("s.json.journal"))
  }

  @Test("of a file's size is an error of the save, and no saved data is lost")
  func size() throws {
    // In blocks of 512 or 1024 bytes, depending on the shell.
    for blocks in [0, 1, 2, 8] {
      let ground = try store(objects: 400)
      let before = try ground.bytes(of: "s.json")
      let outcome = try run(
        "ulimit -f \(blocks)", "alter entity Item add x: integer?; save", in: ground)
      #expect(outcome.signal == nil, "\(blocks)")
      if blocks < 8 {
        #expect(outcome.status != 0)
        #expect(try ground.bytes(of: "s.json") == before && !ground.exists("s.json.new"))
      }
      let again = try Program.run(["s.json", "count Item"], in: ground)
      #expect(again.output == "400\n" && again.status == 0)
    }
  }

  /// Returns the memory below which the system cannot load the program and its libraries, and ends
  /// it itself.
  private func leastMemory(in ground: TrialFolder) throws -> Int {
    var (low, high) = (8, 2048)
    while high - low > 1 {
      let middle = (low + high) / 2
      let outcome = try Program.run(["--version"], in: ground, memory: middle)
      if outcome.status == 0 { high = middle } else { low = middle }
    }
    return high
  }

  @Test("of memory is reported, with a status, and no saved data is lost")
  func memory() throws {
    let ground = try store(objects: 20_000)
    let least = try leastMemory(in: ground)
    var refused = 0
    for more in stride(from: 0, through: 48, by: 3) {
      let outcome = try Program.run(
        ["s.json", "let $x = (fetch Item sort concat(n, n) select concat(n, n, n))", "count Item"],
        in: ground, memory: least + more)
      let place = "\(least) + \(more) MB: \(outcome.reports.prefix(300))"
      #expect(outcome.signal == nil && outcome.status < 128, "\(place)")
      guard outcome.status != 0 else { continue }
      refused += 1
      #expect(outcome.reports.contains("out of memory"), "\(place)")
    }
    #expect(refused > 0)
    #expect(try Program.run(["s.json", "count Item"], in: ground).output == "20000\n")
  }
}
