import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite("A literal text is read as the type of the other side")
struct WrittenTextTests {
  private static let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
  private static let object: [String: Value] = [
    "born": .date((try? Timestamp(written: "1935-06-11", in: .utc)) ?? .now), "title": "1935-06-11",
    "id": UUID(uuidString: id).predicateValue, "link": .uri("https://example.com/a"),
    "data": .binary([1, 2]), "nothing": nil,
    "days": [.date((try? Timestamp(written: "1935-06-11", in: .utc)) ?? .now)],
  ]
  private let utc = PredicateEnvironment(timeZone: .gmt)

  @Test(
    "true",
    arguments: [
      "born == '1935-06-11'", "born < '1950-01-01'", "'1900-01-01' <= born", "born != '1935-06-12'",
      "born BETWEEN {'1935-01-01', '1936-01-01'}", "born IN {'1935-06-11', 'x', '2000-01-01', 'y'}",
      "born == $text", "born IN $texts", "days CONTAINS '1935-06-11'", "'1935-06-11' IN days",
      "ANY days < '1936-01-01'", "born == '1935/6/11'", "born == '昭和10年6月11日'", "born != 'x'",
      "id == '\(id)'", "id == '\(id.lowercased())'", "id IN {'\(id)'}",
      "link == 'https://example.com/a'",
      "link BEGINSWITH 'https'", "link ENDSWITH '/a'", "data == 'AQI='", "title == '1935-06-11'",
      "title != born", "nothing != '1935-06-11'", "days == {'1935-06-11'}", "title < '2'",
      "CAST(title, 'NSDate') == born",
    ])
  func isTrue(text: String) throws {
    let variables: [String: Value] = ["text": "1935-06-11", "texts": ["1935-06-11"]]
    let tree = try PredicateTree(parsing: text)
    #expect(try tree.evaluate(Self.object, variables: variables, in: utc))
    #expect(try tree.prepared(variables: variables, in: utc).evaluate(Self.object))
  }

  @Test(
    "words and times of day mean the day of the evaluation",
    arguments: ["due > 'today'", "due BETWEEN {'今日', '明日'}", "due > $day", "due == '9:00'"])
  func words(text: String) throws {
    var fixed = utc
    fixed.now = Date(timeIntervalSince1970: 1_000_000_000)
    let variables: [String: Value] = ["day": "today"]
    let start = Timestamp(microseconds: 999_993_600_000_000)
    let due: [String: Value] = ["due": .date(start.adding(seconds: 9 * 3600) ?? start)]
    let tree = try PredicateTree(parsing: text)
    #expect(try tree.evaluate(due, variables: variables, in: fixed))
    #expect(try tree.prepared(variables: variables, in: fixed).evaluate(due))
    #expect(try [due].filter(by: tree, variables: variables, in: fixed).count == 1)
  }

  @Test("a prepared predicate uses the day of the evaluation")
  func preparedWords() throws {
    let soon: [String: Value] = ["due": .date(Timestamp.now.adding(seconds: 90_000) ?? .now)]
    #expect(try "due > 'today'".predicate().prepared().evaluate(soon))
    #expect(try [soon].count(by: "due < 'yesterday'") == 0)
  }

  @Test("a text that is not a date is an error with a message about the forms of dates")
  func noDates() throws {
    for text in ["born > '2020'", "'2020' < born", "born > title"] {
      let error = #expect(throws: Diagnostic.self) { try text.predicate().evaluate(Self.object) }
      #expect(error?.facts.help?.contains("\"NSDate\"") == true)
    }
    let error = #expect(throws: Diagnostic.self) {
      try "title > 3".predicate().evaluate(Self.object)
    }
    #expect(error?.facts.help?.contains("\"NSNumber\"") == true)
    #expect(throws: Diagnostic.self) { try "title > id".predicate().evaluate(Self.object) }
  }

  @Test("a text of an object stays a text")
  func values() throws {
    #expect(throws: Diagnostic.self) { try "title < born".predicate().evaluate(Self.object) }
    #expect(throws: Diagnostic.self) { try "born < 'soon'".predicate().evaluate(Self.object) }
  }

  @Test("a quoted specifier takes no argument")
  func quoted() throws {
    func problem(_ format: String, _ arguments: any FormatConvertible...) -> Diagnostic? {
      do throws(Diagnostic) {
        _ = try PredicateTree(format: format, arguments: arguments.map(\.formatArgument))
        return nil
      } catch { return error }
    }
    let found = try #require(problem("title == '%@'", "x"))
    #expect(found.facts.sentence == "\"%@\" in quotes is plain text and has no argument")
    #expect(found.fixIts == [FixIt(SourceSpan(9, 13), "%@")])
    #expect(
      problem("n == %d AND title LIKE \"*%@*\"", 3, "x")?.facts.help?.contains("alone") == true)
    #expect(problem("title == '%@'") == nil)
    #expect(problem("title == 'x'", "x")?.facts.sentence.contains("1 argument") == true)
  }

  @Test("Float and CGFloat are read as they are written")
  func floats() throws {
    #expect(try "x == 0.1".predicate().evaluate(with: ["x": Float(0.1)] as [String: Any]))
    #expect(
      try "x == 0.1".predicate().evaluate(with: ["x": NSNumber(value: Float(0.1))] as [String: Any])
    )
    #expect(try PredicateTree(format: "x == %@", CGFloat(0.5)).evaluate(["x": 0.5]))
  }
}
