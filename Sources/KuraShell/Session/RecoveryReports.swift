import KuraSentences
import KuraStore

extension Question {
  static func recover(_ header: Recovery.Header) -> String {
    localized(
      "A session that was ended on \(header.moment) left unsaved changes: \(header.phrase). Take them in? [y]es, [n]o and delete them, [l]ater: "
    )
  }
}

extension Report {
  static func kept(_ phrase: String, _ path: String) -> String {
    localized("unsaved changes are kept, \(phrase), in \(path); the next session there offers them")
  }

  static func recovered(_ header: Recovery.Header) -> String {
    localized(
      "recovered: \(header.phrase); changes lists them, save writes them, undo takes them back")
  }

  static func dropped(_ header: Recovery.Header) -> String {
    localized("deleted: the unsaved changes of \(header.moment), \(header.phrase)")
  }

  static func dropped(_ path: String) -> String { localized("deleted: \(path)") }

  static func recoverLater(_ path: String) -> String {
    localized("they stay in \(path); .recover takes them in, .recover drop deletes them")
  }

  static var nothingToRecover: String {
    localized("no unsaved changes of an earlier session are here")
  }
}
