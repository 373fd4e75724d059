import KuraSentences
import KuraStore

extension Question {
  static func recover(_ header: Recovery.Header) -> String {
    localized(
      "A session that ended at \(header.moment) left unsaved changes: \(header.phrase). Recover them? [y]es, [n]o and delete them, [l]ater: "
    )
  }
}

extension Report {
  static func recoveryWritten(_ phrase: String, _ path: String) -> String {
    localized(
      "unsaved changes (\(phrase)) are kept in \(path); the next session offers to recover them")
  }

  static func recovered(_ header: Recovery.Header) -> String {
    localized(
      "recovered: \(header.phrase); for details: changes; to keep: save; to discard: undo")
  }

  static func dropped(_ header: Recovery.Header) -> String {
    localized("deleted: the unsaved changes from \(header.moment) (\(header.phrase))")
  }

  static func dropped(_ path: String) -> String { localized("deleted: \(path)") }

  static func recoverLater(_ path: String) -> String {
    localized("the changes stay in \(path); .recover restores them, .recover drop deletes them")
  }

  static var nothingToRecover: String {
    localized("there are no unsaved changes from an earlier session")
  }
}
