import Foundation
import Synchronization

/// Programs that use the library, compiled like those of its users.
///
/// Each is a module with its own entry point. They are linked once, into one executable that runs
/// the program with the given number: linking takes longer than compiling most of them.
final class SwiftPrograms: Sendable {
  private let folder: URL
  /// The compiler's messages about programs that it refuses, by number.
  private let refusals: [Int: String]
  /// The linker's messages if there is no executable.
  private let linked: String

  init(_ texts: [String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "kura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let build = try LibraryBuild()
    let folder = folder
    let answers = Mutex<[Int: Result<String, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: texts.count) { place in
      let said = Result { try Self.compile(texts[place], place, in: folder, with: build) }
      answers.withLock { $0[place] = said }
    }
    let said = try answers.withLock { try $0.mapValues { try $0.get() } }
    let compiled = texts.indices.filter { Self.isThere(Self.object(of: $0, in: folder)) }
    refusals = said.filter { !compiled.contains($0.key) }
    linked =
      compiled.isEmpty ? "" : try Self.link(compiled, texts, in: folder, with: build)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the output of a program, or the compiler's messages about it.
  func output(of place: Int) throws -> String {
    if let refusal = refusals[place] { return refusal }
    let program = folder.appending(path: "programs").path
    guard FileManager.default.isExecutableFile(atPath: program) else { return linked }
    return try LibraryBuild.run(program, ["\(place)"])
  }

  private static func object(of place: Int, in folder: URL) -> URL {
    folder.appending(path: "\(place).o")
  }

  private static func isThere(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.path)
  }

  private static func compile(
    _ text: String, _ place: Int, in folder: URL, with build: LibraryBuild
  ) throws -> String {
    let source = folder.appending(path: "\(place)/main.swift")
    try FileManager.default.createDirectory(
      at: source.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: source, atomically: true, encoding: .utf8)
    return try build.compile(
      [
        source.path, "-module-name", "Program\(place)", "-c", "-o",
        object(of: place, in: folder).path,
      ]
        + ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "program_\(place)"])
  }

  private static func link(
    _ compiled: [Int], _ texts: [String], in folder: URL, with build: LibraryBuild
  ) throws -> String {
    let declarations = compiled.map {
      "@_silgen_name(\"program_\($0)\") func program\($0)(_ count: Int32, _ words: Words) -> Int32"
    }
    let cases = compiled.map { "case \"\($0)\": exit(program\($0)(1, CommandLine.unsafeArgv))" }
    let main = """
      import Foundation
      typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>
      \(declarations.joined(separator: "\n"))
      switch CommandLine.arguments[1] {
      \(cases.joined(separator: "\n"))
      default: exit(64)
      }
      """
    let source = folder.appending(path: "main.swift")
    try main.write(to: source, atomically: true, encoding: .utf8)
    return try build.compile(
      [source.path, "-o", folder.appending(path: "programs").path]
        + compiled.map { object(of: $0, in: folder).path }
        + build.objects(for: compiled.map { texts[$0] }))
  }
}

/// The modules of the library that the tests were built with, for calls of the compiler.
struct LibraryBuild: Sendable {
  private let products: URL
  private let manifest: PackageManifest

  init() throws {
    products = try TranscriptRunner.findBinary().deletingLastPathComponent()
    manifest = PackageManifest(try PackageFolder.File(path: "Package.swift").text())
  }

  /// Calls the compiler; returns its messages.
  func compile(_ arguments: [String]) throws -> String {
    try Self.run(
      "/usr/bin/env",
      ["swiftc", "-swift-version", "6", "-suppress-warnings", "-Onone"]
        + ["-I", products.appending(path: "Modules").path] + mapsOfC + Self.libraries + arguments)
  }

  /// The libraries that Package.swift links.
  private static var libraries: [String] {
    #if os(Linux)
      ["-l_FoundationICU"]
    #else
      []
    #endif
  }

  /// The module maps of the modules that are written in C.
  private var mapsOfC: [String] {
    manifest.targets.flatMap { target -> [String] in
      let map = products.appending(path: target.name + ".build/module.modulemap").path
      let isThere = target.name.hasPrefix("C") && FileManager.default.fileExists(atPath: map)
      return isThere ? ["-Xcc", "-fmodule-map-file=" + map] : []
    }
  }

  /// Returns the modules of the package that programs import, at least Kura, and their imports.
  private func modules(of texts: [String]) -> [String] {
    let imported = texts.flatMap { SwiftCode($0).imports }.filter { manifest.target($0) != nil }
    var modules = ["Kura"] + Set(imported).subtracting(["Kura"]).sorted()
    var place = 0
    while place < modules.count {
      let imports = manifest.target(modules[place])?.imports ?? []
      modules += imports.filter { !modules.contains($0) }
      place += 1
    }
    return modules
  }

  /// Returns the object files of the modules that programs import.
  func objects(for texts: [String]) throws -> [String] {
    try modules(of: texts).flatMap { module in
      let folder = products.appending(path: module + ".build")
      // A build keeps the object files of removed sources.
      let sources = Set(
        PackageFolder.files(in: "Sources/" + module, suffixes: ".swift", ".c").map(
          \.url.lastPathComponent))
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".o") && sources.contains(String($0.dropLast(2))) }
        .map { folder.appending(path: $0).path }
    }
  }

  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
