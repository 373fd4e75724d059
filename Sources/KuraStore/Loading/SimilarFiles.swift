import Foundation
import KuraDiagnostics

/// Finds files whose names are near to a path that does not exist.
enum SimilarFiles {
  /// Larger folders are not searched.
  private static let mostNames = 4096

  /// The nearest files in the folder of a path, as the path would name them.
  ///
  ///     SimilarFiles.paths(near: "data/Todoey")   // ["data/Todoey.json"]
  ///
  /// Files of JSON count, and those with the ending of the path.
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
