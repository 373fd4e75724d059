import KuraGraph

extension Session {
  /// Under `--dry-run` a save lists what it would write, and is taken for done.
  mutating func showDryRun(_ path: String) throws {
    try showChanges()
    state.context.didSave()
    state.trace.removeAll()
    report(Report.wouldSave(path))
  }

  /// What a dry run ends with and did not save, if there is something.
  mutating func showUnsavedInDryRun() throws {
    guard state.scratches.isEmpty, state.context.hasChanges,
      state.store.path != nil
    else { return }
    try save(to: nil, replaces: false)
  }
}
