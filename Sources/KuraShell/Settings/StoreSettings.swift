import KuraGraph
import KuraScript

extension Setting {
  static let refresh = Setting(
    "refresh", synopsis: ".refresh", summary: "reads what others have saved since",
    details: """
      What is changed here and not saved stays, on top of it; where both changed the same key of
      the same object, .merge says what becomes of it.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.refresh()
  }

  static let fold = Setting(
    "fold", synopsis: ".fold", summary: "writes the journal into the document",
    details: """
      A save appends to STORE.journal. The journal is folded by itself when it has grown large, and
      at the end where the document is small.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.fold()
  }

  static let merge = Setting(
    "merge", synopsis: ".merge [error|store|memory]",
    summary: "says what becomes of changes that meet those of others",
    details: """
      error    nothing is saved, and every conflict is listed (as long as nothing else is said)
      store    what others have saved stays
      memory   what is changed here takes its place
      """,
    arguments: 0...1
  ) { session, call in
    guard let word = call.argument else {
      return session.report(Report.setting("merge", session.state.mergePolicy.rawValue))
    }
    guard let policy = MergePolicy(rawValue: word.text.lowercased()) else {
      throw Failure(ShellFacts.unknownPolicy(word.text), at: word.span)
    }
    session.state.mergePolicy = policy
  }
}
