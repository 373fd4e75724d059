/// A change since the last save, under its group's token.
struct UnsavedStep: Sendable {
  var token: Int
  var change: GraphChange
}

extension UnsavedStep: RunStep {
  init(_ run: InsertedRun, _ place: Int) {
    self.init(token: run.firstToken + place, change: .objects(run.change(place..<place + 1)))
  }

  var insertion: InsertSteps? { InsertSteps("", token, change) }
}
