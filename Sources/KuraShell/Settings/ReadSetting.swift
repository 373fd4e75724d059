import KuraScript

extension Setting {
  static let read = Setting(
    "read", synopsis: ".read FILE", summary: "runs the statements of a file",
    details: "The first error stops it; it says the file, the line and the column.",
    arguments: 1...1
  ) { session, call in
    guard let file = call.argument else { return }
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try session.surroundings.readFile(file.text)
    } catch {
      throw Failure(error.diagnostics.map { Failure.placed($0, at: file.span) })
    }
    guard session.state.depth < Session.deepestScript else {
      throw Failure(ShellFacts.readTooDeep(limit: Session.deepestScript), at: file.span)
    }
    session.state.depth += 1
    defer { session.state.depth -= 1 }
    let isWell = session.run(ScriptInput(bytes, name: file.text))
    if !isWell { throw Failure.reported(session.state.status) }
  }
}

extension Session {
  /// How deep scripts may read each other.
  static let deepestScript = 50
}
