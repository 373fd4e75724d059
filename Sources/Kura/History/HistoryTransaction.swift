public import Foundation
import KuraGraph
import KuraModel
import KuraStore
public import KuraValues

/// A save as the history of a store has it: when, by whom, what was done, and each value before and
/// after.
///
///     for save in try store.history() { print(save.id, save.author, save.actionNames) }
public struct HistoryTransaction: Sendable, Identifiable {
  /// Its number; the first that was kept is 1.
  public let id: Int64
  /// When it was saved.
  public let time: Date
  /// Who saved: the context's `transactionAuthor`, the shell's `--author`, or the user's name.
  public let author: String
  /// The program that saved: `kura 0.1.0`
  public let program: String
  /// How the undo groups in it are called: `insert Item`.
  public let actionNames: [String]
  private let change: ChangeSet?
  private let model: Model

  init(_ entry: SaveEntry, in model: Model) {
    (id, author, program) = (entry.number, entry.author, entry.program)
    (time, actionNames) = (entry.time.date, entry.actions)
    (change, self.model) = (entry.change, model)
  }

  /// Whether it changed the model; of what it did to objects nothing is kept then.
  public var changesModel: Bool { change == nil }

  /// What became of each object. Linear in the changes.
  public var changes: [HistoryChange] { change.map { HistoryChange.all($0, in: model) } ?? [] }
}

extension HistoryTransaction: CustomStringConvertible {
  /// `save 3 by 花子: insert Item, update Item`. Linear in the action names.
  public var description: String {
    "save \(id) by \(author): \(actionNames.joined(separator: ", "))"
  }
}

/// What a save, or several, did to one object.
public struct HistoryChange: Sendable, Hashable {
  /// What became of an object.
  public enum Kind: String, Sendable, CaseIterable {
    case insert, update, delete
  }

  /// What became of it.
  public let kind: Kind
  /// Which object it is, be it there still or not.
  public let object: ObjectID
  /// Of a new object each key that has a value, of a deleted one each that had one, else those with
  /// other values; in the model's order.
  public let values: [ChangedValue]

  /// The values of a key before and after; nil where it has none and had none, or the same. Linear
  /// in them.
  public subscript(key: String) -> ChangedValue? { values.first { $0.key == key } }
}

/// The value of a key before and after.
public struct ChangedValue: Sendable, Hashable {
  /// The attribute or relationship.
  public let key: String
  /// What it was; null of a new object. Related objects are there by their identity alone.
  public let old: Value
  /// What it became; null of a deleted object.
  public let new: Value
}

// Of a change set
extension HistoryChange {
  static func all(_ change: ChangeSet, in model: Model) -> [HistoryChange] {
    change.inserted.flatMap { batch in
      all(.insert, batch, in: model) { ChangedValue(key: $0, old: .null, new: $1) }
    }
      + change.updated.flatMap { all($0, in: model) }
      + change.deleted.flatMap { batch in
        all(.delete, batch, in: model) { ChangedValue(key: $0, old: $1, new: .null) }
      }
  }

  private static func all(
    _ kind: Kind, _ batch: ObjectBatch, in model: Model, _ changed: (String, Value) -> ChangedValue
  ) -> [HistoryChange] {
    let properties = batch.columns.map { model.property(named: $0.key, of: batch.entity) }
    return batch.numbers.indices.map { i in
      let values = zip(batch.columns, properties).compactMap { column, property in
        column.values[i] == .null
          ? nil : changed(column.key, column.values[i].value(of: property, in: model))
      }
      return HistoryChange(
        kind: kind, object: ObjectID(batch.entity, batch.numbers[i], in: model), values: values)
    }
  }

  private static func all(_ batch: UpdatedObjects, in model: Model) -> [HistoryChange] {
    let properties = batch.columns.map { model.property(named: $0.key, of: batch.entity) }
    return batch.numbers.indices.map { i in
      let values = zip(batch.columns, properties).map { column, property in
        ChangedValue(
          key: column.key, old: column.old[i].value(of: property, in: model),
          new: column.new[i].value(of: property, in: model))
      }
      return HistoryChange(
        kind: .update, object: ObjectID(batch.entity, batch.numbers[i], in: model), values: values)
    }
  }
}

extension ObjectID {
  fileprivate init(_ entity: String, _ number: Int64, in model: Model) {
    self.init(entity: entity, root: model.root(of: entity), number: number)
  }
}
