import KuraDiagnostics

extension Launch {
  /// Whether it brings its own statements.
  package var isScript: Bool { !statements.isEmpty || !scripts.isEmpty }

  /// Opens what it names, and runs its statements, those of a person, or those of standard input.
  package func run(_ surroundings: Surroundings, _ conversation: Conversation?) -> ExitStatus {
    do throws(Failure) {
      var session = try Session(self, surroundings)
      if isScript { return session.run(self) }
      guard let conversation else { return session.runPipe() }
      if let initFile, !isSafe { session.runInitFile(initFile) }
      return session.converse(conversation)
    } catch {
      surroundings.report(error.rendered(in: nil, style: surroundings.style) + "\n")
      return error.status
    }
  }
}
