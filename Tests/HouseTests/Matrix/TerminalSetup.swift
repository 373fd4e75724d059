import Foundation
import Testing

/// The terminal of a user of the program: the width of the window, the locale, and the kind of
/// terminal.
struct TerminalSetup: Sendable, CustomTestStringConvertible {
  var columns: Int
  var locale: String
  /// `TERM`; nil if the variable is not set.
  var terminal: String?

  /// All supported combinations.
  static let all = [40, 80, 120].flatMap { columns in
    ["C.UTF-8", "C"].flatMap { locale in
      ["xterm-256color", "dumb", nil].map {
        TerminalSetup(columns: columns, locale: locale, terminal: $0)
      }
    }
  }

  /// Each locale and kind of terminal once, and each width twice, for tests that do not depend on
  /// the window.
  static let each = [0, 4, 8, 9, 13, 17].map { all[$0] }

  /// Whether there is an editor; otherwise the system edits the line.
  var hasEditor: Bool { terminal == "xterm-256color" }

  var environment: [String] {
    let terminal = terminal.map { ["TERM=\($0)"] } ?? []
    return terminal + ["LC_ALL=\(locale)", "PATH=/usr/bin:/bin", "COLUMNS=\(columns)"]
  }

  var testDescription: String { "\(columns) columns, \(locale), TERM=\(terminal ?? "unset")" }
}

/// The store of these tests: texts that are wide, joined, composed of two scalars, or missing.
enum TerminalSetupStore {
  static let text = """
    {"format": "kura/1", "timezone": "Asia/Tokyo", "model": {"entities": {
      "Person": {"attributes": {"name": {"type": "string"}},
        "relationships": {"days": {"destination": "Day", "toMany": true, "inverse": "owner"}}},
      "Day": {"attributes": {
          "title": {"type": "string"}, "kind": {"type": "string", "optional": true},
          "note": {"type": "string", "optional": true}, "date": {"type": "date", "optional": true}},
        "relationships": {"owner": {"destination": "Person", "inverse": "days"}}},
      "N": {"attributes": {"n": {"type": "integer"}}}}},
    "nextObjectID": {"Person": 3, "Day": 6, "N": 1001}, "objects": {
      "Person": [{"objectID": 1, "name": "父"}, {"objectID": 2, "name": "母"}],
      "Day": [
        {"objectID": 1, "title": "父の誕生日", "kind": "家", "note": "\(long)", "date": "1935-06-11", "owner": 1},
        {"objectID": 2, "title": "か\\u3099んばる日", "kind": "家", "note": null, "date": "1939-10-16", "owner": 2},
        {"objectID": 3, "title": "👩🏽‍💻👍🏽👨‍👩‍👧", "kind": "職", "note": "\(words)", "date": "2011-01-13", "owner": null},
        {"objectID": 4, "title": "NULL", "kind": null, "note": "", "date": null, "owner": 1},
        {"objectID": 5, "title": "誕生日", "kind": "家", "note": "x", "date": "2009-01-01", "owner": 2}],
      "N": [\(numbers)]}}
    """

  static let long = "毎年の六月に、家族の皆で集まって食事をする。贈り物は早めに選ぶ。"
  private static let words = String(
    repeating: "no window of 120 columns has room for this ", count: 4)
  private static let numbers =
    (1...1000).map { "{\"objectID\": \($0), \"n\": \($0)}" }.joined(separator: ", ")

  /// Writes the store to a folder.
  static func write(to folder: URL) throws -> URL {
    let file = folder.appending(path: "days.json")
    try Data(text.utf8).write(to: file)
    return file
  }
}
