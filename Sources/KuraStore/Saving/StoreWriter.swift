import Foundation
import KuraDiagnostics
import KuraGraph
import KuraValues

/// Writes a store's document: whole, under another name first, then in the place of the old one.
package struct StoreWriter {
  /// The path as the user gave it.
  let path: String

  package init(path: String) { self.path = path }

  /// Writes the store; the old document is there until the new one is whole and on the disk.
  ///
  /// With `replacing` false a file that is there already is an error.
  package func write(_ store: OpenedStore, replacing: Bool) throws(StoreProblems) {
    do throws(WriteFailure) {
      let target = resolved
      guard replacing || kind(of: target) == nil else { throw .exists }
      // A device or pipe is written to; a folder cannot be; a file is put in the place of the old.
      switch kind(of: target) {
      case S_IFREG, nil: try writeAndRename(store, target)
      case S_IFDIR: throw .isDirectory
      default: try writeInPlace(store, target)
      }
    } catch {
      throw StoreProblems([Diagnostic(error.facts(path))])
    }
  }

  /// The file behind symbolic links: it is replaced, the links stay.
  private var resolved: String { StorePlace.resolved(path) }

  private func kind(of target: String) -> mode_t? {
    var status = stat()
    return stat(target, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// Why a document could not be written.
enum WriteFailure: Error {
  case system(Int32)
  case exists
  case isDirectory

  func facts(_ path: String) -> StoreFacts {
    switch self {
    case .system(let number): .cannotWrite(path: path, errorNumber: number)
    case .exists: .exists(path: path)
    case .isDirectory: .isDirectory(path: path)
    }
  }
}
