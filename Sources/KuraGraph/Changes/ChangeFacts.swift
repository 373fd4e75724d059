package import KuraValues

/// Why a change cannot be made.
package enum ChangeFacts: Sendable {
  case unknownEntity(String, known: [String])
  case abstractEntity(String)
  case badObjectID(Int64)
  /// The next object would have a number that no object can have.
  case noNumberLeft(entity: String)
  case takenObjectID(ObjectID)
  case unknownKey(String, entity: String, known: [String])
  case keyTwice(String)
  case notObjects(key: String, destination: String, isToMany: Bool)
  /// A to-one is to have what a fetch found, and that is none or several.
  case notOneObject(key: String, count: Int)
  case noObject(ObjectID)
  case wrongDestination(ObjectID, key: String, destination: String)
  case unresolvedDestination(entity: String, key: String, destination: String)
  case invalid(ValidationFailure)
  /// A derived attribute cannot be set.
  case derived(String, entity: String)
  case underivable(String, key: String, reason: String)
  /// `= 1 / items`
  case badDefault(key: String, reason: String)
  /// A derived value that needs itself, over other objects.
  case circularDerivation(ObjectID, key: String)
  /// The change does not fit the model or the objects of the graph that it is to enter.
  case refused(ChangeRefusal)
  /// Somebody else has saved a change that this one meets.
  case conflict(ChangeConflict, old: String, new: String, present: String)
  /// The model was changed here or in the store, or in both.
  case modelConflict
  /// A group of the history no longer fits: others have changed the same objects since.
  case notUndoable(name: String, ObjectID)
}
