import KuraSentences

extension ReadOnlyReason {
  func sentence(_ path: String) -> String {
    switch self {
    case .hardLinks(let count):
      localized("\"\(path)\" has \(count) names (hard links), and is read only")
    case .journalLinks(let count):
      localized("\"\(path).journal\" has \(count) names (hard links), and the store is read only")
    case .folderNotWritable(let number):
      localized(
        "the folder of \"\(path)\" cannot be written (\(reason(number))), and the store is read only"
      )
    case .documentNotWritable(let number):
      localized("\"\(path)\" cannot be written (\(reason(number))), and is read only")
    case .noLocks(let number):
      localized(
        "the file system of \"\(path)\" has no locks (\(reason(number))), and it is read only")
    case .changedBesideJournal:
      localized(
        "\"\(path)\" was changed by something else than Kura, and \"\(path).journal\" has saves that belong to what it was; it is read only"
      )
    case .damagedJournal(record: 0, _):
      localized(
        "the first line of \"\(path).journal\" is damaged; \"\(path)\" is here without its saves, to be read only"
      )
    case .damagedJournal(let record, let isLast):
      localized(
        "save \(record) of \"\(path).journal\" is damaged\(isLast ? "" : localized(", and not the last")); \(record == 1 ? localized("what was there before it is") : localized("the saves before it are")) here, to be read only"
      )
    case .anotherJournal: sentenceForOpenStore(path)
    }
  }

  /// The same where it came up after the store was opened: nothing was read anew.
  func sentenceForOpenStore(_ path: String) -> String {
    switch self {
    case .changedBesideJournal:
      localized(
        "\"\(path)\" was changed by something else than Kura, and \"\(path).journal\" has saves that belong to what it was"
      )
    case .damagedJournal(let record, _):
      record == 0
        ? localized("the first line of \"\(path).journal\" is damaged")
        : localized("save \(record) of \"\(path).journal\" is damaged")
    case .anotherJournal:
      localized("\"\(path).journal\" was put in the place of one that had saves which are here")
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks:
      sentence(path)
    }
  }

  package func help(_ path: String) -> String {
    switch self {
    case .hardLinks:
      localized("a save would part it from its other names: copy it, and open the copy")
    case .journalLinks:
      localized("a save would change what its other names lead to: take them away")
    case .folderNotWritable, .documentNotWritable: localized("save \"FILE\" writes it elsewhere")
    case .noLocks: localized("kura --no-lock, where nobody else opens it")
    case .changedBesideJournal:
      localized(
        "put the old document back and it goes on; or keep the new one and give up those saves: rename \"\(path).journal\""
      )
    case .damagedJournal(record: 0, isLast: true):
      localized(
        "kura --drop-damaged-save gives up what it held; or bring the journal back from a backup")
    case .damagedJournal(_, isLast: true):
      localized(
        "kura --drop-damaged-save gives up that save; or bring the journal back from a backup")
    case .damagedJournal(_, isLast: false):
      localized("save \"FILE\" keeps what is here; or bring the journal back from a backup")
    case .anotherJournal: helpForOpenStore(path)
    }
  }

  func helpForOpenStore(_ path: String) -> String {
    switch self {
    case .changedBesideJournal, .damagedJournal, .anotherJournal:
      localized(
        "nothing was taken in, and what is here is whole: save \"FILE\" writes it elsewhere")
    case .hardLinks, .journalLinks, .folderNotWritable, .documentNotWritable, .noLocks: help(path)
    }
  }
}
