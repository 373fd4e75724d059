extension Message {
  /// What a message reads of its target.
  enum Reading: Sendable {
    /// The target itself, or a part of it that the selector names.
    case target
    /// What its last argument names: a key, or the number of an element.
    case member
    /// All keys, or the values of all.
    case everything
  }
}
