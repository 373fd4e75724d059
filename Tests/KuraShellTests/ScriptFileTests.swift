import Foundation
import KuraRendering
import Testing

@testable import KuraShell

@Suite("A script")
struct ScriptFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Creates a named pipe with a writer.
  private func pipe(_ text: String) throws -> String {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = ["-c", "printf '%s' \"$1\" > \"$2\"", "sh", text, path]
    try writer.run()
    return path
  }

  @Test("is read from a named pipe")
  func pipes() throws {
    let path = try pipe("count Item\nprint 6 * 7\n")
    let (output, status) = folder.run(".read \(path)") { $0.format = .named("csv") ?? $0.format }
    #expect(output == "1\n6 * 7\n42\n")
    #expect(status == 0)
  }

  @Test("of a pipe is run as it arrives")
  func asItComes() throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    // The end of the pipe comes only after the first statement has been run.
    let wait = "while ! test -s \(folder.path)/first; do sleep 0.05; done"
    writer.arguments = [
      "-c",
      "exec > \(path); echo .output \(folder.path)/first; echo count Item; echo .output; \(wait)",
    ]
    try writer.run()
    var launch = Launch()
    (launch.store, launch.scripts) = (.file(folder.path + "/dates.json"), [path])
    let session = try Session(launch, folder.services)
    #expect(session.run(launch) == .done)
    #expect(folder.text("first") == "1\n")
  }

  @Test("is read from an open file of the process")
  func descriptors() throws {
    let path = folder.path + "/x.kura"
    try "count Item\n".write(toFile: path, atomically: true, encoding: .utf8)
    let file = open(path, O_RDONLY)
    defer { close(file) }
    #expect(folder.run(".read /dev/fd/\(file)") == ("1\n", 0))
  }

  @Test("that does not exist, or may not be read, is reported with the reason")
  func missing() throws {
    #expect(
      folder.run(".read FOLDER/none").output.contains("cannot read \"FOLDER/none\": no such file"))
  }
}

@Suite("The user's settings file")
struct SettingsFileTests {
  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path + "/own"
    try ".mode csv\n".write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func start() -> String {
    var launch = Launch()
    launch.initFile = path
    var lines = [".mode", ".quit"]
    _ = launch.run(folder.services, Conversation { _ in .text(lines.removeFirst()) })
    return folder.output.replacing(folder.path, with: "FOLDER")
  }

  @Test("is run if no other user can write it", arguments: [0o600, 0o644, 0o444])
  func runs(mode: mode_t) {
    chmod(path, mode)
    #expect(start().hasSuffix(".mode csv\n"))
  }

  @Test("is refused with a message if others can write it", arguments: [0o620, 0o602, 0o666])
  func writable(mode: mode_t) {
    chmod(path, mode)
    let output = start()
    #expect(
      output.hasPrefix(
        "warning: \"FOLDER/own\" was not run: other users can write to it\n  remove write permission for others: chmod go-w FOLDER/own\n"
      ))
    #expect(output.hasSuffix(".mode table\n"))
  }

  @Test("is not run if it belongs to another user", .enabled(if: geteuid() == 0))
  func others() {
    chown(path, 12_345, 12_345)
    #expect(start().hasPrefix("warning: \"FOLDER/own\" was not run: it belongs to another user\n"))
  }

  @Test("is not waited for if it is a pipe or a folder")
  func pipes() {
    unlink(path)
    mkfifo(path, 0o600)
    #expect(start().hasPrefix("warning: \"FOLDER/own\" was not run: it is not a regular file\n"))
    unlink(path)
    mkdir(path, 0o700)
    #expect(start().contains("warning: \"FOLDER/own\" was not run: it is not a regular file\n"))
  }

  @Test("may be missing")
  func missing() {
    unlink(path)
    #expect(start().hasPrefix("Kura "))
  }
}
