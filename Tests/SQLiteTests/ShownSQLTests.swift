import KuraDiagnostics
import KuraPredicates
import TestSupport
import Testing

@testable import KuraLearning

@Suite("What show writes in SQL")
struct ShownSQLTests {
  @Test("finds in SQLite what the fetch finds", arguments: [21, 22, 23, 24] as [UInt64])
  func generated(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let stores = try TwinStores(&numbers)
    for _ in 0..<120 {
      let table = numbers.pick(Table.allCases)
      try stores.check(Request.objects(of: table, stores.schema, &numbers).statement)
      try stores.check(Request.firstItems(stores.schema, &numbers).statement)
      try stores.check(Request.groups(stores.schema, &numbers).statement)
      try stores.check(Request.summary(stores.schema, &numbers).statement)
      try stores.check(Request.windows(stores.schema, &numbers).statement)
    }
  }

  @Test(
    "also with texts, quantifiers, arithmetic and aggregates",
    arguments: [
      "Item where text0 CONTAINS \"生\"", "Item where NOT text0 BEGINSWITH \"誕\"",
      "Item where text0 ENDSWITH \"a\"", "Item where text0 CONTAINS \"\"",
      "Item where text0 LIKE \"*日\"",
      "Item where NOT text0 LIKE \"Z*a\"", "Item where text0 == home.text0",
      "Item where text0 < home.text0", "Item where number0 <= home.number0",
      "Item where NOT number0 >= home.number0", "Item where number0 + price0 * 2 > 3",
      "Item where home.items.@count > 4", "Item where home.items.@max.price0 > 2.5",
      "Item where ANY home.items.number0 == 3", "Item where ALL home.items.number0 < 5",
      "Item where NONE home.items.home.number0 > 2", "Item where home == nil OR NOT home != nil",
      "Home where ALL items.number0 > -3", "Home where NOT ALL items.number0 > -3",
      "Home where items.@sum.price0 >= 1", "Home where items.@min.price0 < 0",
      "Home where items.@avg.number0 > 0.5", "Home where NOT items.@avg.price0 > 0.5",
      "Home where items.@avg.price0 == 0", "Home where items.@avg.number0 < 1",
      "Item where home.items.@count < 6", "Item where home.items.@sum.price0 < 4",
      "Item where home.items.@avg.number0 < 1",
      "Item where SUBQUERY(home.items, $i, $i.number0 > 1).@count < 3",
      "Home where SUBQUERY(items, $i, $i.number0 > 1 AND ANY $i.home.items.price0 > 3).@count > 1",
      "Home where SUBQUERY(items, $i, $i.number0 > number0).@count == 1",
      "Item where objectID IN {3, 5, 8} OR SELF == Item/9", "Item where home == Home/3",
      "Item where flag0 == YES AND NOT flag0 != YES", "Item where TERNARY(flag0 == YES, 1, 2) == 1",
      "Item where number0 BETWEEN {-2, price0}", "Item where 3 > number0",
      "Item where number0 < nil",
      "Item where number0 <= nil", "Item where number0 != nil AND TRUEPREDICATE",
    ])
  func written(question: String) throws {
    var numbers = SeededNumbers(seed: 25)
    let stores = try TwinStores(&numbers)
    try stores.check("fetch " + question)
    try stores.check("fetch \(question) sort number0 desc nulls first limit 7 offset 2")
    try stores.check("fetch \(question) select number0, price0 + 1 as next")
  }

  @Test("also with each function that SQLite has", arguments: BuiltInFunction.allCases)
  func functions(function: BuiltInFunction) throws {
    var numbers = SeededNumbers(seed: 26)
    let stores = try TwinStores(&numbers)
    let count = (1...3).first(where: function.entry.operands.accept) ?? 0
    let keys = ["number0", "price0", "number0"].prefix(count)
    let call = FunctionCall(
      function, keys.map { ExpressionTree(.keyPath(KeyPathTree([KeyComponent($0)]))) })
    let column = ExpressionTree(.function(call)).expressionFormat
    guard function.spelling.sql != nil else {
      // Some have operands of other kinds.
      _ = #expect(throws: (any Error).self) { try stores.translated("fetch Item select \(column)") }
      return
    }
    // Sums of large numbers differ in their last digits.
    try stores.check("fetch Item where number0 BETWEEN {-999, 999} select \(column)")
  }

