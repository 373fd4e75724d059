import KuraDiagnostics
import KuraRendering
import Testing

@testable import KuraShell

@Suite("A command line")
struct LaunchTests {
  @Test("with --create on a file that is there says how to go on")
  func createsOver() throws {
    let folder = try TestFolder()
    let (said, status) = folder.run("count MemoDate") { $0.creates = true }
    #expect(status == 2)
    #expect(
      said == """
        error: "FOLDER/dates.json" is there already
          open it without --create, or choose another name

        """)
    #expect(folder.text("dates.json") == TestFolder.dates)
  }
}
