import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraScript

extension [FixIt] {
  /// Returns the first of all fixes with the same meaning: `= "x"` and `== "x"` are the same.
  func differing(in text: String) -> [FixIt] {
    var (texts, meanings) = (Set<String>(), [StatementMeaning]())
    return filter { fix in
      let corrected = fix.applied(to: text)
      guard texts.insert(corrected).inserted else { return false }
      guard count > 1, let meaning = StatementMeaning(corrected) else { return true }
      if meanings.contains(meaning) { return false }
      meanings.append(meaning)
      return true
    }
  }

  /// The fixes without those that turn a possible condition into a column.
  var withoutColumns: [FixIt] {
    let others = filter { $0.edits.map(\.replacement) != ["select "] }
    return others.isEmpty ? self : others
  }
}

/// The meaning of a statement that is one fetch.
private struct StatementMeaning: Equatable {
  private let kind: String
  private let fetch: FetchTree

  /// Creates the meaning; nil for any other text.
  init?(_ text: String) {
    let all = TypedStatements(text).all
    guard all.count == 1, case .statement(let statement) = all[0],
      statement.tree.typedParts.count == 1,
      case .fetch(let fetch, let parameters) = statement.tree.typedParts[0], parameters.isEmpty
    else { return nil }
    kind = String(describing: type(of: statement.tree))
    self.fetch = fetch
  }
}
