import Foundation
import KuraDiagnostics
package import KuraJSON

package enum StoreProblem: Sendable {
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
  case nameOfStoreFile(path: String, store: String)
  case empty
  case notUTF8(encoding: String)
  case syntax(JSONSyntaxError)
  /// Invalid JSON that a lenient reading understands from this place on; with the path if it reads all of it.
  case almostJSON(JSONSyntaxError, JSONRepair.Place, lenientPath: String?)
  /// `kura --lenient FILE` if no line of the file is JSON
  case nothingToRepair
  /// `kura --lenient todo.json`
  case lenientStore(path: String?)
  /// `kura todo.json log.jsonl`
  case storeAmongFiles(path: String?)
  case unknownFormat(String)
  case unknownTimeZone(String)
  case unknownKey(String)
  case notAnObject(String)
  case badNextObjectID(String)
  case unknownEntity(String, known: [String])
  case noModel
  case modelAfterObjects
  case row(RowProblem)
  case moreProblems(Int)
}

extension StoreProblem {
  /// Returns why a path could not be opened; a missing folder has a separate case.
  static func notOpened(_ path: String, _ number: Int32) -> StoreProblem {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return number == ENOENT && !FileManager.default.fileExists(atPath: folder)
      ? .noFolder(path: path, folder: folder) : .cannotOpen(path: path, errorNumber: number)
  }
}

extension StoreProblems {
  /// Whether a file exists that was to be new.
  package var isFileThere: Bool {
    facts.contains { if case .exists = $0 { true } else { false } }
  }

  /// Whether the file does not exist, or its name is impossible.
  package var isFileMissing: Bool {
    facts.contains {
      if case .noFolder = $0 { return true }
      guard case .cannotOpen(_, let number) = $0 else { return false }
      return number == ENOENT || number == ENOTDIR || number == ENAMETOOLONG
    }
  }

  private var facts: [StoreProblem] { diagnostics.compactMap { $0.facts as? StoreProblem } }
}

/// Finds files with names similar to a path that does not exist.
enum SimilarFiles {
  /// Larger folders are not searched.
  private static let mostNames = 4096

  /// Returns the files in the folder of a path with the most similar names, written like the path.
  ///
  ///     SimilarFiles.paths(near: "data/Todoey")   // ["data/Todoey.json"]
  ///
  /// JSON files and files with the extension of the path are considered.
  static func paths(near path: String) -> [String] {
    let url = URL(fileURLWithPath: path)
    let (files, folder) = (FileManager.default, url.deletingLastPathComponent())
    guard let names = try? files.contentsOfDirectory(atPath: folder.path),
      names.count <= mostNames
    else { return [] }
    let endings = [".json", ".jsonl", url.pathExtension.isEmpty ? nil : "." + url.pathExtension]
    let candidates = names.filter { name in
      !name.hasPrefix(".") && endings.contains { $0.map(name.hasSuffix) ?? false }
        && files.fileExists(atPath: folder.appendingPathComponent(name).path)
    }
    let start = path.dropLast(url.lastPathComponent.count)
    return nearNames(to: url.lastPathComponent, among: candidates).map { start + $0 }
  }
}
