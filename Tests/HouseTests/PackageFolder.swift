import Foundation
import Synchronization

/// The folder of the package, and its files.
enum PackageFolder {
  static let url = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .standardizedFileURL

  /// A file as it is named in messages: `Sources/KuraCommand/Kura.swift`.
  struct File: Sendable, Hashable, CustomStringConvertible {
    let path: String
    var description: String { path }
    var url: URL { PackageFolder.url.appending(path: path) }
    /// The folder below the first one: `KuraCommand` for `Sources/KuraCommand/Kura.swift`.
    var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    /// Returns the text without comments and strings, computed once for all tests.
    func code() throws -> SwiftCode {
      if let known = PackageFolder.codes.withLock({ $0[path] }) { return known }
      let code = SwiftCode(try text())
      PackageFolder.codes.withLock { $0[path] = code }
      return code
    }
  }

  private static let codes = Mutex<[String: SwiftCode]>([:])

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url.appending(path: path).path)
  }

  /// Returns the files below a folder whose names have one of the suffixes, by path.
  static func files(in folder: String = "", suffixes: String...) -> [File] {
    let base = url.appending(path: folder).path
    guard let names = FileManager.default.enumerator(atPath: base) else { return [] }
    var files: [File] = []
    while let name = names.nextObject() as? String {
      // Build folders begin with a dot, and are large.
      if name.split(separator: "/").last?.hasPrefix(".") == true {
        names.skipDescendants()
      } else if suffixes.contains(where: name.hasSuffix) {
        files.append(File(path: folder.isEmpty ? name : folder + "/" + name))
      }
    }
    return files.sorted { $0.path < $1.path }
  }
}
