import Foundation
import KuraBytes
import KuraDiagnostics
import KuraStore
import KuraValues

@testable import KuraShell

/// A temporary folder with two stores, and sessions in it with controlled services.
final class TestFolder {
  let path: String
  /// The output of the session, results and reports in order.
  private(set) var output = ""
  /// The answers of the user at the terminal; nil for no user.
  var answers: [String]?
  /// The content of standard input.
  var input: [[UInt8]] = []

  init() throws {
    // As in the program: a command may end before it has read everything.
    signal(SIGPIPE, SIG_IGN)
    path = NSTemporaryDirectory() + "kura-shell-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try TestFolder.dates.write(toFile: path + "/dates.json", atomically: true, encoding: .utf8)
    try TestFolder.broken.write(
      toFile: path + "/broken.json", atomically: true, encoding: .utf8)
    try TestFolder.plain.write(toFile: path + "/plain.json", atomically: true, encoding: .utf8)
  }

  /// Creates a second file of the name `plain.json`, in a subfolder.
  func makeAnotherPlain() {
    let files = FileManager.default
    try? files.createDirectory(atPath: path + "/more", withIntermediateDirectories: true)
    try? files.copyItem(atPath: path + "/plain.json", toPath: path + "/more/plain.json")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names of the files in it, in order.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func text(_ name: String) -> String? {
    try? String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  static let dates = """
    {"format": "kura/1", "timezone": "Asia/Tokyo",
     "model": {"entities": {
       "MemoDate": {"attributes": {"title": {"type": "string", "min": 1}, "category": {"type": "string", "default": "Private"},
         "date": {"type": "date"}, "notifiable": {"type": "boolean", "default": false}, "cost": {"type": "decimal", "optional": true}}},
       "Category": {"attributes": {"name": {"type": "string"}}, "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "parentCategory"}}},
       "Item": {"attributes": {"title": {"type": "string"}}, "relationships": {
         "parentCategory": {"destination": "Category", "inverse": "items"}, "tags": {"destination": "Tag", "toMany": true, "inverse": "items"}}},
       "Tag": {"attributes": {"name": {"type": "string"}}, "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "tags"}}},
       "limit": {"attributes": {"where": {"type": "string"}, "sort": {"type": "integer"}}}}},
     "objects": {
       "MemoDate": [
         {"objectID": 1, "title": "父の誕生日", "date": "1935-06-11", "notifiable": true},
         {"objectID": 2, "title": "母の誕生日", "date": "1939-10-16"},
         {"objectID": 5, "title": "会社の創立記念日", "category": "Office", "date": "2011-01-13T09:30:00+09:00", "notifiable": true, "cost": "0.10"}],
       "Category": [{"objectID": 1, "name": "家"}], "Tag": [{"objectID": 1, "name": "急ぎ"}],
       "Item": [{"objectID": 1, "title": "掃除", "parentCategory": 1, "tags": [1]}],
       "limit": [{"objectID": 1, "where": "a", "sort": 2}]}}
    """

  /// A store whose objects break rules that opening does not check.
  static let broken = """
    {"format": "kura/1", "model": {"entities": {"A": {"attributes": {
       "t": {"type": "string", "min": 2, "matches": "[a-z]*"},
       "n": {"type": "integer", "optional": true, "max": 9, "check": "n != 5"}}}}},
     "objects": {"A": [{"t": "ok", "n": 3}, {"t": "X"}, {"t": "five", "n": 5}, {"t": "ten", "n": 10}]}}
    """

  static let plain = """
    [{"name": "みかん", "price": 120, "from": {"city": "神戸"}}, {"name": "りんご", "price": 200.5}]
    """
}

extension TestFolder {
  /// The services of a session with the test's files and clock; the output is collected in
  /// `output`.
  var services: SystemServices {
    var result = SystemServices.live(style: .plain)
    // Only for this session: the time limits of parallel tests must not end it.
    result.cancel = CancelFlag()
    result.results = stream
    result.report = { [unowned self] in output += $0 }
    result.readInput = { [unowned self] () throws(Failure) in
      input.isEmpty ? nil : input.removeFirst()
    }
    result.now = { Timestamp(microseconds: 1_700_000_000_000_000) }
    result.userName = { "hana" }
    result.waitForChange = { _, _ in nil }
    result.systemTimeZone = { "Asia/Tokyo" }
    result.systemLocale = { Locale(identifier: "en_US_POSIX") }
    if answers != nil {
      result.ask = { [unowned self] question in
        output += question
        return answers?.isEmpty == false ? answers?.removeFirst() : nil
      }
    }
    return result
  }

  private var stream: ResultStream {
    ResultStream(write: { [unowned self] in output += String(decoding: $0, as: UTF8.self) })
  }

  /// Runs a script, and returns its output without the folder's path.
  func run(_ script: String, _ prepare: (inout Launch) -> Void = { _ in }) -> (
    output: String, status: Int32
  ) {
    output = ""
    var launch = Launch()
    launch.store = .file(path + "/dates.json")
    prepare(&launch)
    let file = path + "/script.kura"
    try? script.replacingOccurrences(of: "FOLDER", with: path)
      .write(toFile: file, atomically: true, encoding: .utf8)
    launch.scripts = [file]
    let status = start(launch)
    return (withoutPath(output), status.rawValue)
  }

  /// Returns output with FOLDER instead of the path. Marks under the path become shorter by the same number of columns.
  private func withoutPath(_ output: String) -> String {
    var lines = output.components(separatedBy: "\n")
    for (line, marks) in zip(lines.indices, lines.indices.dropFirst())
    where lines[line].contains(path) && lines[marks].contains(/^ *\^~+$/)
      && lines[marks].count(where: { $0 == "~" }) >= path.count
    {
      lines[marks].removeLast(path.count - "FOLDER".count)
    }
    return lines.joined(separator: "\n").replacingOccurrences(of: path, with: "FOLDER")
  }

  /// Appends to the output.
  func appendOutput(_ text: String) { output += text }

  private func start(_ launch: Launch) -> ExitStatus {
    do throws(Failure) {
      let session = try Session(launch, services)
      return session.run(launch)
    } catch {
      output += error.rendered(in: nil, style: .plain) + "\n"
      return error.status
    }
  }
}
