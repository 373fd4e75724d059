import KuraDiagnostics
import KuraScript
import KuraSentences
import KuraStore

extension Setting {
  static let history = Setting(
    name: "history", synopsis: ".history [keep N saves|forget]",
    summary: "how many saves the history of the store keeps",
    details: """
      The file STORE.history, next to the store, records the saves of every session: the time, the
      author (--author), the changes, and each value before and after. forget deletes the file.
      """,
    arguments: 0...3, effect: .changes
  ) { session, call in
    guard let keeper = session.store.keeper else { throw Failure(StoreFileProblem.notKept) }
    let history = keeper.history
    if let word = call.argument {
      guard let order = HistoryOrder(call) else {
        throw Failure(HistoryCommandProblem.unknownSetting, at: word.span)
      }
      try session.checkMayChangeFiles(at: word.span)
      try HistoryCommandProblem.convertingErrors { () throws(SidecarProblem) in
        try order.perform(by: keeper)
      }
    }
    let contents = try HistoryCommandProblem.convertingErrors { () throws(SidecarProblem) in
      try history.read()
    }
    session.report(Report.history(contents))
  }
}

private enum HistoryOrder {
  case keep(Int)
  case forget

  /// `keep 1000 saves`, `forget`
  init?(_ call: SettingCall) {
    let words = call.arguments.map { $0.text.lowercased() }
    if words == ["forget"] {
      self = .forget
    } else if words.count >= 2, words[0] == "keep", let count = Int(words[1]), count > 0,
      count <= 1_000_000, words.count == 2 || words[2] == "saves" || words[2] == "save"
    {
      self = .keep(count)
    } else {
      return nil
    }
  }
}

extension HistoryOrder {
  fileprivate func perform(by keeper: StoreKeeper) throws(SidecarProblem) {
    switch self {
    case .keep(let count): try keeper.keepHistory(count)
    case .forget: try keeper.history.forget()
    }
  }
}

extension Report {
  /// Returns `.history keep 1000 saves; 12 kept`.
  fileprivate static func history(_ contents: SaveHistory.Contents?) -> String {
    guard let contents else { return localized(".history is off") }
    let damaged =
      contents.damaged == 0
      ? "" : localized(", \(counted(contents.damaged, "line is", "lines are")) damaged")
    return localized(".history keep \(contents.limit) saves; \(contents.saves.count) kept")
      + damaged
  }
}
