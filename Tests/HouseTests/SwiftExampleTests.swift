import Foundation
import KuraLessons
import Testing

/// Every `swift` block of every document, compiled with the modules that were just built, and run.
@Suite("The Swift examples in the documents")
struct SwiftExampleTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let file: PackageFolder.File
    let program: String
    let claims: Int
    var testDescription: String { file.path }
  }

  static let examples = DocumentTests.files.compactMap { file -> Example? in
    guard let text = try? file.text(), let found = SwiftExamples(MarkdownDocument(text)) else {
      return nil
    }
    return Example(file: file, program: found.program, claims: found.claims)
  }

  @Test func areThere() {
    #expect(Self.examples.map(\.file.path).contains("README.md"))
    #expect(Self.examples.reduce(0) { $0 + $1.claims } > 30)
  }

  @Test("compile, and give what they say", arguments: examples)
  func giveWhatTheySay(example: Example) throws {
    let said = try SwiftProgram(example.program).output()
    #expect(said == "", "\(example.file)")
  }

  @Test("that are wrong are found")
  func wrongOnes() throws {
    let block = "```swift\nimport Kura\nlet a = 1   // 2\nKey(\"a\") == 1   // a == 1\n```"
    let examples = try #require(SwiftExamples(MarkdownDocument(block)))
    #expect(examples.claims == 2)
    #expect(try SwiftProgram(examples.program).output() == "line 3: 1\n")
  }
}

/// A program that uses the library, as its author would compile it.
struct SwiftProgram {
  let text: String

  init(_ text: String) { self.text = text }

  /// What it prints, or what the compiler says of it.
  func output() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appending(path: "main.swift")
    let program = folder.appending(path: "main")
    try text.write(to: source, atomically: true, encoding: .utf8)
    let products = try TranscriptRunner.findBinary().deletingLastPathComponent()
    let compiled = try run(
      "/usr/bin/env",
      ["swiftc", "-swift-version", "6", "-suppress-warnings", "-Onone", source.path]
        + ["-I", products.appending(path: "Modules").path, "-o", program.path]
        + Self.libraries + (try mapsOfC(in: products)) + (try objects(in: products)))
    return FileManager.default.isExecutableFile(atPath: program.path)
      ? try run(program.path, []) : compiled
  }

  /// What Package.swift links.
  private static var libraries: [String] {
    #if os(Linux)
      ["-l_FoundationICU"]
    #else
      []
    #endif
  }

  /// What the program imports of the package, Kura at least, and all that these import.
  private func modules() throws -> [String] {
    let manifest = PackageManifest(try PackageFolder.File(path: "Package.swift").text())
    let imported = SwiftCode(text).imports.filter { manifest.target($0) != nil }
    var modules = ["Kura"] + Set(imported).subtracting(["Kura"]).sorted()
    var place = 0
    while place < modules.count {
      let imports = manifest.target(modules[place])?.imports ?? []
      modules += imports.filter { !modules.contains($0) }
      place += 1
    }
    return modules
  }

  /// Where the compiler finds the modules that are written in C.
  private func mapsOfC(in products: URL) throws -> [String] {
    try modules().flatMap { module -> [String] in
      let map = products.appending(path: module + ".build/module.modulemap").path
      let isThere = FileManager.default.fileExists(atPath: map)
      return isThere ? ["-Xcc", "-fmodule-map-file=" + map] : []
    }
  }

  /// The object files of them.
  private func objects(in products: URL) throws -> [String] {
    try modules().flatMap { module in
      let folder = products.appending(path: module + ".build")
      // A build leaves the object files of sources that are gone.
      let sources = Set(
        PackageFolder.files(in: "Sources/" + module, suffixes: ".swift", ".c").map(
          \.url.lastPathComponent))
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".o") && sources.contains(String($0.dropLast(2))) }
        .map { folder.appending(path: $0).path }
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
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
