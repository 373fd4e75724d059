import Foundation
import KuraGraph
import KuraModel
import KuraStore
import KuraValues

extension StoreConnection {
  /// The saves that are kept; throws where none are.
  func saveChain() throws -> SaveChain {
    guard let keeper else { throw StoreError.notKept }
    guard let contents = try StoreError.sayingHistory({ try keeper.history.read() }) else {
      throw StoreError.history(.notKept)
    }
    return SaveChain(contents, now: keeper.state)
  }

  /// The keeper of the store, where this program may write.
  func writableKeeper() throws -> StoreKeeper {
    guard let keeper else { throw StoreError.notKept }
    if let readOnlyReason { throw StoreError.readOnly(readOnlyReason) }
    return keeper
  }

  /// What the history, where one is kept, has of a save besides the change.
  func entry(_ actions: [String], by author: String?) -> SaveEntry {
    SaveEntry(
      time: .now, author: author ?? NSUserName(), program: Self.program, actions: actions)
  }

  static let program =
    CommandLine.arguments.first
    .map { URL(filePath: $0).lastPathComponent } ?? ""
}
