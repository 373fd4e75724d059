/// What the process says of its run.
package enum ExitStatus: Int32, Sendable {
  case done = 0
  /// A statement failed.
  case statementFailed = 1
  /// The store could not be opened, read or written.
  case storeFailed = 2
  /// Left with unsaved changes.
  case unsavedChanges = 3
  case wrongCommandLine = 64
}
