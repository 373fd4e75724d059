import Foundation
import TestSupport

extension Trial {
  /// Untrusted files.
  static let files = Trial(
    "files",
    "no file makes Kura crash, hang or run out of memory: it reports a message and a status",
    rounds: 60
  ) { numbers, ground in
    switch numbers.below(10) {
    case 0...5: try FileTrial.openHere(&numbers, ground)
    case 6...7: try FileTrial.runProgram(&numbers, ground)
    case 8: try FileTrial.runOnOddKind(&numbers, ground)
    default:
      if numbers.oneIn(2) {
        try FileTrial.runAtTerminal(&numbers, ground)
      } else {
        try FileTrial.runWhileItChanges(&numbers, ground)
      }
    }
  }
}

enum FileTrial {
  /// The limit of the address space, in megabytes; system libraries reserve most of it.
  static let memory = 3000
  static let seconds = 30.0

  static let store = """
    {"format": "kura/1", "timezone": "Asia/Tokyo", "userInfo": {"a": [1, {"b": null}]},
     "model": {"entities": {
       "Category": {"attributes": {"name": {"type": "string", "min": 1}}, "unique": [["name"]],
         "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "category", "deleteRule": "cascade"}}},
       "Item": {"attributes": {"title": {"type": "string"}, "n": {"type": "integer", "default": 3, "max": 9}, "f": {"type": "float", "optional": true},
         "d": {"type": "decimal", "optional": true}, "day": {"type": "date", "optional": true}, "j": {"type": "json", "optional": true},
         "u": {"type": "uuid", "optional": true}, "b": {"type": "binary", "optional": true}, "twice": {"type": "integer", "optional": true, "derived": "n * 2"}},
         "relationships": {"category": {"destination": "Category", "inverse": "items"}}},
       "Task": {"parent": "Item", "attributes": {"p": {"type": "double", "optional": true, "check": "p > 0"}}}},
       "requests": {"Late": "fetch Item where n > 1"}},
     "nextObjectID": {"Category": 3, "Item": 9},
     "objects": {
       "Category": [{"objectID": 1, "name": "家"}, {"objectID": 2, "name": "仕事"}],
       "Item": [{"objectID": 1, "title": "掃除", "category": 1, "day": "1935-06-11", "d": "0.10", "f": 1.5, "j": {"a": [1, 2]}},
         {"objectID": 2, "title": "\\u00e9\\ud83d\\ude00", "category": 2, "u": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "b": "AAEC"}],
       "Task": [{"objectID": 3, "title": "x", "p": 1e3}]}}
    """

  static let plain = [
    #"[{"name": "みかん", "price": 120, "from": {"city": "神戸"}}, {"name": "りんご", "price": 200.5, "tags": ["a", 1, null]}]"#,
    "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2.5, \"c\": [1]}\n",
    #"{"books": [{"t": "a"}], "other": 3, "more": [{"n": 1}]}"#,
    #"[1, "a", null, [2]]"#, "[]", "{}",
  ]

  static let script = """
    #!/usr/bin/env kura
    entity A { t: string min 1; n: integer = 0; as: [A] inverse a; a: A? inverse as }
    insert A t = "家", n = 3; insert A {"t": "b", "n": 2}
    update A set n += 1 where t CONTAINS "家"  -- a comment
    fetch A where ANY as.n > 1 OR t MATCHES "a.*"
      sort n desc limit 3
    .mode json
    print SUBQUERY(A/1.as, $x, $x.n > 1).@count, {1, 2}[0]

    undo
    """

  static let table =
    "{\"a\": 1}\ta == 1\ttrue\n-\t1 == 2\tfalse\tnote\n{\"s\": \"x\"}\ts LIKE \"*\"\ttrue\n"

  /// Opens a file in this process, shows it, saves it and reads it again.
  static func openHere(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    let text = numbers.oneIn(3) ? numbers.pick(plain) : store
    try ground.write(Corruption.corrupted(Array(text.utf8), &numbers), to: "s.json")
    let room: ConfinedSession
    do { room = try ConfinedSession(ground, store: "s.json") } catch {
      return try hold(!"\(error)".isEmpty, "rejected without a message")
    }
    let sight = try room.look()
    try room.run(".validate")
    try room.run("explain analyze fetch Item where title == \"x\"")
    let saved = try room.run("save \"\(ground.file("again.json"))\"")
    guard saved.succeeded else { return }
    let again = try ConfinedSession(ground, store: "again.json", isReadOnly: true)
    let there = try again.look()
    try hold(there.objects == sight.objects, "after reopening, it has other objects")
  }
}

extension FileTrial {
  /// Damages the user's own files: the conversation must continue.
  static func runAtTerminal(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    for (name, text) in [(".kurarc", script), (".kura_history", "fetch A\nprint 1\n")] {
      switch numbers.below(6) {
      case 0: break
      case 1: mkfifo(ground.file(name), 0o600)
      case 2:
        try FileManager.default.createDirectory(
          atPath: ground.file(name), withIntermediateDirectories: true)
      case 3:
        try FileManager.default.createSymbolicLink(
          atPath: ground.file(name),
          withDestinationPath: numbers.pick([name, "/dev/zero", "/dev/full"]))
      default: try ground.write(Corruption.corrupted(Array(text.utf8), &numbers), to: name)
      }
    }
    let terminal = try ProgramOnTerminal(Program.path, home: ground.path, patience: seconds)
    try terminal.type("print 6 * 7;\n", untilItShows: "42")
    terminal.type("\n.quit\n")
    terminal.type("y\n")
    let status = terminal.status()
    try hold([0, 1, 3].contains(status), "exit status \(status)")
  }
}
