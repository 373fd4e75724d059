import KuraValues

/// A key of an object.
struct KeyOfObject: Hashable {
  var id: ObjectID
  var key: String

  init(_ id: ObjectID, _ key: String) {
    self.id = id
    self.key = key
  }
}
