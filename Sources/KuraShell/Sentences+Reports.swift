import Foundation
import KuraGraph
import KuraModel
import KuraValues

/// What a session says on standard error when all is well.
enum Report {
  /// `3 inserted: Item/4, Item/5, Item/6`, and `20000 inserted: Item/1 … Item/20000`;
  /// `1 deleted: Category/1; 2 updated: Item/1, Item/2`
  ///
  /// `assigned` are the to-many relationships that the statement set; nil of several statements.
  static func changed(
    _ change: ChangeSet, in graph: Graph, assigned: AssignedLinks? = AssignedLinks()
  ) -> String {
    func names(_ batches: [(entity: String, numbers: [Int64])]) -> [String] {
      batches.flatMap { batch in batch.numbers.map { "\(batch.entity)/\($0)" } }
    }
    let parts = [
      list(names(change.inserted.map { ($0.entity, $0.numbers) }), "inserted"),
      list(names(change.deleted.map { ($0.entity, $0.numbers) }), "deleted"),
      list(ReportedUpdates(change, graph, assigned).names, "updated"),
    ].compactMap(\.self)
    return parts.isEmpty ? nothingChanged : parts.joined(separator: "; ")
  }

  /// Everything that was changed since the last save, or in a scratch context.
  static func changed(_ context: ManagedObjectContext, in zone: ZoneRules) -> String {
    let parts = ModelListing(zone: zone).notes(context)
    let change = context.netChange
    if change.isEmpty, !parts.isEmpty { return parts.joined(separator: "; ") }
    let objects = changed(change, in: context.graph, assigned: nil)
    return (parts + [objects]).joined(separator: "; ")
  }

  private static func list(_ names: [String], _ verb: String) -> String? {
    guard let first = names.first, let last = names.last else { return nil }
    let shown = names.count > 10 ? "\(first) … \(last)" : names.joined(separator: ", ")
    return "\(names.count) \(verb): \(shown)"
  }

  static let nothingChanged = "nothing changed"

  static func undone(_ name: String) -> String { "undone: \(name)" }
  static func redone(_ name: String) -> String { "done again: \(name)" }
  static let nothingToUndo = "nothing to undo"
  static let nothingToRedo = "nothing to do again"

  static func begun(_ name: String) -> String {
    "scratch context: \(name); commit keeps what is changed in it, cancel drops it"
  }
  static func committed(_ name: String, _ change: String, isToBeSaved: Bool) -> String {
    "committed: \(name): \(change)" + (isToBeSaved ? "; save writes it" : "")
  }
  /// `cancelled: move house; $new has no value any more`
  static func cancelled(_ name: String, variables: [String]) -> String {
    "cancelled: \(name)" + lost(variables)
  }

  static func defined(_ entity: String) -> String { "entity defined: \(entity)" }

  /// `0.000412`
  static func seconds(_ seconds: Double) -> String { String(format: "%.6f", seconds) }

  static func arguments(_ count: Int) -> String {
    count == 0 ? "no arguments" : count == 1 ? "one argument" : "\(count) arguments"
  }

  static func dropped(_ entity: String, objects: Int) -> String {
    "entity dropped: \(entity)"
      + (objects == 0 ? "" : ", with \(counted(objects, "object", "objects"))")
  }

  static func requestDefined(_ name: String) -> String { "request defined: \(name)" }
  static func requestDropped(_ name: String) -> String { "request dropped: \(name)" }

  static func saved(_ path: String, tookInOthers: Bool = false) -> String {
    "saved: \(path)" + (tookInOthers ? ", with what others have saved meanwhile" : "")
  }

  /// `Item/43 is now Item/44`
  static func renumbered(_ old: ObjectID, _ new: ObjectID) -> String { "\(old) is now \(new)" }

  static func wouldSave(_ path: String) -> String {
    "dry run: this would be saved to \(path); nothing was written"
  }

  static func wouldWrite(_ place: OutputPlace) -> String {
    switch place {
    case .file(let path): "dry run: results would be written to \(path); they are dropped"
    case .command(let command): "dry run: \(command) would read the results; they are dropped"
    }
  }

  /// What became of a change of one's own that met another's.
  static func settled(
    _ sentence: String, _ policy: MergePolicy, _ kind: ChangeConflict.Kind
  ) -> String {
    let outcome =
      switch (policy, kind) {
      case (.memory, .value), (.memory, .changed), (.memory, .beside), (.memory, .leads):
        "what is here was kept"
      case (_, .destination): "it leads there no more"
      default: "what is in the store was kept"
      }
    return "\(sentence): \(outcome)"
  }

  static let historyEnds =
    "others have changed the model: what was done before can no longer be undone"
  static let historyEndsAtModel =
    "others have saved: a step that changed the model, and what was done before it, can no longer be undone"
  static let refreshed = "read what others have saved"
  static let nothingNew = "nobody has saved since"
  static let folded = "the journal is folded into the document"
  static let wouldFold = "dry run: the journal would be folded into the document"
  static let nothingToFold = "there is no journal to fold"

  static func made(_ path: String) -> String { "made: \(path), an empty store" }

  static let nothingToSave = "nothing to save"

  static let valid = "all objects keep the rules"
  static let notLeft = "not left, for there are unsaved changes: save, or rollback"

  static func leftUnsaved(_ changes: UnsavedChanges) -> String {
    "left without saving: \(changes.phrase)"
  }

  static let nothingToRollBack = "nothing to roll back"

  /// `rolled back: 2 objects; $home has no value any more`
  static func rolledBack(_ changes: UnsavedChanges, variables: [String]) -> String {
    "rolled back: \(changes.phrase)" + lost(variables)
  }

  private static func lost(_ variables: [String]) -> String {
    if variables.isEmpty { return "" }
    let names = variables.map { "$" + $0 }.joined(separator: ", ")
    let loss = variables.count == 1 ? "has no value any more" : "have no values any more"
    return "; \(names) \(loss)"
  }

  static func leftOut(_ keys: [String]) -> String {
    "left out, for they hold no lists of objects: \(keys.joined(separator: ", "))"
  }

  /// `time: 0.000412345 s`
  static func time(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let digits = String(attoseconds / 1_000_000_000)
    return "time: \(seconds).\(String(repeating: "0", count: max(0, 9 - digits.count)))\(digits) s"
  }

  static func setting(_ name: String, _ value: String) -> String { ".\(name) \(value)" }
}

extension UnsavedChanges {
  /// `3 objects and 1 entity`; `1 object, 1 entity and 1 request`
  var phrase: String {
    let parts = [
      objects > 0 ? counted(objects, "object", "objects") : nil,
      entities > 0 ? counted(entities, "entity", "entities") : nil,
      requests > 0 ? counted(requests, "request", "requests") : nil,
    ].compactMap(\.self)
    let last = parts.suffix(2).joined(separator: " and ")
    return (parts.dropLast(2) + [last]).joined(separator: ", ")
  }
}

func counted(_ count: Int, _ one: String, _ many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}
