import KuraDiagnostics
import KuraStore
import Testing

@testable import KuraShell

@Suite("A fetch that is followed")
struct FollowTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Runs a script that follows a fetch; another process does a step during each wait.
  private func follow(_ script: String, _ steps: [() -> Void]) throws -> String {
    var rest = steps[...]
    var services = folder.services
    services.waitForChange = { _, _ in
      StoreWaiting {
        guard let step = rest.popFirst() else { return .end }
        step()
        return .look
      }
    }
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    let session = try Session(launch, services)
    session.run(script)
    try session.targets.flush()
    return folder.output.replacing(folder.path, with: "FOLDER")
  }

  private func others(_ statements: String) -> () -> Void {
    return { [folder] in
      var launch = Launch()
      launch.store = .file(folder.path + "/dates.json")
      var services = folder.services
      services.report = { _ in }
      guard let session = try? Session(launch, services) else { return }
      session.run(statements + "\nsave")
    }
  }

  @Test("reports at once what others have saved, and nothing otherwise")
  func follows() throws {
    let output = try follow(
      "watch fetch MemoDate where notifiable == YES sort date as bells follow\ncount MemoDate",
      [
        others("insert MemoDate title = \"x\", date = \"2020-01-01\", notifiable = YES"), {},
        others("update MemoDate/1 set notifiable = NO; delete MemoDate/5"),
        others("insert Category name = \"b\""),
      ])
    #expect(
      output == """
        watching bells: 2 rows
        bells  insert  MemoDate/6  at 2
        bells  delete  MemoDate/5  from 1
        bells  delete  MemoDate/1  from 0
        3

        """)
  }

  @Test("ends when its fetch ends")
  func ends() throws {
    let output = try follow(
      "watch fetch MemoDate where notifiable == YES follow",
      [others("alter entity MemoDate drop notifiable"), { Issue.record("goes on") }])
    #expect(output.contains("MemoDate is no longer watched: MemoDate has no key \"notifiable\""))
  }

  @Test("requires a store in a file")
  func wantsStore() throws {
    let output = try follow(
      ".open FOLDER/plain.json".replacing("FOLDER", with: folder.path)
        + "\nwatch fetch plain follow", [])
    #expect(output.contains("error: follow needs a store in a file"))
  }
}
