import KuraDiagnostics
import KuraStore
import Testing

@testable import KuraShell

@Suite("A fetch that is followed")
struct FollowTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Runs a script that follows, with a step of another process during each wait.
  private func follow(_ script: String, _ steps: [() -> Void]) throws -> String {
    var rest = steps[...]
    var surroundings = folder.surroundings
    surroundings.waitBeside = { _, _ in
      StoreWaiting {
        guard let step = rest.popFirst() else { return .end }
        step()
        return .look
      }
    }
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    let session = try Session(launch, surroundings)
    session.run(script)
    try session.targets.flush()
    return folder.said.replacing(folder.path, with: "FOLDER")
  }

  private func others(_ statements: String) -> () -> Void {
    return { [folder] in
      var launch = Launch()
      launch.store = .file(folder.path + "/dates.json")
      var surroundings = folder.surroundings
      surroundings.report = { _ in }
      guard let session = try? Session(launch, surroundings) else { return }
      session.run(statements + "\nsave")
    }
  }

  @Test("reports at once what others have saved, and nothing otherwise")
  func follows() throws {
    let said = try follow(
      "watch fetch MemoDate where notifiable == YES sort date as bells follow\ncount MemoDate",
      [
        others("insert MemoDate title = \"x\", date = \"2020-01-01\", notifiable = YES"), {},
        others("update MemoDate/1 set notifiable = NO; delete MemoDate/5"),
        others("insert Category name = \"b\""),
      ])
    #expect(
      said == """
        watching bells: 2 rows
        bells  insert  MemoDate/6  at 2
        bells  delete  MemoDate/5  from 1
        bells  delete  MemoDate/1  from 0
        3

        """)
  }

  @Test("ends where its fetch ends")
  func ends() throws {
    let said = try follow(
      "watch fetch MemoDate where notifiable == YES follow",
      [others("alter entity MemoDate drop notifiable"), { Issue.record("goes on") }])
    #expect(said.contains("MemoDate is watched no more: MemoDate has no key \"notifiable\""))
  }

  @Test("requires a store in a file")
  func wantsStore() throws {
    let said = try follow(
      ".open FOLDER/plain.json".replacing("FOLDER", with: folder.path)
        + "\nwatch fetch plain follow", [])
    #expect(said.contains("error: there is no store in a file that others could save into"))
  }
}
