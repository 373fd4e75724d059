import Foundation
import KuraDiagnostics
import KuraSentences

/// The program in which the user edits longer texts: `$VISUAL`, `$EDITOR`, or vi.
package enum ExternalEditor {
  /// Returns the edited text.
  ///
  /// Throws a `Failure` if the program failed.
  package static func edit(_ text: String) throws(Failure) -> String {
    let path = try write(text)
    defer { unlink(path) }
    let status = try SpawnedCommand.runInForeground("\(command) \(quoted(path))")
    guard status == 0 else { throw Failure(EditProblem.failed(command, status: status)) }
    guard let bytes = FileManager.default.contents(atPath: path),
      let edited = String(validating: bytes, as: UTF8.self)
    else { throw Failure(EditProblem.unreadable(localized("it is not UTF-8"))) }
    return String(edited.reversed().drop(while: \.isNewline).reversed())
  }

  private static var command: String {
    let environment = ProcessInfo.processInfo.environment
    return ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// Writes a file that only its owner can read.
  private static func write(_ text: String) throws(Failure) -> String {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var name = Array((folder + "/kura-XXXXXX.kura").utf8CString)
    let file = mkstemps(&name, 5)
    guard file >= 0 else { throw Failure(EditProblem.unreadable(LiveFiles.reason(errno))) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do { try handle.write(contentsOf: Data((text + "\n").utf8)) } catch {
      unlink(path)
      throw Failure(EditProblem.unreadable(LiveFiles.reason(errno)))
    }
    return path
  }

  private static func quoted(_ path: String) -> String {
    "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
