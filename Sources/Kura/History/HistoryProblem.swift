import KuraStore

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
