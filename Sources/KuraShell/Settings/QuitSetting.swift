extension Setting {
  static let quit = Setting(
    "quit", synopsis: ".quit", summary: "leaves",
    details: """
      Unsaved changes are asked about on a terminal; in a script they are an error, and the exit
      status is 3.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    session.state.isLeaving = true
  }
}
