import KuraBytes
import KuraDiagnostics
import KuraJSON
import KuraValues
import Testing

@testable import KuraModel

@Suite("The size of a model")
struct ModelLimitTests {
  private func entities(_ counts: [(String, parent: String?, keys: Int)]) -> [Entity] {
    counts.map { name, parent, keys in
      Entity(
        name: name, parent: parent,
        attributes: (0..<keys).map { Attribute(name: "\(name)\($0)", type: .integer) })
    }
  }

  @Test("counts inherited keys for each entity, in any order and in cycles")
  func counted() {
    #expect(ModelLimit.firstBeyond(entities([("A", nil, 250_000)])) == nil)
    #expect(ModelLimit.firstBeyond(entities([("A", nil, 250_001)])) == "A")
    #expect(ModelLimit.firstBeyond(entities([("A", nil, 125_000), ("B", "A", 0)])) == nil)
    #expect(ModelLimit.firstBeyond(entities([("B", "A", 1), ("A", nil, 125_000)])) == "A")
    #expect(ModelLimit.firstBeyond(entities([("A", "B", 1), ("B", "A", 1), ("C", "C", 1)])) == nil)
  }

  @Test("is a contradiction that no later statement can correct")
  func problem() {
    let chain = (0..<707).map { ("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)", keys: 1) }
    let problem = ModelCheck(Model(entities: entities(chain))).contradictions.first
    #expect(problem?.facts == .tooManyKeys(entity: "E706"))
  }

  @Test("can be checked while reading is cancelled")
  func stopped() throws {
    let cancel = CancelFlag()
    cancel.request()
    let text = #"{"entities": {"A": {"attributes": {"a": {"type": "string"}}}}}"#
    let node = try JSONNode(reading: Array(text.utf8))
    let read = ModelDocument(node, in: SourceText(text), zone: .utc, cancel)
    #expect(read.model["A"]?.attributes.isEmpty == true)
  }
}
