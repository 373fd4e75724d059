import Foundation
import TestSupport

/// A home folder with 3,000 rows of plain JSON.
enum TerminalHome {
  static func make() throws -> TemporaryFolder {
    let home = try TemporaryFolder()
    let rows = (0..<3000).map { "{\"n\": \($0)}" }.joined(separator: ",")
    try Data("[\(rows)]".utf8).write(to: home.url.appending(path: "big.json"))
    return home
  }
}
