import KuraStore

/// Why the history of a store does not say what was asked of it.
public enum HistoryProblem: Error, Sendable, Equatable {
  /// None is kept; ``Store/keepHistory(_:)`` begins one.
  case notKept
  /// The system refused to read or write it, for the reason that is said.
  case refused(String)
  /// No save of that number is kept, but those.
  case unknown(Int64, kept: ClosedRange<Int64>?)
  /// That save changed the model, and what was before it cannot be told.
  case changedModel(Int64)
  /// That save has a value of this key that the model does not allow: the key's type has changed since, or
  /// the file was edited.
  case otherType(Int64, key: String)
  /// What that save left is not what was found behind it: something was saved that is not in the
  /// history, or by others and not yet taken in with `refresh`.
  case gap(Int64)
}

extension HistoryProblem: CustomStringConvertible {
  /// A sentence.
  public var description: String {
    switch self {
    case .notKept: "no history of this store is kept; keepHistory() begins one"
    case .refused(let reason): "the history cannot be read or written: \(reason)"
    case .unknown(let number, let kept):
      "no save \(number) is kept; "
        + (kept.map { "kept are \($0.lowerBound) to \($0.upperBound)" } ?? "nothing was saved since")
    case .changedModel(let number):
      "save \(number) changed the model: nothing reaches back behind it"
    case .otherType(let number, let key):
      "save \(number) does not fit the model: \(key) has another type now"
    case .gap(let number):
      "what save \(number) left is not what was found behind it; others may have saved: refresh() reads that"
    }
  }
}

extension HistoryProblem {
  init(_ broken: SaveChain.Break) {
    switch broken {
    case .unknown(let number, let kept): self = .unknown(number, kept: kept)
    case .model(let number): self = .changedModel(number)
    case .otherType(let number, let entity, let key):
      self = .otherType(number, key: "\(entity).\(key)")
    case .refused(let number, let refusal): self = .otherType(number, key: refusal.place)
    case .gap(let number): self = .gap(number)
    }
  }
}

extension StoreError {
  /// Does what may be refused by the system or break off in the history.
  static func sayingHistory<Result>(
    _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let refusal as SaveHistory.Refusal {
      throw StoreError.history(.refused(refusal.reason))
    } catch let broken as SaveChain.Break {
      throw StoreError.history(HistoryProblem(broken))
    }
  }
}
