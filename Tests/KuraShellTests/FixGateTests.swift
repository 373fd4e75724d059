import KuraChecking
import KuraDiagnostics
import Testing

@testable import KuraShell

@Suite("The gate of fixes")
struct FixGateTests {
  @Test("accepts all fixes of the table", arguments: try FixCase.all)
  func permits(_ testCase: FixCase) {
    guard let corrected = testCase.corrected, corrected != "-" else { return }
    let mistake = testCase.mistake
    #expect(difference(mistake, corrected)?.isEquivalent ?? true)
  }

  /// A mistake, and a fix that drops or adds a name, an argument or a part of a literal.
  @Test(arguments: [
    ("fetch Item where foo(title) == 1", "fetch Item where (title) == 1"),
    ("fetch Itme select foo(title)", "fetch Item select (title)"),
    ("fetch Item where foo(title) == 1", #"fetch Item where where(title) == "1""#),
    (#"print monthsBetween("a","b")"#, #"print {"a","b"}"#),
    ("fetch Item where priority > 1,5", "fetch Item where priority > 15"),
    (
      "update Item set priority = +5 where done == NO",
      "update Item set priority += 5 where done == NO"
    ),
    (
      "update Item set priority = +5 where done == NO",
      "update Item set priority +=5 where done == NO"
    ),
    (
      "update Item set title = strip(title) where done == NO",
      #"update Item set title = "strip(title)" where done == NO"#
    ),
    ("fetch Item where title == 'it's'", #"fetch Item where title == 'it\''"#),
    ("insert Item title = 'it's'", "insert Item title = 'it'"),
    ("insert Item title = 'it's'", #"insert Item title = 'it' as "s'""#),
    (
      #"update Item set title = ${x} where done == NO"#,
      #"update Item set title = "${x}" where done == NO"#
    ),
    ("fetch Item where priority > 3 limit 5", "fetch Item where priority > 3"),
    ("fetch Item where exists priority", "fetch Item where priority != 0"),
    ("delete dueDate from Item/6", "delete Item/6"),
    ("delete one Item where done == YES", "delete Item where done == YES"),
    ("update Item/1 add tags Tag/1", "update Item/1 set tags = Tag/1"),
    ("fetch Item where priority < 3", "fetch Item where priority > 3"),
    ("fetch Item where not done", "fetch Item where done == YES"),
    ("print r.+1", "print \"r\"+1"),
    ("fetch Item where priority > 3 priority", "fetch Item where priority > 3"),
    ("fetch Item where priority > 3 priority", "fetch Item where priority > 3 AND priority != 0"),
    ("fetch Item select avg priority", "fetch Item select priority"),
    (
      #"update Item set dueDate = "7月20日 18:20" where done == NO"#,
      #"update Item set dueDate = "2026-07-20" where done == NO"#
    ),
    ("delete Item where priority = 7 and", "delete Item where priority = 7"),
    (
      "update Item set parentCategory.name = 'x' where priority == 3",
      "update Item set parentCategory = name = 'x' where priority == 3"
    ),
    (
      "update Item set parentCategory.name = 'x' where priority == 3",
      "update Item set parentCategory = parentCategory.name = 'x' where priority == 3"
    ),
    ("as of 0: print title", "fetch print"),
    ("delete Item where title = \"x\"", "delete Item where title CONTAINS \"x\""),
    (
      "update Item set priority 5 where done == NO",
      "update Item set priority += 5 where done == NO"
    ),
    (
      "update Item set dueDate = \"2021年7月20日(水)\" where done == NO",
      "update Item set dueDate = \"2021-07-20\" where done == NO"
    ),
    ("fetch Item where dueDate == \"2024年3月5日\"", "fetch Item where dueDate == \"2024-03-17\""),
    (
      "fetch Item where title is \"Ana Silva\"",
      "fetch Item where title == \"is \\\"Ana Silva\\\"\""
    ),
  ])
  func refuses(_ mistake: String, _ corrected: String) {
    #expect(difference(mistake, corrected)?.isEquivalent == false)
  }

  private func difference(_ mistake: String, _ corrected: String) -> FixDifference? {
    let kind = ChangeKind(String(mistake.prefix { $0.isLetter }))
    if kind == .save || corrected.hasPrefix(".") { return nil }
    let parts = RepairText(mistake, at: 0, FixCase.context)
    if RepairRules.all.changes(of: parts).contains(where: { $0.applied(to: mistake) == corrected })
    {
      return nil
    }
    return FixDifference(mistake, corrected, FixCase.context, changes: kind)
  }
}
