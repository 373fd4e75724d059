import Foundation
import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import TestSupport
import Testing

@testable import KuraShell

/// A statement with a mistake, and the result of the first fix: a line of Tables/mended.tsv.
///
/// A line without the second part is recorded, and fails once; `-` means that no fix is offered.
struct FixCase: CustomStringConvertible, Sendable {
  let mistake: String
  let corrected: String?

  var description: String { mistake }
}

extension FixCase {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Tables/mended.tsv")

  private static var lines: [String] {
    get throws {
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }

  static var all: [FixCase] {
    get throws {
      try lines.filter { !$0.hasPrefix("# ") }.map { line in
        let parts = line.components(separatedBy: "\t")
        return FixCase(mistake: parts[0], corrected: parts.count > 1 ? parts[1] : nil)
      }
    }
  }

  /// Writes the offered fixes after the mistakes without one.
  static func record() throws -> Int {
    var count = 0
    let recorded = try lines.map { line in
      guard !line.hasPrefix("# "), !line.contains("\t") else { return line }
      count += 1
      return line + "\t" + (FixCase(mistake: line, corrected: nil).fixed ?? "-")
    }
    if count > 0 {
      try (recorded.joined(separator: "\n") + "\n").write(
        to: file, atomically: true, encoding: .utf8)
    }
    return count
  }
}

extension FixCase {
  private static let model = Model(
    entities: [
      Entity(
        name: "MemoDate",
        attributes: [
          Attribute(name: "title", type: .string), Attribute(name: "category", type: .string),
          Attribute(name: "date", type: .date), Attribute(name: "notifiable", type: .boolean),
        ]),
      Entity(
        name: "Category", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "items", destination: "Item", isToMany: true, inverse: "parentCategory")
        ]),
      Entity(
        name: "Item",
        attributes: [
          Attribute(name: "title", type: .string), Attribute(name: "done", type: .boolean),
          Attribute(name: "priority", type: .integer), Attribute(name: "dueDate", type: .date),
        ],
        relationships: [
          Relationship(name: "parentCategory", destination: "Category", inverse: "items"),
          Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
        ]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "items", destination: "Item", isToMany: true, inverse: "tags")
        ]),
    ], requests: [SavedRequest(name: "In", text: "($name) = fetch Item where title == $name")])

  static let context = CheckContext(model)

  /// The first problem of the text.
  var problem: Diagnostic? {
    let typed = TypedText(mistake, in: Self.context)
    return typed.problems.first ?? typed.missingAtEnd
  }

  /// The statement after the first fix.
  var fixed: String? {
    problem.flatMap {
      FixFinder(mistake, in: Self.context, mendsWarnings: $0.severity == .warning).fixes(for: $0)
        .first
    }?
    .applied(to: mistake)
  }
}

@Suite("The table of corrected statements")
struct FixTests {
  @Test func hasNothingToRecord() throws { #expect(try FixCase.record() == 0) }

  @Test("has the result of the first fix of each statement", arguments: try FixCase.all)
  func fixes(_ testCase: FixCase) {
    #expect(testCase.problem != nil)
    #expect(testCase.fixed ?? "-" == testCase.corrected)
  }

  @Test("has no result that is still wrong", arguments: try FixCase.all)
  func leavesNothing(_ testCase: FixCase) throws {
    guard let corrected = testCase.corrected, corrected != "-" else { return }
    let typed = TypedText(corrected, in: FixCase.context)
    #expect(typed.problems.filter { $0.severity == .error }.map(\.facts.sentence) == [])
    #expect(typed.missingAtEnd == nil)
  }
}

@Suite("A corrected statement")
struct FixFinderTests {
  private func fixes(_ text: String) throws -> [String] {
    let typed = TypedText(text, in: FixCase.context)
    let problem = try #require(typed.problems.first ?? typed.missingAtEnd)
    return FixFinder(text, in: FixCase.context).fixes(for: problem).map { $0.applied(to: text) }
  }

  /// The gate compares the parts that a fix removes with those that it adds; all pairs of them took
  /// minutes.
  @Test(
    "of many equal signs is checked without comparing all pairs of them",
    arguments: ["“", "”", "‘", "「", "、", "。", "１", "“a", "(", "\""],
    TestLength.isLong ? [300, 600, 4000] : [600])
  func repeated(sign: String, count: Int) throws {
    let text = String(String(repeating: sign, count: count).prefix(count))
    let seconds = try ProcessorTime.seconds {
      for corrected in try fixes(text) { #expect(corrected != text) }
    }
    #expect(seconds < 60)
  }

  @Test("has all its errors corrected by one fix")
  func several() throws {
    let text = #"fetch memodate where Titel CONTAINS 父 and date > "2009年" sort date, limit 3"#
    let corrected =
      #"fetch MemoDate where title CONTAINS "父" and date >= "2010-01-01" sort date limit 3"#
    #expect(try fixes(text).first == corrected)
  }

  @Test("has at most three fixes, and each changes the text")
  func few() throws {
    let text = "fetch Item where"
    let offered = try fixes(text)
    #expect(offered.count <= FixFinder.most)
    #expect(!offered.contains(text))
  }

  @Test("of great length gets only the fixes of the message")
  func long() throws {
    let many = (0..<400).map { "title == \"\($0)\"" }.joined(separator: " OR ")
    #expect(try fixes("fetch Item where \(many) select title done") == [])
    #expect(try fixes("fetch Item where \(many) OR titel == \"x\"").count == 1)
  }

  @Test(
    "keeps signs with their numbers, keys with their objects, and collection operators",
    arguments: [
      "print title.+1", "fetch Item where title.+1 > 2", "fetch Item where priority > title.+1",
      "fetch Item where parentCategory == Item/9", "fetch Item where tags@x > 2",
      "fetch Item limit -1", "print (count Item where titel == 1)",
    ])
  func noGarbage(_ text: String) throws {
    for fix in try fixes(text) {
      #expect(fix.firstMatch(of: #/AND [+]|== [+]|/9[.]|@x|limit 1|select \(/#) == nil, "\(fix)")
    }
  }

  @Test("gives a variable its sign everywhere")
  func variables() throws {
    #expect(try fixes("let x = 3\nprint x").first == "let $x = 3\nprint $x")
  }
}
