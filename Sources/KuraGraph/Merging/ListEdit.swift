/// What somebody did to the objects of a to-many: which came, which went, in which order they are.
///
///     ListEdit(from: [1, 2], to: [1, 2, 3], isOrdered: true).done(to: [2, 4])    // [2, 4, 3]
struct ListEdit {
  let old: [Int64]
  let new: [Int64]
  let isOrdered: Bool

  init(from old: [Int64], to new: [Int64], isOrdered: Bool) {
    (self.old, self.new, self.isOrdered) = (old, new, isOrdered)
  }
}

extension ListEdit {
  /// The same done to what somebody else has made of the list; nil where both have put what they
  /// share into another order.
  func done(to present: [Int64]) -> [Int64]? {
    if present == old { return new }
    if present == new { return present }
    if keepsOrder { return merged(into: present) }
    let other = ListEdit(from: old, to: present, isOrdered: isOrdered)
    return other.keepsOrder ? other.merged(into: new) : nil
  }

  /// Whether what was there before and still is has the same order.
  private var keepsOrder: Bool {
    guard isOrdered else { return true }
    let (before, after) = (Set(old), Set(new))
    return old.filter(after.contains) == new.filter(before.contains)
  }

  /// What came stands before what it stood before, else at the end.
  private func merged(into present: [Int64]) -> [Int64] {
    let (before, after) = (Set(old), Set(new))
    let kept = present.filter { after.contains($0) || !before.contains($0) }
    let known = Set(kept)
    var followers: [Int64: [Int64]] = [:]
    var open: [Int64] = []
    for number in new {
      if known.contains(number) {
        followers[number] = open
        open = []
      } else if !before.contains(number) {
        open.append(number)
      }
    }
    return kept.flatMap { (followers[$0] ?? []) + [$0] } + open
  }
}
