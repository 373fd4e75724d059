import Foundation
import KuraDiagnostics
package import KuraJSON

/// What is wrong with a store or a file of JSON.
package enum StoreFacts: Sendable {
  case cannotOpen(path: String, errorNumber: Int32)
  /// `save "nowhere/todo.json"`
  case noFolder(path: String, folder: String)
  case cannotRead(path: String, errorNumber: Int32)
  case cannotWrite(path: String, errorNumber: Int32)
  case isDirectory(path: String)
  case exists(path: String)
  /// `save "todo.sqlite"`
  case otherFormat(path: String, OtherFormat)
  /// `save "todo.json.new"` if `todo.json` exists
  case nameOfOwnFile(path: String, store: String)
  case empty
  case notUTF8(encoding: String)
  case syntax(JSONSyntaxError)
  case unknownFormat(String)
  case unknownTimeZone(String)
  case unknownKey(String)
  case notAnObject(String)
  case badNextObjectID(String)
  case unknownEntity(String, known: [String])
  case noModel
  case modelBehindObjects
  case row(RowFault)
  case moreProblems(Int)
}

extension StoreFacts {
  /// Why a path could not be opened; that its folder is missing is said as such.
  static func notOpened(_ path: String, _ number: Int32) -> StoreFacts {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return number == ENOENT && !FileManager.default.fileExists(atPath: folder)
      ? .noFolder(path: path, folder: folder) : .cannotOpen(path: path, errorNumber: number)
  }
}

/// A row that breaks its model: `Item/5, key "title": …`
package struct RowFault: Sendable {
  package enum Kind: Sendable {
    case unknownKey(known: [String])
    case mismatch(type: String, found: String)
    case notAnObject
    case missing
    case duplicateObjectID
    case dangling(Int64, destination: String)
    case contradiction(other: String)
    case abstract
    case twice(Int64, destination: String)
  }

  package var kind: Kind
  package var entity: String
  package var objectID: Int64?
  /// The place in the array, from 1.
  package var row: Int
  package var key: String?
}

extension StoreProblems {
  /// Whether a file that was to be new is there already.
  package var isFileThere: Bool {
    facts.contains { if case .exists = $0 { true } else { false } }
  }

  /// Whether there is no such file, or could be none of that name.
  package var isFileMissing: Bool {
    facts.contains {
      if case .noFolder = $0 { return true }
      guard case .cannotOpen(_, let number) = $0 else { return false }
      return number == ENOENT || number == ENOTDIR || number == ENAMETOOLONG
    }
  }

  private var facts: [StoreFacts] { diagnostics.compactMap { $0.facts as? StoreFacts } }
}
