import KuraScript
import KuraSentences

extension Setting {
  static let recover = Setting(
    name: "recover", synopsis: ".recover [drop]",
    summary: "takes in what a session that was ended had not saved",
    details: """
      A session at a terminal that is ended by SIGHUP, SIGTERM or the loss of its terminal keeps its
      unsaved changes in STORE.unsaved, or in ~/.local/state/kura where there is no store. They come
      in as one step, on top of what was saved since; where both meet, .merge says what becomes of
      it. The file goes when they are saved. .recover drop deletes it.
      """,
    arguments: 0...1, effect: .changes
  ) { session, call in
    switch call.argument?.text.lowercased() {
    case nil: try session.recover()
    case "drop":
      try session.checkMayChangeFiles(at: call.argument?.span)
      try session.dropRecovered()
    case _?:
      throw Failure(
        SettingFacts.wrongArguments(synopsis: ".recover [drop]"), at: call.argument?.span)
    }
  }
}
