import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite struct FormatArgumentTests {
  private func printed(_ format: String, _ arguments: FormatArgument...) -> String {
    do throws(Diagnostic) {
      return try PredicateTree(format: format, arguments: arguments).predicateFormat
    } catch {
      return "error: " + error.facts.sentence
    }
  }

  @Test func argumentsAreValuesAndNeverSyntax() {
    let trap = "x\" OR TRUEPREDICATE OR \"\" == \""
    #expect(
      printed("a == %@", .value(.string(trap)))
        == "a == \"x\\\" OR TRUEPREDICATE OR \\\"\\\" == \\\"\"")
    #expect(
      printed("%K like %@", .value(.string("firstName")), .value(.string("Adam")))
        == "firstName LIKE \"Adam\"")
    #expect(
      printed("%@ like %@", .value(.string("firstName")), .value(.string("Adam")))
        == "\"firstName\" LIKE \"Adam\"")
    #expect(printed("'%K' like '%@'") == "\"%K\" LIKE \"%@\"")
    #expect(
      printed("SELF like[c] %@*%@", .value(.string("a")), .value(.string("b")))
        == "SELF LIKE[c] \"a\" * \"b\"")
  }

  @Test func keyPathsComeFromStrings() {
    #expect(printed("%K == 1", .value(.string("a.@sum.in"))) == "a.@sum.#in == 1")
    #expect(printed("a.%K == 1", .value(.string("first name"))) == "a.\"first name\" == 1")
    #expect(printed("(%K)[0] == 1", .value(.string("a.b"))) == "(a.b)[0] == 1")
    #expect(printed("%K[0] == 1", .value(.string("a.b"))) == "(a.b)[0] == 1")
    #expect(
      printed("%K == 1", .value(.integer(3))) == "error: \"%K\" requires a string with a key path")
    #expect(printed("%K == 1", .value(.string("a..b"))).hasPrefix("error"))
  }

  @Test func numbersKeepTheirKind() {
    #expect(
      printed("a == %d AND b == %lld", .value(.integer(3)), .value(.boolean(true)))
        == "a == 3 AND b == 1")
    #expect(printed("a == %f", .value(.integer(3))) == "a == 3.0")
    #expect(printed("a == %d", .value(.double(2.5))) == "error: \"%d\" requires an integer")
    #expect(printed("a == %c", .value(.integer(65))) == "a == \"A\"")
    #expect(printed("a IN %@", .value(.list([.integer(1), .string("x")]))) == "a IN {1, \"x\"}")
  }

  @Test func expressionsAndPredicatesAreSpliced() throws {
    let sum = try ExpressionTree(parsing: "a + 1")
    #expect(printed("%@ * 2 == 4", .expression(sum)) == "(a + 1) * 2 == 4")
    let inner = try PredicateTree(parsing: "a == 1 OR b == 2")
    #expect(printed("%@ AND c == 3", .predicate(inner)) == "(a == 1 OR b == 2) AND c == 3")
    #expect(printed("%@ == 3", .predicate(inner)) == "error: a predicate cannot be used as a value")
  }

  @Test func argumentsAndSpecifiersMustMatch() {
    #expect(printed("a == %@") == "error: \"%@\" has no argument: none are given")
    #expect(printed("a == 1", .value(.integer(1))) == "error: 1 argument for 0 format specifiers")
    #expect(printed("a == %k", .value(.integer(1))) == "error: there is no format specifier \"%k\"")
    #expect(printed("a == 5 %% 2", .value(.integer(1))) == "error: there is no operator \"%\"")
  }
}
