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

  /// The nodes that several ways of computing a column share.
  private static let sharedKernels: Set = [
    "ConstantNode", "GatherNode", "SummaryNode", "JSONPathNode", "QuotientNode", "TextKernel",
  ]

  /// The types that compute or test a chunk, with their files.
  private static func kernels() throws -> [String: String] {
    let protocols: Set = ["ColumnKernel", "VectorNode"]
    var found: [String: String] = [:]
    for file in try sources.get() where file.path.hasPrefix("Sources/KuraFetch/") {
      for line in file.lines {
        let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard let kind = words.firstIndex(where: { ["struct", "class", "enum"].contains($0) }),
          !protocols.isDisjoint(with: words[kind...].dropFirst(2))
        else { continue }
        found[words[kind + 1]] = file.path
      }
    }
    return found
  }

  @Test("of a kernel is its file, and the compiler that chooses it")
  func ofAKernel() throws {
    let kernels = try Self.kernels()
    #expect(kernels.count >= 20)
    #expect(Self.sharedKernels.isSubset(of: kernels.keys))
    for (type, home) in kernels where !Self.sharedKernels.contains(type) {
      let users = try Self.sources.get().filter { $0.words.contains(type[...]) }.map(\.path)
      let compilers = users.filter { $0 != home }
      #expect(compilers.count == 1, "\(type): \(users)")
      #expect(compilers.allSatisfy { $0.contains("Compiler") }, "\(type): \(users)")
    }
  }
}
