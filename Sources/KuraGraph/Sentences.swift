package import KuraDiagnostics
import KuraModel
import KuraSentences
import KuraValues

extension ChangeFacts: DiagnosticFacts {
  package var kind: Diagnostic.Kind {
    switch self {
    case .unknownEntity, .unknownKey: .semantics
    default: .change
    }
  }

  package var sentence: String {
    switch self {
    case .unknownEntity(let entity, _): localized("there is no entity \"\(entity)\"")
    case .abstractEntity(let entity):
      localized("\(entity) is abstract and has no objects of its own")
    case .badObjectID(let number):
      localized("\(number) is no objectID: they go from 1 to \(ObjectID.greatestGivenNumber)")
    case .noNumberLeft(let entity):
      localized("a new \(entity) would have an objectID above \(ObjectID.greatestNumber)")
    case .takenObjectID(let id): localized("\(id) is there already")
    case .unknownKey(let key, let entity, _): localized("\(entity) has no key \"\(key)\"")
    case .keyTwice(let key): localized("the key \"\(key)\" is given twice")
    case .notObjects(let key, let destination, let isToMany):
      isToMany
        ? localized("\"\(key)\" is objects of \(destination)")
        : localized("\"\(key)\" is one object of \(destination)")
    case .notOneObject(let key, let count):
      localized("\"\(key)\" is one object, and these are \(count)")
    case .noObject(let id): localized("there is no \(id)")
    case .wrongDestination(let id, let key, let destination):
      localized("\"\(key)\" leads to \(destination), and \(id) is none")
    case .unresolvedDestination(let entity, let key, let destination):
      localized("\(entity).\(key) leads to \(destination), which is not defined yet")
    case .invalid(let failure): failure.sentence
    case .derived(let key, let entity): localized("\(entity).\(key) is derived and cannot be set")
    case .underivable(let object, let key, let reason):
      localized("\(object): \"\(key)\" cannot be derived: \(reason)")
    case .badDefault(let key, let reason):
      localized("the default of \"\(key)\" cannot be computed: \(reason)")
    case .circularDerivation(let id, let key):
      localized("\(id): \"\(key)\" is derived from itself, over other objects")
    case .refused(let refusal): refusal.sentence
    case .conflict(let conflict, let old, let new, let present):
      conflict.sentence(old, new, present)
    case .modelConflict:
      localized(
        "the store was saved by somebody else, and changes of the model are not merged with that")
    case .notUndoable(let name, let id):
      localized("\"\(name)\" cannot be turned round: \(id) has been changed by somebody else since")
    }
  }

  package var help: String? {
    switch self {
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? (known.isEmpty ? nil : localized("its entities are \(known.list)"))
    case .unknownKey(let key, _, let known):
      didYouMean(nearNames(to: key, among: known))
        ?? (known.isEmpty ? nil : localized("its keys are \(known.list)"))
    case .abstractEntity: localized("insert an object of one of its subentities")
    case .takenObjectID: localized("leave out the objectID to get the next free one")
    case .notObjects(_, let destination, let isToMany):
      isToMany
        ? localized("write objects in braces, such as {\(destination)/1}")
        : localized("write an object, such as \(destination)/1")
    case .notOneObject(_, let count):
      count == 0
        ? localized("write NULL for none") : localized("choose one of them, as with limit 1")
    case .unresolvedDestination(_, _, let destination):
      localized("define it: entity \(destination) { … }")
    case .derived: localized("leave it out: it is computed after each statement")
    case .circularDerivation:
      localized("the objects lead in a circle: let one of them lead nowhere")
    case .modelConflict:
      localized("save it as another file: save \"FILE\"; or rollback, then .refresh")
    case .notUndoable:
      localized("it is left out from now on; set what is to be there with update")
    case .badDefault(let key, _):
      localized("give \(key) a value, or change the default: alter entity")
    case .conflict, .underivable, .badObjectID, .noNumberLeft, .keyTwice, .noObject,
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
      localized("\(place) has the type \(type.rawValue), which does not include \(value.text)")
    case .notLinks: localized("\(place) is a relationship, and its value is not its objects")
    case .destination(let number):
      localized("\(place) leads to object \(number), which does not exist at its destination")
    case .missing: localized("\(place) does not exist")
    case .taken: localized("\(place) exists already")
    case .number: localized("\(place) does not have the number of an object")
    case .count: localized("\(place) does not have one value for each object")
    }
  }
}

