import Foundation
import KuraDiagnostics
import KuraStore
import Testing

@Suite struct PipeTests {
  @Test(arguments: [1, 7, 64, 1 << 20])
  func aPipeThatIsNoJSONHasLineAndColumn(step: Int) throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("[{\"誕\": 1},\n\n {\"b\": tru}]".utf8))
    try pipe.fileHandleForWriting.close()
    let reader = StoreReader(descriptor: pipe.fileHandleForReading.fileDescriptor, step: step)
    do {
      _ = try reader.read()
      Issue.record("it was read")
    } catch {
      let text = error.diagnostics.first?.rendered() ?? ""
      #expect(
        text.hasPrefix("standard input:3:8: error: expected a value, found \"t\""), "\(text)")
    }
  }
}
