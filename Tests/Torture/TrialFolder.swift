import Foundation

/// A temporary folder for a round, which is removed unless something was found there.
package final class TrialFolder {
  package let path: String
  package var isKept = false

  package init(_ name: String) throws {
    path = NSTemporaryDirectory() + "kura-torture-\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { if !isKept { try? FileManager.default.removeItem(atPath: path) } }

  /// Returns the path of a file in it.
  package func file(_ name: String) -> String { path + "/" + name }

  package func write(_ text: String, to name: String) throws {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
  }

  package func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }

  package func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name))
  }
}
