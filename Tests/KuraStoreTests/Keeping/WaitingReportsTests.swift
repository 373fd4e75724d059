import KuraDiagnostics
import Testing

@testable import KuraStore

/// The messages while another program saves.
@Suite struct WaitingReportsTests {
  @Test func sayWhoHasTheLockAtOnceAndAfterTenSecondsHowToStop() {
    var now = Duration.seconds(5)
    var reports = WaitingReports(path: "s.json") { now }
    let holder = LockHolder(process: 4711, user: "hana", host: "desk")
    var said: [Int64: [String]] = [:]
    for second in 0..<60 {
      now = .seconds(5 + second)
      guard let facts = reports.next(second == 0 ? nil : holder) else { continue }
      said[Int64(second)] = [facts.sentence] + (facts.help.map { [$0] } ?? [])
    }
    #expect(
      said == [
        0: [#"another process is saving "s.json"; waiting"#],
        10: [
          #"hana@desk (process 4711) still holds the lock on "s.json"; waiting"#,
          "Control-C stops waiting without saving",
        ],
      ])
  }
}
