import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore

/// Any bytes as a file: read at once and in small steps alike; what is a store is written, and read
/// and written again the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  var numbers = InputNumbers(bytes)
  files.write(bytes)
  let whole = read(step: 1 << 20)
  let pieces = read(step: [1, 2, 7, 64].randomElement(using: &numbers) ?? 1)
  switch (whole, pieces) {
  // Of several errors another may be the first.
  case (.failure, .failure): break
  case (.success(let store), .success(let other)):
    let document = written(store)
    require(document == written(other), "in pieces, it is a different store")
    // What `save` refuses: plain JSON may have keys that no model may.
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
  var copy = store
  copy.isStore = true
  do throws(StoreProblems) {
    try StoreWriter(path: files.output).write(copy, replacing: true)
  } catch {
    fatalError("not written: \(words(error))")
  }
  return FileManager.default.contents(atPath: files.output) ?? Data()
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

/// Where input and output stand: in memory, if there is such a place.
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
