package import KuraDiagnostics
import KuraModel
import KuraSentences
import KuraValues

extension ChangeProblem: DiagnosticFacts {
  package var kind: Diagnostic.Kind {
    switch self {
    case .unknownEntity, .unknownKey, .fixedObjectID: .semantics
    default: .change
    }
  }

  package var sentence: String {
    switch self {
    case .unknownEntity(let entity, _): localized("there is no entity \"\(entity)\"")
    case .abstractEntity(let entity):
      localized("\(entity) is abstract and has no objects of its own")
    case .badObjectID(let number):
      localized(
        "\(number) is not an objectID: objectIDs range from 1 to \(ObjectID.greatestGivenNumber)")
    case .noNumberLeft(let entity):
      localized(
        "a new \(entity) would need an objectID above the maximum, \(ObjectID.greatestNumber)")
    case .takenObjectID(let id): localized("\(id) already exists")
    case .fixedObjectID: localized("the objectID of an object never changes")
    case .unknownKey(let key, let entity, _): localized("\(entity) has no key \"\(key)\"")
    case .keyTwice(let key): localized("the key \"\(key)\" is given twice")
    case .otherOwner(let key):
      localized("\"\(key)\" is the object around the new one, and cannot be another")
    case .notObjects(let key, let destination, let isToMany):
      isToMany
        ? localized("\(key) holds objects of \(destination)")
        : localized("\(key) holds one object of \(destination)")
    case .notOneObject(let key, let count):
      localized("\(key) holds one object, but \(count) are given")
    case .noObject(let id): localized("there is no \(id)")
    case .wrongDestination(let id, let key, let destination):
      localized("\(key) holds objects of \(destination), but \(id) is not one")
    case .unresolvedDestination(let entity, let key, let destination):
      localized("\(entity).\(key) refers to \(destination), which is not defined yet")
    case .invalid(let failure): failure.sentence
    case .derived(let key, let entity): localized("\(entity).\(key) is derived and cannot be set")
    case .underivable(let object, let key, let reason):
      localized("\(object): \"\(key)\" cannot be derived: \(reason)")
    case .badDefault(let key, let reason):
      localized("the default of \"\(key)\" cannot be computed: \(reason)")
    case .circularDerivation(let id, let key):
      localized("\(id): \"\(key)\" is derived from itself through other objects")
    case .refused(let refusal): refusal.sentence
    case .conflict(let conflict, let old, let new, let present):
      conflict.sentence(old, new, present)
    case .modelConflict:
      localized(
        "another session saved the store, and Kura cannot merge model changes with that save")
    case .notUndoable(let name, let id):
      localized("\"\(name)\" cannot be reversed: another session has changed \(id) since")
    }
  }

  package var help: String? {
    switch self {
    case .unknownEntity(let entity, let known):
      entityHelp(for: entity, among: known)
    case .unknownKey(let key, _, let known):
      didYouMean(nearNames(to: key, among: known))
        ?? (known.isEmpty ? nil : localized("its keys are \(known.list)"))
    case .otherOwner(let key): localized("leave out \(key)")
    case .abstractEntity: localized("insert an object of one of its subentities")
    case .takenObjectID: localized("leave out the objectID to get the next free one")
    case .notObjects(_, let destination, let isToMany):
      isToMany
        ? localized("write objects in braces, such as {\(destination)/1}")
        : localized("write an object, such as \(destination)/1")
    case .notOneObject(_, let count):
      count == 0
        ? localized("write NULL for no object")
        : localized("reduce them to one, for example with limit 1")
    case .unresolvedDestination(_, _, let destination):
      localized("define it: entity \(destination) { … }")
    case .derived: localized("omit it: Kura computes it after each statement")
    case .circularDerivation:
      localized("the objects refer to each other in a cycle: clear one of the references")
    case .modelConflict:
      localized("save to another file with save \"FILE\", or use rollback, then .refresh")
    case .notUndoable:
      localized("Kura skips this step from now on; set the values you need with update")
    case .badDefault(let key, _):
      localized("give \(key) a value, or change the default with alter entity")
    case .conflict, .underivable, .badObjectID, .fixedObjectID, .noNumberLeft, .keyTwice, .noObject,
      .wrongDestination, .invalid, .refused:
      nil
    }
  }
}

