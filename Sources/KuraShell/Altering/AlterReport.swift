import KuraSentences

extension Report {
  /// Returns `entity altered: Item: parentCategory dropped, along with Category.items`.
  static func altered(_ entity: String, _ notes: [String]) -> String {
    notes.isEmpty
      ? localized("entity altered: \(entity)")
      : localized("entity altered: \(entity): \(notes.list)")
  }

  /// Returns `entity defined`, `request dropped`.
  static func became(_ part: String, isNew: Bool, isGone: Bool) -> String {
    isNew
      ? "\(part) defined"
      : isGone ? "\(part) dropped" : "\(part) altered"
  }
}
