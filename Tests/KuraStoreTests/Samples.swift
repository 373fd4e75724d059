import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
import KuraValues
import Testing

/// A temporary folder for each test.
final class Folder {
  let path = NSTemporaryDirectory() + "kura-store-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// The result of reading some bytes: the store, or the error messages.
struct Reading {
  var store: StoreContents?
  var problems: [Diagnostic] = []

  init(_ text: String, step: Int = 1 << 20) throws { try self.init(Array(text.utf8), step: step) }

  init(_ bytes: [UInt8], step: Int = 1 << 20) throws {
    let folder = try Folder()
    self.init(path: try folder.file("in.json", bytes), step: step)
  }

  init(path: String, step: Int = 1 << 20) {
    do throws(StoreProblems) {
      store = try StoreReader(path: path, step: step).read()
    } catch {
      problems = error.diagnostics
    }
  }

  /// The messages without the file's name: `2:7: error: the JSON ends in the middle`
  var headlines: [String] {
    problems.map { problem in
      let line = problem.rendered().split(separator: "\n").first.map(String.init) ?? ""
      guard let name = line.range(of: "in.json:") else { return line }
      return String(line[name.upperBound...].drop { $0 == " " })
    }
  }

  var first: String { headlines.first ?? "" }
}

extension StoreContents {
  /// The document that is written for it.
  var document: String {
    get throws {
      String(decoding: try documentBytes, as: UTF8.self)
    }
  }

  /// Returns the values of a key, row by row.
  func values(_ key: String, of entity: String = "in") -> [Value] {
    guard let place = graph.place(of: entity) else { return [] }
    let snapshot = GraphSnapshot(graph)
    return (0..<graph.tables[place.table].count).map {
      (try? snapshot.object(table: place.table, row: $0).value(forKey: key)) ?? .null
    }
  }

  /// Returns the inferred type of a key.
  func type(_ key: String, of entity: String = "in") -> AttributeType? {
    graph.model[entity]?.attributes.first { $0.name == key }?.type
  }
}

/// Returns a store's document with a model of one entity and some rows.
func store(_ attributes: String, _ rows: String, relationships: String = "") -> String {
  """
  {"format": "kura/1",
  "model": {"entities": {"Item": {"attributes": {\(attributes)}, "relationships": {\(relationships)}}}},
  "objects": {"Item": [\(rows)]}}
  """
}
