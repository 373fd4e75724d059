import Testing

@testable import KuraBytes

@Suite("The flag that stops work")
struct CancelFlagTests {
  @Test("is raised until it is reset")
  func raised() throws {
    let flag = CancelFlag()
    try flag.check()
    flag.request()
    #expect(flag.isRequested)
    #expect(throws: Stopped.self) { try flag.check() }
    flag.reset()
    #expect(!flag.isRequested)
  }
}
