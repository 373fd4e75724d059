import Testing

@testable import LineEditor

extension TerminalEditorTests {
  @Test func readsOnWhereTheNextLineIsThereAndBelongsToIt() throws {
    let session = try Session()
    defer { session.close() }
    session.type("select a, b, c;\rfrom b;\rfetch D;\r")
    #expect(try session.event() == .text("select a, b, c;\nfrom b;"))
    #expect(try session.event() == .text("fetch D;"))
    session.type("select x;\r")
    #expect(try session.event() == .text("select x;"))
  }
}
