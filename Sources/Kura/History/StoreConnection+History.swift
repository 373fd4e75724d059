import Foundation
import KuraGraph
import KuraModel
import KuraStore
import KuraValues

extension StoreConnection {
  /// The saves that are kept; throws where none are.
  func keptSaves() throws -> [SaveEntry] {
    guard let keeper else { throw StoreError.notKept }
    guard let contents = try StoreError.sayingHistory({ try keeper.history.read() }) else {
      throw StoreError.history(.notKept)
    }
    return contents.saves
  }

  /// The history, where this program may write.
  func writableHistory() throws -> SaveHistory {
    guard let keeper else { throw StoreError.notKept }
    if let readOnlyReason { throw StoreError.readOnly(readOnlyReason) }
    return keeper.history
  }

  /// Adds a save that is on the disk to the history, where one is kept; gives a sentence where that
  /// is refused.
  func note(
    _ change: ChangeSet?, _ actions: [String], by author: String?, in model: Model
  ) -> String? {
    guard let keeper, change?.isEmpty != true else { return nil }
    let entry = SaveEntry(
      time: .now, author: author ?? NSUserName(), program: Self.program, actions: actions,
      change: change, in: model)
    do throws(SaveHistory.Refusal) { _ = try keeper.history.add(entry) } catch {
      return "saved, but not noted in the history: \(error.reason)"
    }
    return nil
  }

  static let program =
    CommandLine.arguments.first
    .map { URL(filePath: $0).lastPathComponent } ?? ""
}
