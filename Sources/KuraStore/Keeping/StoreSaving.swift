package import KuraDiagnostics
package import KuraGraph

/// What is to be saved.
package struct StoreSaveRequest {
  /// Everything as it is to be on the disk.
  package var contents: StoreContents
  /// What was changed since the last save. Nil writes the document anew: the model, saved requests,
  /// the zone or `userInfo` were changed, of which a change set knows nothing.
  package var change: ChangeSet?

  package init(_ contents: StoreContents, _ change: ChangeSet?) {
    self.contents = contents
    self.change = change
  }
}

/// What came of a save.
package struct StoreSaveResult {
  /// What is on the disk now: what was given, or what it was rebased to.
  package var contents: StoreContents
  /// Whether saves of others were taken in.
  package var tookInOthers: Bool
  /// Things to say that do not matter for what was saved.
  package var warnings: [Diagnostic]
  /// Why the history does not have the save.
  package var historyRefusal: SaveHistory.Refusal?
}
