import KuraDiagnostics
import KuraModel
import KuraValues
import TestSupport
import Testing

/// A text with its errors between « and », and the message about each.
struct MarkedCase: Sendable, CustomTestStringConvertible {
  var marked: String
  var sentences: [String]
  var testDescription: String { marked }

  init(_ marked: String, _ sentences: String...) {
    self.marked = marked
    self.sentences = sentences
  }

  static func attribute(_ fields: String, _ sentence: String) -> MarkedCase {
    MarkedCase(#"{"entities": {"Item": {"attributes": {"due": {\#(fields)}}}}}"#, sentence)
  }

  static func relationship(_ fields: String, _ sentence: String) -> MarkedCase {
    let title = #""attributes": {"title": {"type": "string"}}"#
    return MarkedCase(
      #"{"entities": {"Item": {\#(title), "relationships": {"next": {\#(fields)}}}}}"#, sentence)
  }

  /// The text without marks, and the marked spans.
  var parts: (text: String, spans: [SourceSpan]) {
    var bytes: [UInt8] = []
    var open: [Int] = []
    var spans: [SourceSpan] = []
    for character in marked {
      switch character {
      case "«": open.append(bytes.count)
      case "»": spans.append(SourceSpan(open.popLast() ?? 0, bytes.count))
      default: bytes += Array(String(character).utf8)
      }
    }
    return (String(decoding: bytes, as: UTF8.self), spans)
  }
}

@Suite struct ModelDocumentErrorTests {
  @Test(arguments: reading + attributes + relationships + names + rules)
  func whatIsWrongIsSaidAtItsPlace(_ marked: MarkedCase) {
    let (text, spans) = marked.parts
    let problems = ModelDocument(json: text).problems
    #expect(problems.map(\.facts.sentence) == marked.sentences)
    #expect(problems.map(\.span) == spans)
  }

  static let reading = [
    MarkedCase("«[]»", #""model" must be an object, not a list"#),
    MarkedCase(#"{«"entitys»": {}}"#.replacing("s»\"", with: "s\"»"), #"a model has no "entitys""#),
    MarkedCase(#"{"entities": «3»}"#, #""entities" must be an object, not a number"#),
    MarkedCase(#"{"entities": {"A": «null»}}"#, #""A" must be an object, not null"#),
    MarkedCase(#"{"entities": {"A": {«"atributes"»: {}}}}"#, #"an entity has no "atributes""#),
    MarkedCase(
      #"{"entities": {"A": {"abstract": «"yes"»}}}"#,
      #""abstract" must be true or false, not a string"#),
    MarkedCase(#"{"requests": {"R": «1»}}"#, #""R" must be a string, not a number"#),
    MarkedCase(#"{"userInfo": «[]»}"#, #""userInfo" must be an object, not a list"#),
    MarkedCase(
      #"{"entities": {"A": {"unique": «"a"»}, "B": {"unique": [«"b"»]}}}"#,
      #""unique" must be a list, not a string"#, #""unique" must be a list, not a string"#),
  ]

  static let attributes: [MarkedCase] = [
    .attribute(#""type": «"text"»"#, #"there is no type "text""#),
    .attribute(#""type": «"Date"»"#, #"there is no type "Date""#),
    .attribute(#""type": «[1]»"#, #""type" must be a string, not a list"#),
    .attribute(#""type": "date", «"defualt"»: 1"#, #"an attribute has no "defualt""#),
    .attribute(
      #""type": "date", "default": «"soon"»"#, #""default": "soon" is not a date"#),
    .attribute(
      #""type": "date", "min": «"2023-02-30"»"#,
      #""min": "2023-02-30" is not a date: 2023-02 has no day 30"#),
    .attribute(
      #""type": "date", "default": «3»"#, #""default": expected a date, found a number"#),
    .attribute(
      #""type": "integer16", "default": «70000»"#,
      #""default": 70000 does not fit into an integer16"#),
    .attribute(
      #""type": "integer", "max": «2.5»"#, #""max": 2.5 has a fraction; an integer has none"#),
    .attribute(
      #""type": "string", "min": «"1"»"#, #""min": expected an integer, found a string"#),
    .attribute(#""type": "boolean", "min": «1»"#, "min does not apply to a boolean"),
    .attribute(
      #""type": "string", "optional": «1»"#, #""optional" must be true or false, not a number"#),
    .attribute(
      #""type": "string", "userInfo": «"x"»"#, #""userInfo" must be an object, not a string"#),
    MarkedCase(
      #"{"entities": {"A": {"attributes": {«"t"»: {"optional": true}}}}}"#,
      #"an attribute needs "type""#),
  ]

  static let relationships: [MarkedCase] = [
    .relationship(#""destination": «"Itme"»"#, "there is no entity Itme"),
    .relationship(
      #""destination": "Item", "deleteRule": «"delete"»"#, #"there is no delete rule "delete""#),
    .relationship(#""destination": "Item", "inverse": «"nxt"»"#, "Item has no key nxt"),
    .relationship(
      #""destination": "Item", "inverse": «"title"»"#,
      "Item.title is an attribute, but an inverse must be a relationship"),
    .relationship(
      #""destination": "Item", "ordered": «true»"#, "ordered applies only to to-many relationships"),
    .relationship(
      #""destination": "Item", "minCount": «1»"#, "min applies only to to-many relationships"),
    .relationship(
      #""destination": "Item", "toMany": true, "minCount": «-1»"#,
      #""minCount" must be a whole number, 0 or more"#),
    .relationship(
      #""destination": "Item", "toMany": true, "minCount": «3», "maxCount": 2"#,
      "min is greater than max"),
    .relationship(
      #""destination": "Item", "toMany": true, "maxCount": «0»"#,
      "a relationship with at most 0 objects is always empty"),
    .relationship(
      #""destination": "Item", «"default"»: 1"#, #"a relationship has no "default""#),
    MarkedCase(
      #"{"entities": {"A": {"relationships": {«"t"»: {"toMany": true}}}}}"#,
      #"a relationship needs "destination""#),
    MarkedCase(
      """
      {"entities": {"A": {"relationships": {"b": {"destination": "B", "inverse": «"a"»}}},
        "B": {"relationships": {"a": {"destination": "A"}}}}}
      """, "A.b has the inverse B.a, which has no inverse itself"),
  ]

  static let names = [
    MarkedCase(#"{"entities": {«""»: {}}}"#, "an entity needs a name"),
    MarkedCase(
      #"{"entities": {"A": {"attributes": {«""»: {"type": "string"}}}}}"#,
      "an attribute needs a name"),
    MarkedCase(
      #"{"entities": {"A": {"attributes": {«"objectID"»: {"type": "integer"}}}}}"#,
      "objectID is every object's identity and cannot be a key"),
    MarkedCase(
      #"{"entities": {"A": {"parent": «"Bse"»}, "Base": {}}}"#, "there is no entity Bse"),
    MarkedCase(
      #"{"entities": {"A": {"parent": «"B"»}, "B": {"parent": «"A"»}, "C": {"parent": "A"}}}"#,
      "A inherits from B inherits from A", "B inherits from A inherits from B"),
    MarkedCase(#"{"entities": {"A": {"parent": «"A"»}}}"#, "A inherits from A"),
    MarkedCase(
      """
      {"entities": {"B": {"parent": "A", "attributes": {«"t"»: {"type": "string"}}},
        "A": {"attributes": {"t": {"type": "string"}}}}}
      """, "B inherits t from A"),
    MarkedCase(
      """
      {"entities": {"A": {"attributes": {«"t"»: {"type": "string"}},
        "relationships": {«"t"»: {"destination": "A"}}}}}
      """, "A has two keys named t", "A has two keys named t"),
  ]

  static let rules: [MarkedCase] = [
    .attribute(#""type": "integer", "min": «5», "max": 1"#, "min is greater than max"),
    .attribute(
      #""type": "integer", "default": «9», "max": 5"#, "the default breaks the rule max"),
    .attribute(
      #""type": "string", "default": «"𠮷"», "max": 1"#, "the default breaks the rule max"),
    .attribute(
      #""type": "string", "default": «"ab"», "matches": "a|abc""#,
      "the default breaks the rule matches"),
    .attribute(
      #""type": "string", "matches": «"("»"#,
      "not a regular expression: missing ) for this ("),
    .attribute(#""type": "date", "matches": «"x"»"#, "matches does not apply to a date"),
    .attribute(
      #""type": "date", "defaultExpression": «"random()"»"#,
      "the default does not fit: expected a date, found a number"),
    .attribute(
      #""type": "string", "defaultExpression": «"trim(x)"»"#,
      "a default is computed before the object exists, so it cannot use x"),
    .attribute(
      #""type": "date", "defaultExpression": «"now()"», "derived": "now()""#,
      "a derived attribute cannot have a default"),
    .attribute(
      #""type": "integer", "default": «1», "derived": "1 + 1""#,
      "a derived attribute cannot have a default"),
    MarkedCase(#"{"entities": {"A": {"unique": «[[]]»}}}"#, "unique needs a key"),
    MarkedCase(
      #"{"entities": {"A": {"unique": «[["titl"]]», "attributes": {"title": {"type": "string"}}}}}"#,
      "A has no key titl"),
    MarkedCase(
      """
      {"entities": {"A": {"unique": «[["s"]]»,
        "relationships": {"s": {"destination": "A", "toMany": true}}}}}
      """, "s is a to-many relationship and cannot be unique"),
    MarkedCase(
      #"{"entities": {"A": {"unique": «[["t","t"]]», "attributes": {"t": {"type": "string"}}}}}"#,
      "t appears twice in one unique"),
    MarkedCase(#"{"entities": {"A": {"indexes": «[[]]»}}}"#, "an index needs a key"),
    MarkedCase(
      #"{"entities": {"A": {"indexes": «[["titl"]]», "attributes": {"title": {"type": "string"}}}}}"#,
      "A has no key titl"),
    MarkedCase(
      #"{"entities": {"A": {"indexes": «[["s"]]», "relationships": {"s": {"destination": "A"}}}}}"#,
      "s is a relationship, but an index needs attributes"),
    MarkedCase(
      #"{"entities": {"A": {"indexes": «[[{"desc": "t"}]]», "attributes": {"t": {"type": "json"}}}}}"#,
      "t is JSON, but an index needs values with an order"),
    MarkedCase(
      #"{"entities": {"A": {"indexes": «[["t",{"desc":"t"}]]», "attributes": {"t": {"type": "string"}}}}}"#,
      "t appears twice in one index"),
    MarkedCase(
      #"{"entities": {"A": {"indexes": «[["t"],["t"]]», "attributes": {"t": {"type": "string"}}}}}"#,
      "index t already exists"),
    MarkedCase(
      #"{"entities": {"A": {"indexes": [[{«"asc"»: "t", "desc": "t"}]], "attributes": {"t": {"type": "string"}}}}}"#,
      "an index has no \"asc\""),
  ]

  @Test func nearNamesAreOffered() {
    let problems = ModelDocument(
      json: #"{"entities": {"Item": {"attributes": {"due": {"type": "strng"}}}}}"#
    ).problems
    #expect(problems.map(\.facts.help) == [#"did you mean "string"?"#])
    let unknown = ModelDocument(json: #"{"x": 1}"#).problems
    #expect(unknown.map(\.facts.help) == ["available: entities, requests, userInfo"])
  }

  @Test func anErrorInARuleStandsInTheDocument() throws {
    let text =
      #"{"entities": {"A": {"attributes": {"t": {"type": "string", "check": "\u8a95 == \"x"}}}}}"#
    let problem = try #require(ModelDocument(json: text).problems.first)
    let span = try #require(problem.span)
    let quote = try #require(text.utf8.firstRange(of: #"\"x"#.utf8))
    #expect(span.start == text.utf8.distance(from: text.startIndex, to: quote.lowerBound))
    #expect(problem.source?.bytes == Array(text.utf8))
  }

  @Test func noDocumentCutOrChangedCrashes() {
    var random = SeededNumbers(seed: 0x6B757261)
    let words = ["null", "1", "\"x\"", "[]", "{}", "true", "1e999", "\"date\"", "[[\"title\"]]"]
    for _ in 0..<2000 {
      var parts = Sample.todo.split(separator: ": ", omittingEmptySubsequences: false).map(
        String.init)
      let i = 1 + Int(random.next() % UInt64(parts.count - 1))
      let word = words[Int(random.next() % UInt64(words.count))]
      let end = parts[i].firstIndex { ",}\n".contains($0) } ?? parts[i].endIndex
      parts[i].replaceSubrange(parts[i].startIndex..<end, with: word)
      let read = ModelDocument(json: parts.joined(separator: ": "))
      _ = read.model.statements(in: .utc) + read.model.mermaid + read.model.dot
      #expect(read.problems.allSatisfy { $0.span != nil }, "seed 0x6B757261")
    }
  }
}
