import KuraDiagnostics
import KuraGraph
import KuraSentences
import KuraStore

extension HistoryCommandProblem {
  /// Converts an error of the history to a failure.
  static func convertingErrors<Result>(
    _ body: () throws(SidecarProblem) -> Result
  ) throws(Failure) -> Result {
    do throws(SidecarProblem) { return try body() } catch {
      throw Failure(HistoryCommandProblem.refused(error.reason))
    }
  }
}

/// A problem with the history of a store.
enum HistoryCommandProblem: DiagnosticFacts {
  case notKept
  case refused(String)
  case notNoted(String)
  case broken(SaveChain.Break)
  /// `history`: the saves that a gap follows
  case gaps([Int64])
  /// `diff "OTHER.json"`
  case otherModel(String)
  /// `history of 3`
  case noObject
  /// An object or value that exists now but did not after the save.
  case meets(ChangeProblem)
  case notReverted(Int64)
  /// `.history keep x`
  case unknownSetting

  var sentence: String {
    switch self {
    case .notKept: localized("history is off for this store")
    case .refused(let reason): localized("cannot read or write the history: \(reason)")
    case .notNoted(let reason): localized("saved, but not recorded in the history: \(reason)")
    case .broken(.unknown(let number, _)): localized("the history has no save \(number)")
    case .broken(.model(let number)):
      localized("save \(number) changed the model: Kura cannot go back to earlier saves")
    case .broken(.otherType(let number, let entity, let key)):
      localized("save \(number) has values of \(entity).\(key), whose type has changed since")
    case .broken(.refused(let number, let refusal)):
      localized("save \(number) does not fit the model: \(refusal.sentence)")
    case .broken(.gap(let number)):
      localized(
        "after save \(number), there was a save that is not in the history"
      )
    case .gaps(let numbers):
      localized(
        "the store changed after save \(numbers.map { "\($0)" }.list), and the history does not record how"
      )
    case .otherModel(let path): localized("\"\(path)\" has a different model")
    case .noObject: localized("expected an object")
    case .meets(.conflict(let conflict, let old, _, let present)):
      conflict.sentenceOfReversal(old: old, present: present)
    case .meets(let facts): facts.sentence
    case .notReverted(let number):
      localized("nothing was reverted: later changes conflict with save \(number)")
    case .unknownSetting: localized("expected keep and a number of saves, or forget")
    }
  }

  var help: String? {
    switch self {
    case .notKept: localized("turn it on with .history keep 1000 saves")
    case .broken(.unknown(_, let available)):
      available.map { localized("the history has saves \($0.lowerBound) to \($0.upperBound)") }
        ?? localized("the history has no saves yet")
    case .broken(.gap): localized("another session may have saved: .refresh reads its changes")
    case .gaps: localized("a line is damaged, a save was not recorded, or the document was edited")
    case .noObject: localized("for example history of Item/3")
    case .unknownSetting: localized("for example .history keep 1000 saves")
    case .refused, .notNoted, .broken(.model), .broken(.otherType), .broken(.refused), .otherModel,
      .meets, .notReverted:
      nil
    }
  }
}