extension ChangeValue {
  /// The value as a short text, for messages.
  fileprivate var text: String {
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
  /// The failure as a sentence, such as `MemoDate/3: "title" has no value, and is not optional
  /// (1570)`.
  public var description: String { sentence }

  var sentence: String { localized("\(object): \"\(key)\" \(reason) (\(rule.rawValue))") }

  /// Returns the sentence for a rule that could not be evaluated.
  private func unknown(_ problem: String) -> String {
    switch rule {
    case .pattern: localized("cannot be compared with \"\(wanted)\": \(problem)")
    default: localized("cannot be held to its rule: check (\(wanted)): \(problem)")
    }
  }

  private var reason: String {
    if let problem { return unknown(problem) }
    return switch rule {
    case .check: localized("does not keep its rule: check (\(wanted))")
    case .unique: localized("is what \(wanted) has already, and is unique")
    case .missing: localized("has no value, and is not optional")
    case .tooFew: localized("has fewer objects than \(wanted)")
    case .tooMany: localized("has more objects than \(wanted)")
    case .deniedDelete: localized("has \(wanted), and that denies its deletion")
    case .dangling: localized("leads to \(wanted), which is deleted")
    case .numberTooLarge: localized("is larger than \(wanted)")
    case .numberTooSmall: localized("is smaller than \(wanted)")
    case .dateTooLate: localized("is later than \(wanted)")
    case .dateTooSoon: localized("is sooner than \(wanted)")
    case .stringTooLong: localized("is longer than \(wanted)")
    case .stringTooShort: localized("is shorter than \(wanted)")
    case .pattern: localized("does not match \"\(wanted)\"")
    }
  }
}

extension ChangeConflict {
  /// Returns the sentence of a conflict: `Item/3: "title" was "a"; here it is "b" now, and in the
  /// store "c"`
  fileprivate func sentence(_ old: String, _ new: String, _ present: String) -> String {
    let name = key.map { "\(object): \(quoted($0))" } ?? "\(object)"
    return switch kind {
    case .value: localized("\(name) was \(old); here it is \(new) now, and in the store \(present)")
    case .deleted: localized("\(object) was changed here, and deleted in the store")
    case .changed:
      localized(
        "\(object) was deleted here, and in the store its \"\(key ?? "")\" is \(present) now")
    case .destination(let id): localized("\(name) leads to \(id), which was deleted in the store")
    case .taken: localized("\(object) is there already")
    case .leads(let cause) where key == nil:
      localized(
        "\(object) would be deleted with \(cause), to which somebody else has added it in the store"
      )
    case .leads(let cause):
      localized("\(name) leads to \(cause) in the store, which was deleted here")
    case .beside(let cause):
      localized(
        "\(name) was given by somebody else in the store, and would be changed with \(cause)")
    case .together(let other):
      localized("\(object) was deleted here together with \(other), which stays")
    }
  }
}

extension ChangeConflict {
  /// Returns the sentence for a conflict that prevents reverting a save.
  package func sentenceOfReversal(old: String, present: String) -> String {
    switch kind {
    case .value, .changed:
      localized("\(object): \"\(key ?? "")\" is \(present) now, and the save had left \(old)")
    case .deleted: localized("\(object) was deleted since")
    case .taken: localized("\(object) is there again")
    case .destination(let id): localized("\(object): \"\(key ?? "")\" led to \(id), which is gone")
    case .beside(let id), .leads(let id), .together(let id):
      localized("\(object) hangs together with \(id), which came or changed since")
    }
  }
}