extension ChangeRefusal {
  package var sentence: String {
    switch reason {
    case .entity: localized("\(place) is not an entity that can have objects")
    case .key: localized("\(place) is not a key of the model")
    case .value(let value, let type):
      localized("\(place) is of type \(type.rawValue), which cannot hold \(value.phrase)")
    case .notLinks: localized("\(place) is a relationship, but its value does not hold objects")
    case .destination(let number):
      localized(
        "\(place) refers to object \(number), which does not exist in the destination entity")
    case .missing: localized("\(place) does not exist")
    case .taken: localized("\(place) already exists")
    case .number: localized("\(place) does not have a valid object number")
    case .count: localized("\(place) does not have one value for each object")
    }
  }
}

extension StoredCell {
  /// The value as a short text, for messages.
  fileprivate var phrase: String {
    switch self {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .text(let text): quoted(String(text.prefix(40)))
    case .object(let number): "\(number)"
    case .objects(let numbers): numbers.prefix(5).map { "\($0)" }.joined(separator: ", ")
    }
  }
}

extension ValidationFailure: CustomStringConvertible {
  /// The failure as a sentence, such as `MemoDate/3: "title" has no value, but is not optional (1570)`.
  public var description: String { sentence }

  var sentence: String { localized("\(object): \"\(key)\" \(reason) (\(rule.rawValue))") }

  /// Returns the sentence for a rule that could not be evaluated.
  private func unknown(_ problem: String) -> String {
    switch rule {
    case .pattern: localized("cannot be matched against \"\(wanted)\": \(problem)")
    default: localized("cannot be tested against its rule check (\(wanted)): \(problem)")
    }
  }

  private var reason: String {
    if let problem { return unknown(problem) }
    return switch rule {
    case .check: localized("violates its rule check (\(wanted))")
    case .unique: localized("must be unique, but \(wanted) has the same value")
    case .missing: localized("has no value, but is not optional")
    case .tooFew: localized("has fewer objects than its minimum, \(wanted)")
    case .tooMany: localized("has more objects than its maximum, \(wanted)")
    case .deniedDelete: localized("still has \(wanted), so its delete rule denies the deletion")
    case .dangling: localized("refers to \(wanted), which is deleted")
    case .numberTooLarge: localized("is larger than \(wanted)")
    case .numberTooSmall: localized("is smaller than \(wanted)")
    case .dateTooLate: localized("is later than \(wanted)")
    case .dateTooSoon: localized("is earlier than \(wanted)")
    case .stringTooLong: localized("is longer than \(wanted)")
    case .stringTooShort: localized("is shorter than \(wanted)")
    case .pattern: localized("does not match \"\(wanted)\"")
    }
  }
}

extension ChangeConflict {
  /// Returns the sentence of a conflict: `Item/3: "title" was "a"; it is now "b" here and "c" in
  /// the store`
  fileprivate func sentence(_ old: String, _ new: String, _ present: String) -> String {
    let name = key.map { "\(object): \(quoted($0))" } ?? "\(object)"
    return switch kind {
    case .value: localized("\(name) was \(old); it is now \(new) here and \(present) in the store")
    case .deleted: localized("\(object) was changed here, but deleted in the store")
    case .changed:
      localized(
        "\(object) was deleted here, but its \"\(key ?? "")\" is now \(present) in the store")
    case .destination(let id): localized("\(name) refers to \(id), which was deleted in the store")
    case .taken: localized("\(object) already exists")
    case .leads(let cause) where key == nil:
      localized(
        "\(object), which another session has added to \(cause), would be deleted along with it"
      )
    case .leads(let cause):
      localized("in the store, \(name) refers to \(cause), which was deleted here")
    case .beside(let cause):
      localized(
        "\(name) was set by another session and would change together with \(cause)")
    case .together(let other):
      localized("\(object) was deleted here together with \(other), which is kept")
    }
  }

  /// Returns the sentence for a conflict that prevents reverting a save.
  package func sentenceOfReversal(old: String, present: String) -> String {
    switch kind {
    case .value, .changed:
      localized("\(object): \"\(key ?? "")\" is now \(present), but was \(old) after the save")
    case .deleted: localized("\(object) has since been deleted")
    case .taken: localized("\(object) exists again")
    case .destination(let id):
      localized("\(object): \"\(key ?? "")\" referred to \(id), which no longer exists")
    case .beside(let id), .leads(let id), .together(let id):
      localized("\(object) is related to \(id), which has since been added or changed")
    }
  }
}
