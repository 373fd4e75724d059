import Foundation
import KuraGraph
import KuraModel
import KuraStore
import KuraValues

extension StoreConnection {
  /// Returns the saves of the history; throws if the store keeps none.
  func saveChain() throws -> SaveChain {
    guard let keeper else { throw StoreError.notKept }
    guard let contents = try StoreError.convertingHistoryErrors({ try keeper.history.read() })
    else {
      throw StoreError.history(.notKept)
    }
    return SaveChain(contents, now: keeper.state)
  }

  /// Returns the keeper of the store; throws if this program cannot write to it.
  func writableKeeper() throws -> StoreKeeper {
    guard let keeper else { throw StoreError.notKept }
    if let readOnlyReason { throw StoreError.readOnly(readOnlyReason) }
    return keeper
  }

  /// Returns a history entry for a save, still without its change.
  func entry(_ actions: [String], by author: String?) -> SaveEntry {
    SaveEntry(
      time: .now, author: author ?? NSUserName(), program: Self.program, actions: actions)
  }

  static let program =
    CommandLine.arguments.first
    .map { URL(filePath: $0).lastPathComponent } ?? ""
}
