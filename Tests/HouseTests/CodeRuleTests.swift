import Foundation
import TestSupport
import Testing

@Suite("The code")
struct CodeRuleTests {
  private static let sources = PackageFolder.files(in: "Sources", suffixes: ".swift")

  /// Calls that end the program: a user's text or a file's content must never do that.
  private static let forbidden = [
    "fatalError(", "preconditionFailure(", "try!", "as!", "@inlinable", "@_optimize",
  ]

  @Test func isThere() { #expect(Self.sources.count > 20) }

  @Test("contains nothing that ends the program or binds other modules", arguments: sources)
  func hasNothingForbidden(file: PackageFolder.File) throws {
    for (index, line) in try file.code().lines.enumerated() {
      for word in Self.forbidden where line.contains(word) {
        Issue.record("\(file):\(index + 1): \(word)")
      }
    }
  }

  @Test("is in files of at most 600 lines", arguments: sources)
  func isInShortFiles(file: PackageFolder.File) throws {
    let count = try file.text().split(separator: "\n", omittingEmptySubsequences: false).count - 1
    #expect(count <= 600, "\(file) has \(count) lines: make it two files")
  }

  @Test("of the engine knows the layout of a chunk in few files")
  func knowsLayoutInFewPlaces() throws {
    let files = try PackageFolder.files(in: "Sources/KuraFetch", suffixes: ".swift").filter {
      try $0.code().lines.contains { $0.contains(".linkLists") && $0.contains(".codes") }
    }
    #expect(!files.isEmpty && files.count <= 10, "\(files)")
  }

  @Test("of the command is short: testable code belongs in the modules below it")
  func ofTheCommandIsShort() throws {
    let files = PackageFolder.files(in: "Sources/KuraCommand", suffixes: ".swift")
    let lines = try files.reduce(0) { try $0 + $1.text().count(where: \.isNewline) }
    #expect(!files.isEmpty && lines < 200, "\(lines) lines")
  }

  /// `--safe` closes the accesses of the surroundings: there must be no others.
  @Test("of the session accesses files, commands and the environment only through its surroundings")
  func ofTheSessionHasNoOtherDoors() throws {
    let doors = [
      "FileManager", "FileHandle", "Data(contentsOf", "String(contentsOf", "write(toFile",
      "Process(", "popen(", "posix_spawn",
      "getenv(", "ProcessInfo", "fopen(", "unlink(", "symlink(", "Foundation.open(", "URLSession",
    ]
    let session = ["KuraShell", "KuraScript", "KuraRendering", "KuraPredicates", "KuraFetch"]
    for file in session.flatMap({ PackageFolder.files(in: "Sources/\($0)", suffixes: ".swift") })
    where !file.path.contains("KuraShell/Launch/") {
      for (index, line) in try file.code().lines.enumerated() {
        for door in doors where line.contains(door) {
          Issue.record("\(file):\(index + 1): \(door)")
        }
      }
    }
  }

  /// A package with unsafe flags cannot be a dependency: only our scripts set `KURA_BUILD`.
  @Test func needsNoUnsafeFlags() throws {
    let process = Process()
    // The build folder is locked while the tests run.
    let scratch = try TemporaryFolder()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", PackageFolder.url.path, "--scratch-path", scratch.path,
      "dump-package",
    ]
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "KURA_BUILD" }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && text.contains("KuraShell"))
    #expect(!text.contains("unsafeFlags"))
  }
}
