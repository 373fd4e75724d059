package import Foundation

/// A temporary folder, which is removed with the last reference to it.
package final class TemporaryFolder {
  package let url: URL
  package var path: String { url.path }

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "kura-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appending(path: name).path }
}
