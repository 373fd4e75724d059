import KuraDiagnostics
import KuraGraph
import KuraSentences
import KuraStore

extension HistoryFacts {
  /// Converts a refusal of the history to a failure.
  static func saying<Result>(
    _ body: () throws(SaveHistory.Refusal) -> Result
  ) throws(Failure) -> Result {
    do throws(SaveHistory.Refusal) { return try body() } catch {
      throw Failure(HistoryFacts.refused(error.reason))
    }
  }
}

/// A problem with the history of a store.
enum HistoryFacts: DiagnosticFacts {
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
  case meets(ChangeFacts)
  case notReverted(Int64)
  /// `.history keep x`
  case unknownSetting

  var sentence: String {
    switch self {
    case .notKept: localized("no history of this store is kept")
    case .refused(let reason): localized("the history cannot be read or written: \(reason)")
    case .notNoted(let reason): localized("saved, but not noted in the history: \(reason)")
    case .broken(.unknown(let number, _)): localized("no save \(number) is kept")
    case .broken(.model(let number)):
      localized("save \(number) changed the model: nothing reaches back behind it")
    case .broken(.otherType(let number, let entity, let key)):
      localized("save \(number) has values of \(entity).\(key), whose type has changed since")
    case .broken(.refused(let number, let refusal)):
      localized("save \(number) does not fit the model: \(refusal.sentence)")
    case .broken(.gap(let number)):
      localized(
        "what save \(number) left is not what was found behind it: something was saved that is not in the history"
      )
    case .gaps(let numbers):
      localized(
        "after save \(numbers.map { "\($0)" }.list) the store was changed, and the history does not say how"
      )
    case .otherModel(let path): localized("\"\(path)\" has another model")
    case .noObject: localized("an object is wanted")
    case .meets(.conflict(let conflict, let old, _, let present)):
      conflict.sentenceOfReversal(old: old, present: present)
    case .meets(let facts): facts.sentence
    case .notReverted(let number):
      localized("nothing was taken back: later changes meet what save \(number) did")
    case .unknownSetting: localized("expected keep and a number of saves, or forget")
    }
  }

  var help: String? {
    switch self {
    case .notKept: localized(".history keep 1000 saves begins one")
    case .broken(.unknown(_, let kept)):
      kept.map { localized("kept are \($0.lowerBound) to \($0.upperBound)") }
        ?? localized("nothing has been saved since")
    case .broken(.gap): localized("others may have saved: .refresh reads that")
    case .gaps: localized("a line is damaged, a save was not noted, or the document was edited")
    case .noObject: localized("write for instance history of Item/3")
    case .unknownSetting: localized("for instance .history keep 1000 saves")
    case .refused, .notNoted, .broken(.model), .broken(.otherType), .broken(.refused), .otherModel,
      .meets, .notReverted:
      nil
    }
  }
}
