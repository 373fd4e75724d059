import TestSupport

extension Trial {
  /// Damaged plain JSON, in one file or several.
  static let repairs = Trial(
    "repairs", "--lenient reads each line that is not damaged, and no damage ends Kura", rounds: 12
  ) { numbers, ground in
    let names = (0..<1 + numbers.below(3)).map { "part\($0).jsonl" }
    var intact: [Int] = []
    for (file, name) in names.enumerated() {
      var lines: [[UInt8]] = []
      for number in 0..<2 + numbers.below(30) {
        let id = file * 100 + number
        let line = Array(#"{"id": \#(id), "mark": "家\#(id)", "list": [1, {"a": null}]}"#.utf8)
        // The first two lines decide how the file is read.
        if number < 2 || !numbers.oneIn(4) {
          intact.append(id)
          lines.append(line)
        } else {
          lines.append(
            Corruption.corrupted(line, &numbers).map { [0x0A, 0x0D].contains($0) ? 0x20 : $0 })
        }
      }
      try ground.write(Array(lines.joined(separator: [0x0A])), to: name)
    }
    let wanted = intact.map { "(id == \($0) AND mark == \"家\($0)\")" }.joined(separator: " OR ")
    let outcome = try Program.run(
      ["--lenient", "--union", "--format", "plain"] + names
        + [
          "fetch input where \(wanted) group by mark select mark sort mark"
        ],
      in: ground, seconds: FileTrial.seconds, memory: FileTrial.memory)
    try hold(outcome.signal == nil, "ended by the signal \(outcome.signal ?? 0)")
    // A damaged line can turn the numbers of all lines into doubles.
    let expected = intact.map { "家\($0)\n" }.sorted().joined()
    try hold(
      outcome.status == 0 && outcome.output == expected,
      "status \(outcome.status), \(outcome.output), \(outcome.reports)")
  }
}
