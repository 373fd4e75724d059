import Foundation

/// Runs transcripts in a copy of the folders that they mention, so that nothing they save remains.
final class TranscriptRunner {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let folder: URL
  private let binary: URL
  /// The language of the document, if its name has one.
  private let language: String?

  init(language: String? = nil) throws {
    self.language = language
    binary = try Self.findBinary()
    folder = FileManager.default.temporaryDirectory.appending(path: "kura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["Examples", "Documentation", "Benchmarks"] where PackageFolder.exists(name) {
      try Self.copy(PackageFolder.url.appending(path: name), to: folder.appending(path: name))
    }
  }

  /// Copies files except those whose names begin with a dot, such as builds of the example
  /// programs.
  private static func copy(_ original: URL, to copy: URL) throws {
    guard try original.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
      return try FileManager.default.copyItem(at: original, to: copy)
    }
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: original.path)
    where !name.hasPrefix(".") {
      try Self.copy(original.appending(path: name), to: copy.appending(path: name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the program that was built together with the tests.
  static func findBinary() throws -> URL {
    let paths = CommandLine.arguments.prefix(1) + Bundle.allBundles.map(\.bundlePath)
    for path in paths {
      var folder = URL(filePath: path).deletingLastPathComponent()
      for _ in 0..<4 {
        let binary = folder.appending(path: "kura")
        if isProgram(binary) { return binary }
        folder = folder.deletingLastPathComponent()
      }
    }
    throw Failure(description: "the program kura is not beside \(paths.first ?? "the tests")")
  }

  private static func isProgram(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    return isThere && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: url.path)
  }

  /// Returns the output of a command including stderr, as on a terminal.
  func output(of command: String) throws -> [String] {
    let quoted = "'" + binary.path.replacing("'", with: "'\\''") + "'"
    return try run("/bin/sh", ["-c", command.replacing("Scripts/kura", with: quoted)])
  }

  /// Returns the output of statements, run as one script.
  func output(ofScript script: [String], store: String?) throws -> [String] {
    let file = folder.appending(path: "transcript.kura")
    try (script.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    let arguments = ["--keep-going"] + (store.map { [$0] } ?? [])
    return Self.asTyped(try run(binary.path, arguments + ["-f", "transcript.kura"]))
  }

  /// Returns the output as if the statements were typed: without places in a file, or questions at
  /// the end.
  private static func asTyped(_ lines: [String]) -> [String] {
    let lines = lines.map { line in
      line.replacing(#/^transcript\.kura:([0-9]+:[0-9]+:)? /#, with: "")
    }
    let isUnsaved = ["error: there are unsaved changes", "エラー: 保存していない変更がある"]
      .contains(lines.dropLast().last)
    if isUnsaved { return lines.dropLast(2) }
    let isLeft = ["quit without saving: ", "保存せずに終了した"]
      .contains { lines.last?.hasPrefix($0) == true }
    return isLeft ? lines.dropLast() : lines
  }

  private func run(_ program: String, _ arguments: [String]) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Self.lines(String(decoding: data, as: UTF8.self))
  }

  /// An environment without the user's settings and without colours.
  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder.path
    environment["LC_ALL"] = "C.UTF-8"
    environment["KURA_LANGUAGE"] = language
    environment["TZ"] = "UTC"
    environment["NO_COLOR"] = "1"
    return environment
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
