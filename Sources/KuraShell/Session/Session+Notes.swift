import KuraDiagnostics
import KuraFetch

/// The one note that a statement may have: a person reads it at a prompt, and a program asks for it with
/// `--diagnostics`.
extension Session {
  var givesNotes: Bool { launch.messages != nil || asksPeople }

  /// Keeps what is to be said of a request after its results. `isEmpty` says whether it found nothing.
  func note(_ request: BoundRequest, isEmpty: () throws -> Bool) rethrows {
    guard givesNotes, statementNote == nil else { return }
    statementNote = try request.note(isEmpty: isEmpty)
  }

  /// Says it, unless a warning was given for the same statement.
  func reportNote(in source: SourceText) {
    defer { statementNote = nil }
    guard let note = statementNote, !hasWarned else { return }
    report(mended(note, in: source), in: source)
  }
}
