import Foundation

/// A folder that is a person's own, with 3,000 rows of plain JSON in it.
enum TerminalHome {
  static func make() throws -> URL {
    let home = FileManager.default.temporaryDirectory.appending(path: "kura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let rows = (0..<3000).map { "{\"n\": \($0)}" }.joined(separator: ",")
    try Data("[\(rows)]".utf8).write(to: home.appending(path: "big.json"))
    return home
  }
}
