extension Report {
  /// `entity altered: Item: parentCategory dropped, with it Category.items`
  static func altered(_ entity: String, _ notes: [String]) -> String {
    "entity altered: \(entity)" + (notes.isEmpty ? "" : ": " + notes.joined(separator: ", "))
  }

  /// `entity defined`, `request dropped`
  static func became(_ part: String, isNew: Bool, isGone: Bool) -> String {
    "\(part) \(isNew ? "defined" : isGone ? "dropped" : "altered")"
  }
}
