public import Foundation
import KuraGraph
import KuraModel
import KuraStore
public import KuraValues

/// A save in the history of a store: its time, author and actions, and each value before and after.
///
///     for save in try store.history() { print(save.id, save.author, save.actionNames) }
public struct HistoryTransaction: Sendable, Identifiable {
  /// The number of the save. The first save that was recorded has the number 1.
  public let id: Int64
  /// The time of the save.
  public let time: Date
  /// The author: the context's `transactionAuthor`, the shell's `--author`, or the user's name.
  public let author: String
  /// The program that saved, such as `kura 0.1.0`.
  public let program: String
  /// The names of the undo groups in the save, such as `insert Item`.
  public let actionNames: [String]
  private let change: ChangeSet?
  private let model: Model

  init(_ entry: SaveEntry, in model: Model) {
    (id, author, program) = (entry.number, entry.author, entry.program)
    (time, actionNames) = (entry.time.date, entry.actions)
    (change, self.model) = (entry.change, model)
  }

  /// Whether the save changed the model. The history then has no changes of objects.
  public var changesModel: Bool { change == nil }

  /// The change of each object. Linear in the changes.
  public var changes: [HistoryChange] { change.map { HistoryChange.all($0, in: model) } ?? [] }
}

extension HistoryTransaction: CustomStringConvertible {
  /// `save 3 by 花子: insert Item, update Item`. Linear in the action names.
  public var description: String {
    "save \(id) by \(author): \(actionNames.joined(separator: ", "))"
  }
}

/// The change of one object in one save or several.
public struct HistoryChange: Sendable, Hashable {
  /// The kind of change of an object.
  public enum Kind: String, Sendable, CaseIterable {
    case insert, update, delete
  }

  /// The kind of change.
  public let kind: Kind
  /// The identity of the object, which may have been deleted since.
  public let object: ObjectID
  /// The values before and after, in the order of the model: for a new or deleted object, all keys
  /// with a value; for an updated one, the keys whose values changed.
  public let values: [ChangedValue]

  /// The values of a key before and after; nil if the key is not in `values`. Linear in them.
  public subscript(key: String) -> ChangedValue? { values.first { $0.key == key } }
}

/// The value of a key before and after.
public struct ChangedValue: Sendable, Hashable {
  /// The name of the attribute or relationship.
  public let key: String
  /// The value before; null for a new object. Related objects are identities.
  public let old: Value
  /// The value after; null for a deleted object.
  public let new: Value
}

// Changes of a change set
extension HistoryChange {
  static func all(_ change: ChangeSet, in model: Model) -> [HistoryChange] {
    change.inserted.flatMap { all(.insert, $0, in: model) }
      + change.updated.flatMap { all(.update, $0, in: model) }
      + change.deleted.flatMap { all(.delete, $0, in: model) }
  }

  private static func all(_ kind: Kind, _ batch: ObjectBatch, in model: Model) -> [HistoryChange] {
    let properties = batch.columns.map { model.property(named: $0.key, of: batch.entity) }
    return batch.objectIDs(in: model).enumerated().map { i, id in
      let values = zip(batch.changes(i), properties).filter { !$0.0.isOfNothing }
        .map { change, property in
          ChangedValue(
            key: change.key, old: change.old?.value(of: property, in: model) ?? .null,
            new: change.new?.value(of: property, in: model) ?? .null)
        }
      return HistoryChange(kind: kind, object: id, values: values)
    }
  }
}

/// The reasons why the history of a store cannot answer a request.
public enum HistoryProblem: Error, Sendable, Equatable {
  /// The store keeps no history; ``Store/keepHistory(_:)`` begins one.
  case notKept
  /// The system refused to read or write the history, for the given reason.
  case refused(String)
  /// The history has no save of that number, only those in `kept`.
  case unknown(Int64, kept: ClosedRange<Int64>?)
  /// That save changed the model, so the state before it is unknown.
  case changedModel(Int64)
  /// That save has a value for this key that the model does not allow: the type of the key has
  /// changed since the save, or the file was edited.
  case otherType(Int64, key: String)
  /// The state after that save differs from the state before the next one. A save in between is
  /// missing from the history, or was made by another program and is not yet merged with `refresh`.
  case gap(Int64)
}

extension HistoryProblem: CustomStringConvertible {
  /// The problem as a sentence.
  public var description: String {
    switch self {
    case .notKept: "history is off for this store; keepHistory() turns it on"
    case .refused(let reason): "cannot read or write the history: \(reason)"
    case .unknown(let number, let available):
      "the history has no save \(number); "
        + (available.map { "it has saves \($0.lowerBound) to \($0.upperBound)" }
          ?? "it has no saves yet")
    case .changedModel(let number):
      "save \(number) changed the model: Kura cannot go back to earlier saves"
    case .otherType(let number, let key):
      "save \(number) has a value of \(key) that the model does not allow"
    case .gap(let number):
      "after save \(number), there was a save that is not in the history; others may have saved: refresh() reads their changes"
    }
  }
}

extension HistoryProblem {
  init(_ broken: SaveChain.Break) {
    switch broken {
    case .unknown(let number, let available): self = .unknown(number, kept: available)
    case .model(let number): self = .changedModel(number)
    case .otherType(let number, let entity, let key):
      self = .otherType(number, key: "\(entity).\(key)")
    case .refused(let number, let refusal): self = .otherType(number, key: refusal.place)
    case .gap(let number): self = .gap(number)
    }
  }
}

extension StoreError {
  /// Calls a closure, and throws refusals of the system and problems of the history as a
  /// `StoreError`.
  static func convertingHistoryErrors<Result>(
    _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let refusal as SidecarProblem {
      throw StoreError.history(.refused(refusal.reason))
    } catch let broken as SaveChain.Break {
      throw StoreError.history(HistoryProblem(broken))
    }
  }
}
