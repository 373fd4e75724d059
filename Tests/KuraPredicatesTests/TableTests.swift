import KuraDiagnostics
import KuraPredicates
import Testing

@Suite struct TableTests {
  @Test func everyReadPredicatePrintsAsTheTableSaysAndReadsBackEqual() throws {
    let rows = try Table.rows("reads")
    #expect(rows.count > 150)
    for row in rows {
      let tree = try PredicateTree(parsing: row[0])
      let printed = tree.predicateFormat
      #expect(printed == (row[1] == "=" ? row[0] : row[1]))
      let again = try PredicateTree(parsing: printed)
      #expect(again == tree, "\(printed)")
      #expect(again.predicateFormat == printed)
    }
  }

  @Test func everyRefusedTextIsRefusedAtItsPlaceWithItsSentence() throws {
    let rows = try Table.rows("refused")
    #expect(rows.count > 100)
    for row in rows {
      do throws(Diagnostic) {
        let tree = try PredicateTree(parsing: row[0])
        Issue.record("\(row[0]) was read as \(tree)")
      } catch {
        #expect(refusal(of: row[0], error) == Array(row.dropFirst()), "\(row[0])")
      }
    }
  }

  /// Returns the place, the sentence, the help and the text after the fix.
  private func refusal(of text: String, _ error: Diagnostic) -> [String] {
    let place = SourceText(text).text(error.span ?? .none)
    let sentence = error.facts.sentence + (error.facts.isIncomplete ? " …" : "")
    return [place, sentence, error.facts.help ?? "", error.fixIt.map { fixed(text, $0) } ?? ""]
  }

  @Test func aFixedTextIsReadOrHasAnotherError() throws {
    for row in try Table.rows("refused") where !row[4].isEmpty {
      do throws(Diagnostic) {
        _ = try PredicateTree(parsing: row[4])
      } catch {
        #expect(refusal(of: row[4], error) != Array(row.dropFirst()), "\(row[4])")
      }
    }
  }
}
