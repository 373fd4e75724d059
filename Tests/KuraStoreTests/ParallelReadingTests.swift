import Foundation
import KuraDiagnostics
import KuraGraph
import KuraStore
import Synchronization
import TestSupport
import Testing

/// Several threads that share a file give the result of one thread: the same graph, or the same errors.
@Suite struct ParallelReadingTests {
  @Test(arguments: 1...UInt64(TestLength.count(16, long: 48)))
  func generatedDocumentsAreReadAsByOneThread(seed: UInt64) throws {
    var document = GeneratedDocument(seed: seed)
    for _ in 0..<4 {
      let bytes = document.next()
      let folder = try Folder()
      let path = try folder.file("in.json", bytes)
      let window = [64, 1024, 1 << 20][document.numbers.below(3)]
      let one = Contents(path, step: window, parallelReading: .none)
      for step in [1, 7, 64, 300, 5000] {
        let two = Contents(
          path, step: window, parallelReading: ParallelReading(step: step, leastRows: 2))
        #expect(two == one, "seed \(seed), window \(window), step \(step), \(document.summary)")
      }
    }
  }

  @Test func rowsOfManyChunksAreMergedIntoTheSameChunks() throws {
    var numbers = SeededNumbers(seed: 7)
    let rows = (0..<40_000).map { i in
      let text = ["家", "office", "x\(i % 300)"][numbers.below(3)]
      return #"{"n":\#(i),"t":"\#(text)""# + (i % 3 == 0 ? #","d":\#(i).5}"# : "}")
    }
    let folder = try Folder()
    let path = try folder.file("in.json", Array("[\(rows.joined(separator: ",\n"))]".utf8))
    let merged = Count()
    var parallelReading = ParallelReading(step: 10_000, leastRows: 1000)
    parallelReading.ended = { merged.add($0) }
    #expect(
      Contents(path, step: 1 << 12, parallelReading: parallelReading)
        == Contents(path, parallelReading: .none))
    #expect(merged.value > 50, "the threads did share it")
  }

  @Test func shortRowsFillNoMoreThanAChunkOfAPart() throws {
    let rows = String(repeating: #"{"n":1},"#, count: 60_000) + #"{"n":2}"#
    let folder = try Folder()
    let path = try folder.file("in.json", Array("[\(rows)]".utf8))
    let merged = Count()
    var parallelReading = ParallelReading.standard
    parallelReading.ended = { merged.add($0) }
    let small = Contents(path, step: 1 << 12, parallelReading: parallelReading)
    #expect(small == Contents(path, parallelReading: .none))
    var often = ParallelReading(step: 1 << 17, leastRows: 10)
    often.ended = { merged.add($0) }
    #expect(Contents(path, step: 1 << 12, parallelReading: often) == small)
    #expect(merged.value > 2)
  }
}

/// A counter for closures on several threads.
private final class Count: Sendable {
  private let sum = Atomic<Int>(0)

  func add(_ number: Int) { sum.add(number, ordering: .relaxed) }

  var value: Int { sum.load(ordering: .relaxed) }
}

/// The complete content of a file, as text that can be compared.
struct Contents: Equatable {
  var problems: [String] = []
  var parts: [String] = []

  init(_ path: String, step: Int = 1 << 20, parallelReading: ParallelReading) {
    do throws(StoreProblems) {
      let store = try StoreReader(path: path, step: step, parallelReading: parallelReading).read()
      parts = ["\(store.isStore)", "\(store.graph.model)"]
      for table in store.graph.tables { add(table) }
    } catch {
      problems = error.diagnostics.map { $0.rendered() }
    }
  }

  private mutating func add(_ table: Table) {
    parts.append("\(table.layout.root) \(table.identifiers) \(table.nextNumber)")
    parts.append("\(table.entityCodes ?? []) \(table.soleEntity)")
    for column in table.columns {
      let texts = column.dictionary?.texts
      parts.append("\(column.kind) \(texts?.bytes ?? []) \(texts?.ends ?? [])")
      for chunk in column.chunks { parts.append("\(chunk.values) \(chunk.nulls?.words ?? [])") }
    }
  }
}
