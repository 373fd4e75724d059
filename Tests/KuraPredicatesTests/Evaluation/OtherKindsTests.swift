import KuraDiagnostics
import KuraValues
import TestSupport
import Testing

@testable import KuraPredicates

@Suite("Values of kinds that an operator does not accept")
struct OtherKindsTests {
  /// A copy of the objects for each further one took quadratic time: minutes for 200,000.
  @Test("are collected in linear time, and counted in one warning")
  func linear() throws {
    let kinds = OtherKinds()
    let seconds = ProcessorTime.seconds {
      for number in 1...200_000 {
        kinds.note(
          .notANumber(.string), at: SourceSpan(0, 1),
          in: ObjectID(entity: "Item", number: Int64(number)))
      }
    }
    #expect(seconds < 60)
    let warnings = kinds.takeWarnings()
    #expect(warnings.count == 1)
    #expect(warnings.first?.facts.sentence.contains("Item/1 and 199999 other objects") == true)
  }
}
