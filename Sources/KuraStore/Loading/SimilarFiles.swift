import Foundation
import KuraDiagnostics

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
