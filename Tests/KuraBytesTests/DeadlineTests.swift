import Testing

@testable import KuraBytes

@Suite("Seconds as text")
struct SecondsTextTests {
  @Test(
    "have no exponent",
    arguments: [
      (Duration.seconds(5), "5"), (.milliseconds(500), "0.5"), (.microseconds(10), "0.00001"),
      (.nanoseconds(1), "0.000000001"), (.seconds(0.3), "0.3"), (.zero, "0"),
      (.seconds(1) - Duration(secondsComponent: 0, attosecondsComponent: 1), "0.999999999"),
    ])
  func text(_ duration: Duration, _ text: String) { #expect(duration.secondsText == text) }
}

@Suite("A deadline")
struct DeadlineTests {
  @Test("raises the flag when the time is over, and resets it", arguments: [false, true])
  func raises(needsNoThread: Bool) {
    let flag = CancelFlag()
    let deadline = Deadline(flag, needsNoThread: needsNoThread)
    deadline.start(.milliseconds(5))
    while !flag.isRequested {}
    #expect(deadline.isOver)
    #expect(deadline.stop())
    #expect(!flag.isRequested && !deadline.isOver && !deadline.stop())
  }

  @Test(
    "does not affect work that ended in time, nor later work", arguments: [false, true])
  func inTime(needsNoThread: Bool) {
    let flag = CancelFlag()
    let deadline = Deadline(flag, needsNoThread: needsNoThread)
    for _ in 0..<1_000 {
      deadline.start(.seconds(60))
      #expect(!deadline.stop())
    }
    deadline.start(.milliseconds(5))
    deadline.start(.seconds(60))
    let start = ContinuousClock.now
    while start.duration(to: .now) < .milliseconds(50) { #expect(!flag.isRequested) }
    deadline.stop()
  }

  @Test("does not reset a flag that something else has raised")
  func others() {
    let flag = CancelFlag()
    let deadline = Deadline(flag)
    deadline.start(.seconds(60))
    flag.request()
    #expect(!deadline.stop() && flag.isRequested)
  }
}

@Suite("A deep stack")
struct DeepStackTests {
  /// Needs several hundred bytes per level.
  private func sum(_ levels: Int) -> Int {
    levels == 0 ? 0 : DeepStack.run { levels + sum(levels - 1) }
  }

  @Test("continues when the thread's stack ends")
  func continues() { #expect(sum(1_000_000) == 500_000_500_000) }

  @Test("rethrows errors")
  func throwing() {
    struct Deep: Error {}
    func fall(_ levels: Int) throws(Deep) -> Int {
      if levels == 0 { throw Deep() }
      return try DeepStack.run { () throws(Deep) in try 1 + fall(levels - 1) }
    }
    #expect(throws: Deep.self) { try fall(100_000) }
  }
}
