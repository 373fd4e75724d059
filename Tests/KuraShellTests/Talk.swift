@testable import KuraShell

/// A session that runs lines of statements and settings.
final class Talk {
  private let folder: TestFolder
  private let session: Session

  init(_ folder: TestFolder, _ prepare: (inout Launch) -> Void = { _ in }) throws {
    self.folder = folder
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    prepare(&launch)
    session = try Session(launch, folder.surroundings)
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
  func leave() -> (said: String, status: ExitStatus) {
    var status = ExitStatus.done
    let said = saying { status = session.leaveScript() }
    return (said, status)
  }

  /// Returns the new output of all sessions of the folder.
  private func saying(_ body: () -> Void) -> String {
    let before = folder.said.count
    body()
    return String(folder.said.dropFirst(before)).replacing(folder.path, with: "FOLDER")
  }
}
