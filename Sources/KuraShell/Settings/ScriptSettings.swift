import KuraScript
import KuraSentences

extension Setting {
  static let read = Setting(
    name: "read", synopsis: ".read FILE", summary: "runs the statements of a file",
    details: """
      Kura reads a pipe while it is written. The first error stops the script; its message names the
      file, the line and the column.
      """,
    arguments: 1...1, effect: .changes, accessesOutside: true, runsStatements: true
  ) { session, call in
    let file = call.word
    try session.checkSafe(.reading, at: file.span)
    let input: ScriptInput
    do throws(Failure) {
      input = try session.services.openScript(file.text)
    } catch {
      throw Failure(error.diagnostics.map { Failure.placed($0, at: file.span) })
    }
    guard session.depth < Session.deepestScript else {
      throw Failure(ScriptProblem.readTooDeep(limit: Session.deepestScript), at: file.span)
    }
    session.depth += 1
    defer { session.depth -= 1 }
    let succeeded = session.run(input)
    if !succeeded { throw Failure.reported(session.status) }
  }

  static let quit = Setting(
    name: "quit", synopsis: ".quit", summary: "leaves Kura",
    details: """
      If there are unsaved changes, Kura asks at a terminal; in a script they are an error with exit
      status 3.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    session.isLeaving = true
  }
}

extension Session {
  /// The greatest depth of nested scripts.
  static let deepestScript = 50
}
