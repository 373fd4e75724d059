import KuraBytes
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@Suite struct ModelDocumentTests {
  @Test func aModelIsWrittenAsItWasRead() {
    #expect(Sample.model(Sample.todo).json(in: Sample.tokyo) == Sample.todo)
  }

  @Test func aModelIsIndentedWhereItStandsInADocument() {
    var bytes = Array("  \"model\": ".utf8)
    Model(entities: [Entity(name: "A")]).appendJSON(to: &bytes, in: .utc, indentation: 2)
    let text = "  \"model\": {\n    \"entities\": {\n      \"A\": {}\n    }\n  }"
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test func theEmptyModelIsAModel() {
    #expect(Sample.model("{}") == Model())
    #expect(Model().json(in: .utc) == "{\n  \"entities\": {}\n}\n")
  }

  @Test func whatIsSaidIsRead() throws {
    let model = Sample.model(Sample.todo)
    let due = try #require(model["Item"]?.attributes[2])
    #expect(due.type == .date)
    #expect(due.isOptional)
    #expect(due.minimum == .date(try Timestamp("1935-06-10T15:00:00Z", in: .utc)))
    let steps = try #require(model["Task"]?.relationships.first)
    #expect(steps.isOrdered && steps.isToMany && !steps.isOptional)
    #expect(steps.leastCount == 1)
    #expect(steps.greatestCount == 9)
    #expect(model["Item"]?.attributes.last?.userInfo == #"{"b": 2.50}"#)
    #expect(model["Base"]?.isAbstract == true)
    #expect(model.requests.map(\.name) == ["Birthdays"])
  }

  @Test func defaultsAreLeftOutWhenWritten() {
    let wordy = """
      {"entities": {"A": {"abstract": false, "attributes": {"t": {"optional": false, "type":
      "string", "default": null, "transient": false}}, "relationships": {"a": {"toMany": false,
      "optional": true, "ordered": false, "deleteRule": "nullify", "destination": "A"}},
      "unique": []}}, "requests": {}}
      """
    let model = Sample.model(wordy)
    #expect(model.json(in: .utc).contains(#""t": {"type": "string"}"#))
    #expect(model.json(in: .utc).contains(#""a": {"destination": "A"}"#))
    #expect(!model.json(in: .utc).contains("unique"))
  }

  @Test func rulesAreTrees() throws {
    let json = """
      {"entities": {"Item": {"attributes": {
      "title": {"type": "string", "check": "length(title)<20"},
      "count": {"type": "integer", "derived": "price*2"}, "price": {"type": "integer"}}}}}
      """
    let model = Sample.model(json)
    let again = Sample.model(model.json(in: .utc))
    #expect(model == again)
    #expect(model.json(in: .utc) == again.json(in: .utc))
    #expect(model.json(in: .utc).contains(#""derived": "price * 2""#))
    guard case .comparison(let comparison)? = model["Item"]?.attributes[0].check?.kind else {
      Issue.record("no comparison")
      return
    }
    #expect(comparison.operation == .less)
  }
}