  @Test(
    "also with columns that filter groups, which precede keys of their names",
    arguments: ["n", "price0"])
  func having(name: String) throws {
    var numbers = SeededNumbers(seed: 27)
    let stores = try TwinStores(&numbers)
    try stores.check(
      "fetch Item select number0, count(SELF) as \(name) group by number0 having \(name) > 9 sort number0"
    )
  }

  @Test(
    "also with the first of groups with equal sort keys",
    arguments: [
      "number0, count(SELF) as n group by number0 sort n desc",
      "number0 as key, flag0, count(SELF) as n group by flag0, key sort n, key desc",
      "max(price0) as most, home.number0 group by home.number0, flag0 sort flag0",
    ])
  func firstGroups(clauses: String) throws {
    var numbers = SeededNumbers(seed: 29)
    let stores = try TwinStores(&numbers)
    for limit in 1..<8 { try stores.check("fetch Item select \(clauses) limit \(limit)") }
  }

  @Test(
    "also with the first of distinct rows",
    arguments: [
      "number0", "number0, flag0 sort flag0", "number0 as n, flag0 sort n desc, flag0",
      "number0 + 1 as next, home.number0",
    ])
  func firstDistinctRows(clauses: String) throws {
    var numbers = SeededNumbers(seed: 30)
    let stores = try TwinStores(&numbers)
    for limit in 1..<8 { try stores.check("fetch Item select distinct \(clauses) limit \(limit)") }
    try stores.check("fetch Item select distinct \(clauses) offset 3")
    try stores.check("fetch Item where number0 > 0 select distinct \(clauses)")
  }

  @Test(
    "also with window functions, of rows and of groups",
    arguments: [
      "select number0, rank(), rank() per {flag0, home}, runningSum(number0)",
      "sort number0 desc nulls first select rank() per home, share(price0 + 1) per flag0",
      "where number0 > 0 sort flag0, number0 select share(number0), runningSum(number0) per home",
      "select number0, count(SELF) as n, rank(), share(count(SELF)) group by number0 sort n desc",
      "select number0 as key, flag0 as number0, rank() per key, share(price0) per {number0, home}",
      "select number0 as key, count(SELF) as n, rank() per n group by key sort key",
      "select flag0, sum(number0) as total, runningSum(sum(number0)) group by flag0",
    ])
  func windows(clauses: String) throws {
    var numbers = SeededNumbers(seed: 28)
    let stores = try TwinStores(&numbers)
    try stores.check("fetch Item \(clauses)")
  }

  @Test(
    "names the place of what SQLite lacks",
    arguments: [
      "text0 CONTAINS[c] \"a\"", "text0 MATCHES \"a.*\"", "text0 LIKE \"a?\"", "number0 / 2 > 1",
      "length(text0) > 2", "number0 IN (fetch Item select number0)",
      "home.items.number0 CONTAINS 3",
    ])
  func missing(predicate: String) throws {
    var numbers = SeededNumbers(seed: 26)
    let stores = try TwinStores(&numbers)
    let error = #expect(throws: Untranslatable.self) {
      try stores.translated("fetch Item where " + predicate)
    }
    #expect(error?.problems.allSatisfy { $0.span != nil } ?? false)
  }
}

extension TwinStores {
  fileprivate func check(_ statement: String) throws {
    let sql = try translated(statement)
    let (ours, theirs) = (try ask(statement), try ask(sql: sql))
    #expect(ours == theirs, "\(statement)\n\(sql)")
  }
}
