import Foundation
import TestSupport

extension Trial {
  /// Slow statements that are interrupted.
  static let interruptions = Trial(
    "interruptions", "a statement that exceeds its time limit ends soon, and changes nothing",
    rounds: 4
  ) { numbers, ground in
    try Interruption(&numbers).check(in: ground)
  }
}

/// A statement over many objects, and its time limit.
///
/// The excess is measured as processor time, which other work on the machine does not lengthen: at
/// most two cores were working.
private struct Interruption {
  private let preparation: String
  private let statement: String
  private let seconds: Double
  private let rows: String

  init(_ numbers: inout SeededNumbers) {
    (preparation, statement) = Self.statement(&numbers)
    seconds = numbers.pick([0.02, 0.05, 0.1, 0.2, 0.4])
    rows = Self.rows(&numbers)
  }

  #if DEBUG
    private static let (count, allowance) = (6_000, 3.0)
  #else
    private static let (count, allowance) = (150_000, 0.3)
  #endif

  func check(in ground: TrialFolder) throws {
    try ground.write(rows, to: "rows.json")
    let question = "fetch row select count(n), sum(n), max(title), min(p), count(objectID)\n"
    let plain = try run(preparation + question, in: ground)
    let interrupted = ".timeout \(seconds)\n\(statement)\n.timeout off\n" + question
    let ended = try run(preparation + interrupted, in: ground)
    guard ended.reports.contains("timed out after") else { return }
    let said = "\(statement.prefix(300))\n  .timeout \(seconds): \(ended.reports)"
    try hold(
      ended.answer == plain.answer,
      "it was cancelled, but changed something: \(said)")
    // Other work on the machine slows the processor down: both times are taken again, one after the other.
    var over = (ended.seconds - plain.seconds) / 2 - seconds
    for _ in 0..<2 where over >= Self.allowance {
      let plainAgain = try run(preparation + question, in: ground)
      let again = try run(preparation + interrupted, in: ground)
      over = min(over, (again.seconds - plainAgain.seconds) / 2 - seconds)
    }
    try hold(over < Self.allowance, "it continued for \(over) s: \(said)")
  }

  /// Returns the last line of a script's output, the reports, and the processor time in seconds.
  private func run(
    _ script: String, in ground: TrialFolder
  ) throws -> (answer: Substring?, reports: String, seconds: Double) {
    let outcome = try Program.run(
      ["--keep-going", "--format", "csv", "rows.json"], input: script, in: ground, seconds: 600,
      by: ["/bin/sh", "-c", #""$0" "$@"; status=$?; times >&2; exit $status"#])
    try outcome.holdAlive(statement)
    let times = outcome.reports.matches(of: /(\d+)m([0-9.]+)s (\d+)m([0-9.]+)s/)
    guard let last = times.last?.output, let minutes = Double(last.1), let user = Double(last.2),
      let system = Double(last.4)
    else { throw Finding("the shell printed no times: \(outcome.reports)") }
    let answer = outcome.output.split(separator: "\n").last
    return (answer, outcome.reports, minutes * 60 + user + system)
  }
}

extension Interruption {
  private static func rows(_ numbers: inout SeededNumbers) -> String {
    func list(_ count: Int) -> String {
      let rows = (0..<count).map { row in
        let n = numbers.below(1_000)
        return #"{"title": "題 \#(n % 97) aaaaaaaaaaaaaaaaaaaaaaaa\#(row)", "n": \#(n), "#
          + #""p": \#(numbers.below(9_999)).5, "d": "2020-01-\#(10 + n % 20)", "t": [\#(n), "x"]}"#
      }
      return "[" + rows.joined(separator: ",\n") + "]"
    }
    return "{\"row\": \(list(count)), \"other\": \(list(count / 50))}"
  }

  /// Returns a condition that is slow for each object.
  private static func condition(_ numbers: inout SeededNumbers) -> String {
    let many = (0..<(50 + numbers.below(200))).map { "\($0)" }.joined(separator: ", ")
    let conditions = [
      #"title MATCHES "(.*a)*(.*x)*(a|aa)+y""#,
      #"title LIKE[cd] "*a*a*a*a*a*a*a*b*""#,
      "SUBQUERY({\(many)}, $x, $x > n AND $x * 2 < p).@count > 3",
      "SUBQUERY({\(many)}, $x, SUBQUERY({\(many)}, $y, $x + $y == n).@count > 0).@count > 0",
      "SUBQUERY((fetch other), $o, $o.n == 3 AND $o.title < \"x\").@count > n",
      #"concat(title, uppercase(title), "ß") CONTAINS[cd] "zz""#,
      "n IN (fetch other where n > 3 select n) AND t.@count == 9",
      "title IN (fetch other select lowercase(title))",
      "dateByAdding(date(d), n, \"day\") > date(\"2031-01-01\") OR median({\(many)}) == p",
    ]
    return numbers.pick(conditions)
  }

  /// A store with two saves of many objects each.
  private static let saves = """
    save "s.json" replacing
    .history keep 9 saves
    update row set n = n + 1 where n >= 0
    save
    update row set p = p + 1, title = concat(title, "x") where n >= 0
    save

    """

  private static let looksBack = [
    "changes since 1", "diff 1 2", "diff 2 0", "as of 1: fetch row where n < 0", "revert 2",
    #"diff "s.json""#,
  ]

  /// Returns the preparation, which has no limit, and the statement.
  private static func statement(_ numbers: inout SeededNumbers) -> (String, String) {
    let slow = condition(&numbers)
    switch numbers.below(22) {
    case 0...3: return ("", "count row where \(slow)")
    case 4: return ("", "fetch row where \(slow) sort concat(title, d) desc limit 3")
    case 5: return ("", "fetch row sort uppercase(title), n * p desc, d limit 3")
    case 6: return ("", "fetch row select concat(title, d), sum(n * p) group by concat(title, d)")
    case 7: return ("", "fetch distinct row select title, n + p, t limit 3")
    case 8: return ("", #"update row set title = concat(title, title), n = n * 2 where n >= 0"#)
    case 9: return ("", "delete row where \(slow) OR n >= 0")
    case 10: return ("", "explain analyze fetch row where \(slow)")
    case 11: return ("", "let $x = (fetch row where \(slow))")
    case 12: return ("", "alter entity row change n: string?")
    case 13: return ("update row set n = n + 1 where n >= 0\n", "undo")
    case 14: return ("delete row where n >= 0\nundo\n", "redo")
    case 15...20: return (saves, numbers.pick(looksBack))
    default:
      let list = (0..<Self.count).map { "\($0)" }.joined(separator: ", ")
      return ("", "count row where n * 2 IN {\(list)}")
    }
  }
}
