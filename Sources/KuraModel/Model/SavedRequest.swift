/// A fetch with a name and parameters, which belongs to the model.
public struct SavedRequest: Sendable, Hashable {
  /// `Birthdays`
  public var name: String
  /// `() = fetch MemoDate where title CONTAINS "誕生日" sort date`
  public var text: String

  /// Makes a saved request.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
