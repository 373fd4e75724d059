import Foundation
import PackagePlugin

/// Makes Swift of the lessons and of the stores that they are about, before a module is compiled.
@main
struct EmbedLessons: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let examples = context.package.directoryURL.appending(path: "Examples/Lessons")
    let files = try Self.files(in: examples)
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the lessons",
        executable: try context.tool(named: "embed-lessons").url,
        arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
    ]
  }

  /// Lessons, and stores, in the order of their paths.
  private static func files(in folder: URL) throws -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let files = (all?.allObjects as? [URL]) ?? []
    return files.filter {
      ["json", "md"].contains($0.pathExtension) && $0.lastPathComponent != "README.md"
    }.sorted { $0.path < $1.path }
  }
}
