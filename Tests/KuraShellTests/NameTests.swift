import KuraGraph
import KuraModel
import KuraValues
import TestSupport
import Testing

@testable import KuraShell

@Suite("An offered name reads back") struct NameTests {
  static let names = [
    "first name", "x\ny", "x\ty", "x\u{0}y", "x\u{2028}y", "a\"b", "a\\b", "\\n", "like", "date",
    "_",
    "題 名", "👪", "a/1", "where", "from",
  ]

  @Test("with the model, and while a statement is typed", arguments: names)
  func everywhere(name: String) throws {
    let written = StatementText.name(name)
    let folder = try TestFolder()
    let session = try Session(Launch(), folder.services)
    session.run("entity \(written) { \(written): integer? }\ninsert \(written) \(written) = 1")
    let model = session.context.graph.model
    #expect(model.entities.map(\.name) == [name], "\(folder.output)")

    let again = try Session(Launch(), folder.services)
    let statements = model.statements(in: .utc)
    again.run(statements)
    #expect(again.context.graph.model == model, "\(statements)")

    let aid = TypingAid(session)
    let source = try #require(aid.choices("fetch ", at: 6).all.first)
    let start = "fetch \(source.text) where "
    let key = try #require(aid.choices(start, at: start.utf8.count).all.first)
    session.run("delete \(source.text) where \(key.text) == 1")
    #expect(session.context.graph.objectCount(of: name) == 0, "\(source.text): \(folder.output)")
  }
}
