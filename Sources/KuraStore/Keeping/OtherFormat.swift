/// A format that a file's name says, and that no store is written in.
///
///     OtherFormat(path: "todo.sqlite")?.name    // "SQLite"
package struct OtherFormat: Sendable, Hashable {
  package let name: String
  /// The path with the extension of a store.
  package let jsonPath: String

  /// Nil if the name says nothing, or JSON.
  package init?(path: String) {
    let file = path.split(separator: "/").last ?? ""
    guard let point = file.lastIndex(of: "."), point > file.startIndex,
      let name = Self.names[file[point...].dropFirst().lowercased()]
    else { return nil }
    self.name = name
    jsonPath = path.prefix(path.count - file[point...].count) + ".json"
  }

  private static let names = [
    "sqlite": "SQLite", "sqlite3": "SQLite", "db": "SQLite", "xml": "XML", "plist": "plist",
    "csv": "CSV", "tsv": "TSV", "jsonl": "JSON Lines", "ndjson": "JSON Lines", "yaml": "YAML",
    "yml": "YAML", "md": "Markdown", "html": "HTML", "xlsx": "Excel",
  ]
}
