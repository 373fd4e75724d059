import KuraScript

extension Setting {
  static let read = Setting(
    "read", synopsis: ".read FILE", summary: "runs the statements of a file",
    details: """
      A pipe is read as it comes. The first error stops it; it says the file, the line and the
      column.
      """,
    arguments: 1...1, effect: .changes
  ) { session, call in
    guard let file = call.argument else { return }
    try session.checkSafe(.reading, at: file.span)
    let input: ScriptInput
    do throws(Failure) {
      input = try session.surroundings.openScript(file.text)
    } catch {
      throw Failure(error.diagnostics.map { Failure.placed($0, at: file.span) })
    }
    guard session.state.depth < Session.deepestScript else {
      throw Failure(ShellFacts.readTooDeep(limit: Session.deepestScript), at: file.span)
    }
    session.state.depth += 1
    defer { session.state.depth -= 1 }
    let isWell = session.run(input)
    if !isWell { throw Failure.reported(session.state.status) }
  }
}

extension Session {
  /// How deep scripts may read each other.
  static let deepestScript = 50
}
