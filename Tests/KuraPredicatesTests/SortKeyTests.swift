import KuraDiagnostics
import KuraPredicates
import Testing

@Suite struct SortKeyTests {
  private func key(_ text: String) throws -> SortTree {
    let parser = try readInStatement(text)
    let key = outcome { () throws(SyntaxError) in
      let key = try parser.parseSortKey()
      try parser.parseEnd()
      return key
    }
    return try key.get()
  }

  @Test func aKeyPrintsAsItIsWritten() throws {
    for text in [
      "title", "title desc", "title[cd]", "title[l] desc nulls last", "name natural",
      "name natural desc nulls first", "items.@count", "a.b[cd] desc", "natural natural",
      "desc desc", "nulls nulls first", "(title[cd])", "(title[cd])[l]", "a + 1 desc", "title[0]",
      "(a.b)[0][cd]", "a + (b[c])", "(a[cd]) MINUS b", "(a[cd]).b desc", "((a[cd])[0])[l]",
      "(b[c]) + a", "-(a[c])", "(a[cd]).b[0]", "$x := (a[c]) + 1", "$x := a[LAST][cd] desc",
      "($x := a[LAST])[cd]",
    ] {
      let key = try key(text)
      let printed = key.description
      #expect(try self.key(printed) == key, "\(printed)")
    }
    #expect(try key("title[cd] asc").description == "title[cd]")
    #expect(try key("title[cd]").options == [.caseInsensitive, .diacriticInsensitive])
    #expect(try key("$x := title[cd]").options == [.caseInsensitive, .diacriticInsensitive])
    #expect(try key("title[n] asc nulls last").nullsFirst == false)
  }

  @Test func spansDoNotCountForEquality() throws {
    #expect(try key("  title   desc") == key("title desc"))
  }
}
