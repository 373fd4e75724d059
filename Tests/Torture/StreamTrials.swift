import Foundation
import TestSupport

extension Trial {
  /// Names and texts of others in every place where messages and results may use them.
  static let streams = Trial(
    "streams", "no text in the data or the arguments controls the terminal", rounds: 12
  ) { numbers, ground in
    let words = (0..<4).map { _ in numbers.hostileText() }
    func word() -> String { words[numbers.below(words.count)] }
    let store = "s\(words[0].replacing("/", with: ""))x.json"
    try ground.write(plainJSON(words), to: store)
    let script = (0..<12).map { _ in statement(numbers.below(14), word()) }
    try ground.write(script.joined(separator: "\n"), to: "a.kura")
    let formats = ["table", "list", "json", "jsonl", "markdown"]
    let format = formats[numbers.below(formats.count)]
    let outcome = try Program.run(
      ["--format", format, "--keep-going", store, "-f", "a.kura", word()], in: ground)
    try hold(outcome.signal == nil, "ended by the signal \(outcome.signal ?? 0)")
    try hold(isHarmless(outcome.reports), "standard error has \(outcome.reports.debugDescription)")
    // In a file, json may have marks that only a terminal would interpret.
    let isJSON = format.hasPrefix("json")
    try hold(
      isHarmless(outcome.output, controlsAlone: isJSON),
      "\(format) has \(outcome.output.debugDescription)")
  }

  /// The final store is the same, however early the reader of the results ends.
  static let readers = Trial(
    "readers", "changes are made even if nothing reads the results", rounds: 6
  ) { numbers, ground in
    let model = "entity A { n: integer }\n"
    let steps = (0..<numbers.below(60) + 1).map { _ in step(&numbers) }
    try ground.write(model + steps.joined(separator: "\n") + "\nsave\n", to: "a.kura")
    let limit = numbers.below(3) == 0 ? 0 : numbers.below(20_000)
    let feed = numbers.below(2) == 0 ? "-f a.kura" : "< a.kura"
    let whole = try Program.shell(
      "\"$KURA\" --create whole.json \(feed) > all; echo $?", in: ground)
    let cut = try Program.shell(
      "{ \"$KURA\" --create cut.json \(feed); echo $? > status; } | head -c \(limit) > /dev/null; cat status",
      in: ground)
    try hold(whole == "0\n", "with a reader the status is \(whole)")
    try hold(cut == "0\n", "without one the status is \(cut)")
    try hold(
      try documents(ground, "whole.json") == documents(ground, "cut.json"),
      "the stores differ after \(limit) bytes of results")
  }
}

private func documents(_ ground: TrialFolder, _ name: String) throws -> [UInt8] {
  try ground.bytes(of: name)
}

private func step(_ numbers: inout SeededNumbers) -> String {
  switch numbers.below(8) {
  case 0: "insert A n = \(numbers.below(9))"
  case 1: "update A set n += 1 where n < \(numbers.below(9))"
  case 2: "fetch A where n > \(numbers.below(5))\nupdate _ set n = n + 7"
  case 3: "let $x = fetch A sort n limit 3"
  case 4: "print \"\(String(repeating: "誕生日", count: numbers.below(4000)))\""
  case 5: "delete A where n == \(numbers.below(9))"
  case 6: "begin\ninsert A n = 3\ncount A\ncommit"
  default: "fetch A\ncount A"
  }
}

/// Returns rows whose keys and values are the words.
private func plainJSON(_ words: [String]) throws -> String {
  let rows = words.map { ["t": $0, $0: "x\($0)"] }
  return String(decoding: try JSONSerialization.data(withJSONObject: rows), as: UTF8.self)
}

private func statement(_ kind: Int, _ word: String) -> String {
  let quoted = "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  return switch kind {
  case 0: "print \(quoted)"
  case 1: "fetch \(word)"
  case 2: "\(word)"
  case 3: "exists \(word)"
  case 4: ".mode \(word)"
  case 5: ".read \(quoted)"
  case 6: "let $x = \(quoted)\nprint $x"
  case 7: "entity B { s: string = \(quoted) }\ndescribe B\nrollback"
  case 8: "begin \(quoted)\ncancel"
  case 9: ".null \(quoted)\n.null\nprint nil"
  case 10: "save \(quoted)"
  case 11: "request R = fetch A where t == \(quoted)\nrun R\nrollback"
  // A name that begins with | is a command, whose messages are the shell's.
  case 12: ".output \"f\(quoted.dropFirst())\n.output"
  default: ".help \(word)"
  }
}

/// Returns whether there are only visible characters and line ends.
private func isHarmless(_ text: String, controlsAlone: Bool = false) -> Bool {
  text.unicodeScalars.allSatisfy { scalar in
    switch scalar {
    case "\n": true
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": false
    case "\u{200B}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2060}"..."\u{206F}",
      "\u{FEFF}", "\u{61C}":
      controlsAlone
    default: true
    }
  }
}

extension SeededNumbers {
  /// Returns control characters, marks and letters in any order.
  fileprivate mutating func hostileText() -> String {
    let parts = [
      "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{9B}31m", "\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}",
      "\u{2028}", "\u{7F}", "\u{8}", "\r", "\u{85}", "誕生日", "か\u{3099}", "👨‍👩‍👧", "a", "\"", "\\",
      "'", " ", "|", "<", "\u{200D}", "\u{61C}", "$x", "%", "\u{E0041}",
    ]
    return (0..<below(9) + 1).map { _ in parts[below(parts.count)] }.joined()
  }
}

extension Program {
  /// Returns the output of a shell command, in which `$KURA` is the program.
  fileprivate static func shell(_ command: String, in ground: TrialFolder) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: ground.path)
    process.environment = [
      "HOME": ground.path, "LC_ALL": "C.UTF-8", "KURA": path, "PATH": "/usr/bin:/bin",
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
