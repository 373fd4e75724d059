import TestSupport

extension Trial {
  /// Several processes at one store.
  static let processes = Trial(
    "processes",
    "several processes with one store lose nothing, end with the same data and never get stuck",
    rounds: 6
  ) { numbers, ground in
    let meeting = try Meeting(numbers: &numbers, ground)
    try meeting.run(&numbers)
  }
}
