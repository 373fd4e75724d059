import KuraBytes
import Testing

@testable import KuraShell

@Suite struct ProgressTests {
  private let half = WorkProgress.Moment(.loading("todo.json"), done: 88_500_000, of: 205_313_062)

  @Test func aFileIsInPercentAndMegabytes() {
    #expect(half.text(columns: 79) == "loading todo.json: 43 %, 88 of 205 MB")
  }

  @Test func aPipeIsInMegabytes() {
    let moment = WorkProgress.Moment(.loading("standard input"), done: 12_000_000)
    #expect(moment.text(columns: 79) == "loading standard input: 12 MB")
  }

  @Test func aNarrowTerminalLosesTheNameFromItsBeginning() {
    let moment = WorkProgress.Moment(.loading("誕生日の一覧.json"), done: 1_000_000, of: 2_000_000)
    #expect(moment.text(columns: 39) == "loading …日の一覧.json: 50 %, 1 of 2 MB")
    #expect(half.text(columns: 20) == "43 %, 88 of 205 MB")
    #expect(half.text(columns: 5) == "")
  }
}
