import KuraScript
import KuraSentences

extension Setting {
  static let recover = Setting(
    name: "recover", synopsis: ".recover [drop]",
    summary: "restores the unsaved changes of an ended session",
    details: """
      If SIGHUP, SIGTERM or a lost terminal ends a session at a terminal, Kura keeps the unsaved
      changes in STORE.unsaved, or in ~/.local/state/kura if there is no store. .recover restores them
      as one step on top of later saves; .merge settles conflicts. Kura deletes the file after the next
      save. .recover drop deletes it at once.
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
        SettingProblem.wrongArguments(synopsis: ".recover [drop]"), at: call.argument?.span)
    }
  }
}
