import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore

/// Reads any bytes as a file, at once and in small steps, with the same result. A store is written,
/// read and written again without a difference.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  var numbers = InputNumbers(bytes)
  files.write(bytes)
  let whole = read(step: 1 << 20)
  let pieces = read(step: [1, 2, 7, 64].randomElement(using: &numbers) ?? 1)
  switch (whole, pieces) {
  // Of several errors, the first one can differ.
  case (.failure, .failure): break
  case (.success(let store), .success(let other)):
    let document = written(store)
    require(document == written(other), "in pieces, it is a different store")
    // `save` refuses some stores: plain JSON can have keys that no model can have.
    if ModelCheck(store.graph.model).problems.isEmpty { checkRoundTrip(document) }
  case (.success, .failure(let problems)):
    fatalError("in pieces only: \(words(problems))")
  case (.failure(let problems), .success):
    fatalError("not in pieces: \(words(problems))")
  }
  return 0
}

private func read(step: Int) -> Result<StoreContents, StoreProblems> {
  do throws(StoreProblems) {
    return .success(try StoreReader(path: files.input, step: step).read())
  } catch {
    require(!error.diagnostics.isEmpty, "a failure without a message")
    return .failure(error)
  }
}

private func words(_ problems: StoreProblems) -> [String] {
  problems.diagnostics.map { $0.rendered() }
}

private func written(_ store: StoreContents) -> Data {
  guard let bytes = try? store.documentBytes else { fatalError("not written") }
  return Data(bytes)
}

private func checkRoundTrip(_ document: Data) {
  let text = String(decoding: document, as: UTF8.self)
  files.write(Array(document))
  switch read(step: 1 << 20) {
  case .failure(let problems): fatalError("\(text)\n\(words(problems))")
  case .success(let store):
    let again = written(store)
    require(again == document, "\(text)\nthen: \(String(decoding: again, as: UTF8.self))")
  }
}

/// The files for input and output, in memory if possible.
private struct Files {
  let input: String
  let output: String

  init() {
    let memory = "/dev/shm"
    let isThere = FileManager.default.isWritableFile(atPath: memory)
    let folder = isThere ? memory : NSTemporaryDirectory()
    let name = "\(folder)/kura-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    input = name + ".json"
    output = name + ".out.json"
  }

  func write(_ bytes: [UInt8]) {
    let isWritten = FileManager.default.createFile(atPath: input, contents: Data(bytes))
    require(isWritten, "\(input) cannot be written")
  }
}

private let files = Files()
