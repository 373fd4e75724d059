import KuraDiagnostics
import KuraValues

extension ChangeFacts: DiagnosticFacts {
  package var sentence: String {
    switch self {
    case .unknownEntity(let entity, _): "there is no entity \"\(entity)\""
    case .abstractEntity(let entity): "\(entity) is abstract and has no objects of its own"
    case .badObjectID(let number):
      "\(number) is no objectID: they go from 1 to \(ObjectID.greatestNumber)"
    case .takenObjectID(let id): "\(id) is there already"
    case .unknownKey(let key, let entity, _): "\(entity) has no key \"\(key)\""
    case .keyTwice(let key): "the key \"\(key)\" is given twice"
    case .notObjects(let key, let destination, let isToMany):
      "\"\(key)\" is \(isToMany ? "objects" : "one object") of \(destination)"
    case .notOneObject(let key, let count):
      "\"\(key)\" is one object, and these are \(count)"
    case .noObject(let id): "there is no \(id)"
    case .wrongDestination(let id, let key, let destination):
      "\"\(key)\" leads to \(destination), and \(id) is none"
    case .unresolvedDestination(let entity, let key, let destination):
      "\(entity).\(key) leads to \(destination), which is not defined yet"
    case .invalid(let failure): failure.sentence
    case .derived(let key, let entity): "\(entity).\(key) is derived and cannot be set"
    case .underivable(let object, let key, let reason):
      "\(object): \"\(key)\" cannot be derived: \(reason)"
    case .badDefault(let key, let reason): "the default of \"\(key)\" cannot be computed: \(reason)"
    case .circularDerivation(let id, let key):
      "\(id): \"\(key)\" is derived from itself, over other objects"
    case .conflict(let conflict, let old, let new, let present):
      conflict.sentence(old, new, present)
    case .modelConflict:
      "the store was saved by somebody else, and changes of the model are not merged with that"
    case .notUndoable(let name, let id):
      "\"\(name)\" cannot be turned round: \(id) has been changed by somebody else since"
    }
  }

  package var help: String? {
    switch self {
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known)) ?? ChangeFacts.list("its entities are", known)
    case .unknownKey(let key, _, let known):
      didYouMean(nearNames(to: key, among: known)) ?? ChangeFacts.list("its keys are", known)
    case .abstractEntity: "insert an object of one of its subentities"
    case .takenObjectID: "leave out the objectID to get the next free one"
    case .notObjects(_, let destination, let isToMany):
      isToMany ? "write {\(destination)/1, \(destination)/2}" : "write \(destination)/1"
    case .notOneObject(_, let count):
      count == 0 ? "write NULL for none" : "choose one of them, as with limit 1"
    case .unresolvedDestination(_, _, let destination): "define it: entity \(destination) { … }"
    case .derived: "leave it out: it is computed after each statement"
    case .circularDerivation: "the objects lead in a circle: let one of them lead nowhere"
    case .modelConflict: "save it as another file: save \"FILE\"; or rollback, then .refresh"
    case .notUndoable: "set what is to be there with update"
    case .badDefault(let key, _): "give \(key) a value, or change the default: alter entity"
    case .conflict, .underivable, .badObjectID, .keyTwice, .noObject, .wrongDestination, .invalid:
      nil
    }
  }

  private static func list(_ words: String, _ names: [String]) -> String? {
    names.isEmpty ? nil : "\(words) \(names.joined(separator: ", "))"
  }
}

extension ValidationFailure: CustomStringConvertible {
  /// `MemoDate/3: "title" has no value, and is not optional (1570)`
  public var description: String { sentence }

  var sentence: String { "\(object): \"\(key)\" \(reason) (\(rule.rawValue))" }

  /// Where a rule could not be asked.
  private func unknown(_ problem: String) -> String {
    switch rule {
    case .pattern: "cannot be compared with \"\(wanted)\": \(problem)"
    default: "cannot be held to its rule: check (\(wanted)): \(problem)"
    }
  }

  private var reason: String {
    if let problem { return unknown(problem) }
    return switch rule {
    case .check: "does not keep its rule: check (\(wanted))"
    case .unique: "is what \(wanted) has already, and is unique"
    case .missing: "has no value, and is not optional"
    case .tooFew: "has fewer objects than \(wanted)"
    case .tooMany: "has more objects than \(wanted)"
    case .deniedDelete: "has \(wanted), and that denies its deletion"
    case .dangling: "leads to \(wanted), which is deleted"
    case .numberTooLarge: "is larger than \(wanted)"
    case .numberTooSmall: "is smaller than \(wanted)"
    case .dateTooLate: "is later than \(wanted)"
    case .dateTooSoon: "is sooner than \(wanted)"
    case .stringTooLong: "is longer than \(wanted)"
    case .stringTooShort: "is shorter than \(wanted)"
    case .pattern: "does not match \"\(wanted)\""
    }
  }
}

extension ChangeConflict {
  /// `Item/3: "title" was "a"; here it is "b" now, and in the store "c"`
  fileprivate func sentence(_ old: String, _ new: String, _ present: String) -> String {
    let name = key.map { "\(object): \"\($0)\"" } ?? "\(object)"
    return switch kind {
    case .value: "\(name) was \(old); here it is \(new) now, and in the store \(present)"
    case .deleted: "\(object) was changed here, and deleted in the store"
    case .changed:
      "\(object) was deleted here, and in the store its \"\(key ?? "")\" is \(present) now"
    case .destination(let id): "\(name) leads to \(id), which was deleted in the store"
    case .taken: "\(object) is there already"
    case .leads(let cause) where key == nil:
      "\(object) would be deleted with \(cause), to which somebody else has added it in the store"
    case .leads(let cause): "\(name) leads to \(cause) in the store, which was deleted here"
    case .beside(let cause):
      "\(name) was given by somebody else in the store, and would be changed with \(cause)"
    case .together(let other): "\(object) was deleted here together with \(other), which stays"
    }
  }
}
