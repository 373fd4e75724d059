import KuraPredicates
import Testing

/// The cost of an addition to the language: the files that must mention it.
@Suite("The cost")
struct CostTests {
  /// A source without comments and strings, read once for all searches.
  private struct Source {
    let path: String
    let lines: [String]
    let words: Set<Substring>

    init(_ file: PackageFolder.File) throws {
      (path, lines) = (file.path, try file.code().lines)
      words = Set(
        lines.flatMap { line in line.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
    }
  }

  private static let sources = Result {
    try PackageFolder.files(in: "Sources", suffixes: ".swift").map(Source.init)
  }

  /// The types of statements that other statements contain: `let $x = insert …`, `explain run …`.
  private static let shared: Set = [
    "FetchTree", "InsertStatement", "RunStatement", "RequestStatement", "EntityDeclaration",
    "SettingStatement", "AlterStatement",
  ]

  /// The statements' types, with their files.
  private static func statements() throws -> [String: String] {
    var found: [String: String] = [:]
    for file in try sources.get() where file.path.hasPrefix("Sources/KuraScript/") {
      for line in file.lines {
        let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard words.last == "StatementTree", words.count >= 3, line.contains(": StatementTree")
        else { continue }
        found[words[words.count - 2]] = file.path
      }
    }
    return found
  }

  @Test("of a statement is its syntax, its place in the catalogue and its command")
  func ofAStatement() throws {
    let statements = try Self.statements()
    #expect(statements.count >= 19)
    #expect(Self.shared.isSubset(of: statements.keys))
    for (type, home) in statements where !Self.shared.contains(type) {
      let users = try Self.sources.get().filter { $0.words.contains(type[...]) }.map(\.path)
      #expect(users.count == 2, "\(type): \(users)")
      #expect(users.contains(home))
      #expect(users.contains { $0.hasPrefix("Sources/KuraShell/Commands/") }, "\(type): \(users)")
    }
  }

  @Test(
    "of a list entry is one line: no other list must be kept in sync",
    arguments: [
      ("StatementSyntax", "Sources/KuraScript/StatementSyntax.swift"),
      ("Setting", "Sources/KuraShell/Settings/Setting.swift"),
      ("OutputFormat", "Sources/KuraRendering/OutputFormat.swift"),
    ])
  func ofAList(type: String, home: String) throws {
    let homes = try Self.sources.get().filter { file in
      file.lines.contains { $0.contains("[\(type)] = [") }
    }
    #expect(homes.map(\.path) == [home])
  }

  private static let tables = [
    "Sources/KuraFetch/Vectors/FunctionLoop.swift",
    "Sources/KuraLearning/Showing/FunctionSpelling.swift",
  ]

  @Test("of a function is its entry, and a line in each table", arguments: tables)
  func ofAFunction(table: String) throws {
    let source = try #require(try Self.sources.get().first { $0.path == table })
    let code = source.lines.drop { !$0.contains("extension BuiltInFunction") }.joined()
    let patterns = code.split(separator: "switch self {").dropFirst().flatMap { body in
      body.split(separator: " case ").dropFirst().flatMap { line in
        line.prefix { $0 != ":" }.split { !$0.isLetter }.map(String.init)
      }
    }
    #expect(patterns.sorted() == BuiltInFunction.allCases.map { "\($0)" }.sorted())
    #expect(!code.contains("default:"))
  }

  @Test("of a function is no comparison of selectors: its entry alone names the selector")
  func ofASelector() throws {
    // Words such as `year` have other meanings too.
    let selectors = BuiltInFunction.allCases.map(\.entry.selector).filter { selector in
      selector.contains { $0 == ":" || $0.isUppercase }
    }
    #expect(selectors.count > 40)
    for file in PackageFolder.files(in: "Sources", suffixes: ".swift")
    where !file.path.hasPrefix("Sources/KuraPredicates/Functions/") {
      for literal in SwiftLiterals(try file.text()).all {
        #expect(!selectors.contains(literal.template), "\(file): \(literal.template)")
        let isCompared = ["selector==", "selector!=", "FunctionCall("].contains {
          literal.code.hasSuffix($0)
        }
        #expect(!isCompared, "\(file): \(literal.code.suffix(40)) \(literal.template)")
      }
      for line in try file.code().lines where line.contains("selector") {
        #expect(!line.contains(/switch \(?[A-Za-z.]*selector\b/), "\(file): \(line)")
        #expect(!line.contains(/(rawValue: |contains\()[A-Za-z.]*selector\)/), "\(file): \(line)")
      }
    }
  }
}
