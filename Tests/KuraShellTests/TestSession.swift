@testable import KuraShell

/// A session that runs lines of statements and settings.
final class TestSession {
  private let folder: TestFolder
  private let session: Session

  init(_ folder: TestFolder, _ prepare: (inout Launch) -> Void = { _ in }) throws {
    self.folder = folder
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    prepare(&launch)
    session = try Session(launch, folder.services)
  }

  /// Runs statements, and returns their output without the folder's path.
  @discardableResult
  func callAsFunction(_ text: String) -> String {
    saying {
      session.run(text.replacing("FOLDER", with: folder.path))
      try? session.targets.flush()
    }
  }

  /// Ends the session like a script.
  func leave() -> (output: String, status: ExitStatus) {
    var status = ExitStatus.done
    let output = saying { status = session.leaveScript() }
    return (output, status)
  }

  /// Returns the new output of all sessions of the folder.
  private func saying(_ body: () -> Void) -> String {
    let before = folder.output.count
    body()
    return String(folder.output.dropFirst(before)).replacing(folder.path, with: "FOLDER")
  }
}
