import KuraBytes
import KuraDiagnostics
import KuraValues
import Synchronization
import Testing

@testable import KuraPredicates

/// An object that raises a flag after it has been read a number of times.
private final class Impatient: KeyReadable {
  let flag = CancelFlag()
  private let reads = Mutex(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var objectID: ObjectID? { nil }
  var readCount: Int { reads.withLock { $0 } }

  func value(forKey key: String) -> Value {
    if key == "rows" { return .list(Array(repeating: .object(ObjectReference(self)), count: 500)) }
    let count = reads.withLock { count in
      count += 1
      return count
    }
    if count == limit { flag.request() }
    return .integer(Int64(count))
  }
}

@Suite("A long evaluation is cancelled")
struct StoppingTests {
  @Test(
    "at its next step",
    arguments: [
      "SUBQUERY(rows, $a, SUBQUERY(rows, $b, $b.n < $a.n).@count > 1).@count > 0",
      "ANY rows.n == -1", "ALL rows.n != -1", "SUBQUERY(rows, $a, ANY rows.n == -1).@count > 0",
      "rows.@sum.n > 0", "rows.@distinctUnionOfObjects.n CONTAINS 3",
      "SUBQUERY(rows, $a, -1 IN $a.rows.n).@count > 0",
    ])
  func atItsNextStep(_ text: String) throws {
    let object = Impatient(limit: 100)
    let tree = try PredicateTree(parsing: text)
    let context = EvaluationContext(cancel: object.flag)
    do throws(Diagnostic) {
      _ = try tree.evaluate(on: .object(ObjectReference(object)), in: context)
      Issue.record("\(text) was not stopped")
    } catch {
      #expect(error.facts.sentence == "stopped")
      #expect(object.readCount <= 102, "\(text) read \(object.readCount) times")
    }
  }

  @Test("and the rest of a long list is not read")
  func longList() throws {
    let tree = try PredicateTree(parsing: "x IN list")
    let context = EvaluationContext(cancel: CancelFlag())
    context.cancel.request()
    let object = ObjectReference(["x": 1, "list": .list([2, 3])] as [String: Value])
    #expect(throws: Diagnostic.self) { try tree.evaluate(on: .object(object), in: context) }
  }
}
