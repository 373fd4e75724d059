/// What becomes of the destination when the source is deleted.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// Its inverse is emptied.
  case nullify
  /// It is deleted too.
  case cascade
  /// The source may not be deleted while there is one.
  case deny
  /// Nothing happens to it.
  case none
}
