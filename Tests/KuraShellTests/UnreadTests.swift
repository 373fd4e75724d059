import Foundation
import Testing

@testable import KuraShell

/// A script whose results are read by a process that ends early, as `head -1` does.
@Suite("After the reader of the results has ended")
struct UnreadTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Runs a script; standard input provides one of `pieces` at each wait.
  private func run(
    _ pieces: [String], _ prepare: (inout Launch) -> Void = { _ in }
  ) throws -> (output: String, status: KuraShell.ExitStatus) {
    var services = folder.services
    services.results = ResultStream { _ in throw ClosedOutput() }
    folder.input = pieces.map { Array(("count Item\n" + $0).utf8) }
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    prepare(&launch)
    let session = try Session(launch, services)
    let status = session.runPipe()
    return (folder.output.replacing(folder.path, with: "FOLDER"), status)
  }

  private func count(_ predicate: String) -> String {
    folder.run("count Category where \(predicate)").output
  }

  @Test("changes are performed")
  func changes() throws {
    let (output, status) = try run(["", "insert Category name = \"x\"\n", "count Tag\nsave\n"])
    #expect(output == "1 inserted: Category/2\nsaved: FOLDER/dates.json\n")
    #expect(status == .done)
    #expect(count("name == \"x\"") == "1\n")
  }

  @Test("a save at the end is performed")
  func autosave() throws {
    let (output, status) = try run(["", "insert Category name = \"x\"\n"]) { $0.savesAtEnd = true }
    #expect(output.hasSuffix("saved: FOLDER/dates.json\n"))
    #expect(status == .done)
    #expect(count("name == \"x\"") == "1\n")
  }

  @Test("unsaved changes are reported")
  func unsaved() throws {
    let (output, status) = try run(["", "insert Category name = \"x\"\n"])
    #expect(output.contains("error: there are unsaved changes"))
    #expect(status == .unsavedChanges)
  }

  @Test("the last fetch is that of the statement before")
  func lastFetch() throws {
    let (output, status) = try run(
      ["", "fetch Category\ncount Item\n", "update _ set name = \"y\"\nsave\n"])
    #expect(output == "1 updated: Category/1\nsaved: FOLDER/dates.json\n")
    #expect(status == .done)
  }

  @Test("a query that fails stops the script")
  func failure() throws {
    let (output, status) = try run(["", "count Itm\ncount Tag\n", "insert Category name = \"x\"\n"])
    #expect(output.hasPrefix("stdin:3:7: error: there is no entity \"Itm\"\n"))
    #expect(!output.contains("inserted"))
    #expect(status == .statementFailed)
  }

  @Test("all statements are run under --keep-going, and unsaved changes are reported")
  func continuesAfterErrors() throws {
    let (output, status) = try run(["", "count Itm\n", "insert Category name = \"x\"\n"]) {
      $0.continuesAfterErrors = true
    }
    #expect(output.contains("error: there is no entity \"Itm\"\n"))
    #expect(output.hasSuffix("1 inserted: Category/2\nquit without saving: 1 object\n"))
    #expect(status == .statementFailed)
  }

  @Test("a script with endless queries ends, and reports that the rest was not run")
  func endless() throws {
    var services = folder.services
    services.results = ResultStream { _ in throw ClosedOutput() }
    services.readInput = { () throws(Failure) in Array("count Item\n.mode json\n".utf8) }
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    let session = try Session(launch, services)
    #expect(session.runPipe() == .statementFailed)
    #expect(folder.output.hasPrefix("error: the results are no longer read, and "))
  }

  @Test("results with another destination are written")
  func redirected() throws {
    let (output, status) = try run(["", ".output \(folder.path)/tags\ncount Tag\n.output\n"])
    #expect(output == "")
    #expect(status == .done)
    #expect(folder.text("tags") == "1\n")
  }

  @Test("a script in a plain file is read to its end, however long")
  func file() throws {
    var services = folder.services
    services.results = ResultStream { _ in throw ClosedOutput() }
    let queries = String(repeating: "print 1\n", count: UnreadQueries.limit + 10)
    let script = folder.path + "/long.kura"
    try ("delete Tag/1\n" + queries + "insert Category name = \"x\"\nsave")
      .write(toFile: script, atomically: true, encoding: .utf8)
    var launch = Launch()
    (launch.store, launch.scripts) = (.file(folder.path + "/dates.json"), [script])
    let session = try Session(launch, services)
    #expect(session.run(launch) == .done)
    #expect(count("name == \"x\"") == "1\n")
  }
}

@Suite("Results that cannot be written")
struct FullDiskTests {
  @Test("stop a script at the statement with the results, unless it keeps going")
  func full() throws {
    for continuesAfterErrors in [false, true] {
      let folder = try TestFolder()
      var services = folder.services
      services.results = ResultStream { _ in
        throw Failure(FileProblem.cannotWriteResults(to: "standard output", reason: "full"))
      }
      folder.input = ["count Item\n", "insert Category name = \"x\"\nsave\n"].map { Array($0.utf8) }
      var launch = Launch()
      (launch.store, launch.continuesAfterErrors) = (
        .file(folder.path + "/dates.json"), continuesAfterErrors
      )
      let session = try Session(launch, services)
      #expect(session.runPipe() == .statementFailed)
      #expect(
        folder.output.contains("error: cannot write the results to standard output: full"))
      #expect(folder.output.contains("saved:") == continuesAfterErrors)
    }
  }
}
