import KuraLessons
import Testing

/// Tests the readers of this folder with short texts: a check that reads nothing finds nothing.
@Suite("What the checks of the sources read")
struct ReadingTests {
  @Test func targetsWithTheirImports() {
    let manifest = PackageManifest(
      """
      func module(_ name: String) {}
      targets: [
        // 0  module("Not")
        module("A"),
        module(
          "B", "A"),
        .target(name: "C", linkerSettings: [.linkedLibrary("edit")]),
        .executableTarget(
          name: "kura", dependencies: ["B", .product(name: "X", package: "some-package")],
          swiftSettings: settings),
        tests("B", "A"),
        .testTarget(name: "HouseTests", dependencies: ["kura"]),
      ]
      """)
    #expect(
      manifest.targets == [
        .init(name: "A", imports: []), .init(name: "B", imports: ["A"]),
        .init(name: "C", imports: []), .init(name: "kura", imports: ["B", "X"]),
      ])
  }

  @Test func importsOfEveryForm() {
    let code = SwiftCode(
      """
      public import A
      @_exported public import B // import N
        import struct C.Thing
      @testable import D
      let text = "import E"
      /* import F
      import G */ let important = importer(H)
      """)
    #expect(code.imports == ["A", "B", "C", "D"])
  }

  @Test func codeWithoutStringsAndComments() {
    let code = SwiftCode(
      ##"""
      let a = "try! \" as!" + #"x " as! "# // as!
      let b = """
        try! "x" as!
        """ + c
      """##)
    #expect(code.lines == ["let a = \"\" + \"\" ", "let b = \"", "", "\" + c"])
  }

  @Test func publicCallsWithTheirComments() {
    let text = """
      public struct A<B>: Sendable {
        /// Kept.
        public var kept = [1] { didSet { } }
        public enum Kind { case one }
        /// One of two.
        ///
        ///     cost
        @discardableResult public static func < (
          a: A, b: A
        ) -> Bool {
          a.x < b.x
        }
        func hidden() {}
        /// Linear.
        public private(set) var own: Int
      }
      extension A.Kind {
        public var texts: [String] { get { [] } }
      }
      """
    let calls = PublicCall.all(in: text, SwiftCode(text), path: "A.swift")
    #expect(
      calls.map(\.description) == [
        "A.swift:3: A.kept", "A.swift:8: A.<", "A.swift:18: Kind.texts",
      ])
    #expect(calls.map { $0.body != nil } == [false, true, true])
    #expect(calls.map(\.comment) == [" Kept.", " One of two.\n", ""])
    #expect(calls.last?.signature == "  public var texts: [String] ")
  }

  private let document = MarkdownDocument(
    """
    # Title with [a link](a.md#part) and [another](https://x.example/b.md), [here](#top)
    Code: `Sources/A/B.swift`, `[no](link.md)`, `Sources/*`, and `Scripts/kura x`.

    ```console
    $ Scripts/kura Examples/a.json 'count A'
    10
    $ echo a \\
      b
    a b
    ```
    ````kura store=Examples/a.json
    kura> fetch A
    ....>   limit 1
    ```
    ````
    """)

  @Test func linksWithinThePackage() {
    #expect(document.links == [.init(path: "a.md", line: 1)])
  }

  @Test func pathsInCode() {
    #expect(
      document.paths == [
        .init(path: "Sources/A/B.swift", line: 2), .init(path: "Scripts/kura", line: 2),
        .init(path: "Scripts/kura", line: 5), .init(path: "Examples/a.json", line: 5),
      ])
  }

  @Test func commandsWithTheirOutput() throws {
    let block = try #require(document.blocks.first)
    let steps: [Transcript.Step] = [
      .init(command: "Scripts/kura Examples/a.json 'count A'", output: ["10"]),
      .init(command: "echo a \\\n  b", output: ["a b"]),
    ]
    #expect(Transcript(block) == .console(steps))
  }

  @Test func statementsBehindPrompts() throws {
    let block = try #require(document.blocks.last)
    let script = ["fetch A", "  limit 1"]
    #expect(
      Transcript(block) == .session(script: script, output: ["```"], store: "Examples/a.json"))
  }

  @Test func blocksThatAreNotToBeRun() {
    #expect(Transcript(.init(language: "swift")) == nil)
    #expect(Transcript(.init(language: "console", attributes: ["norun": ""])) == nil)
  }

  @Test func theOutputOfACommandAsOnATerminal() throws {
    let runner = try TranscriptRunner()
    #expect(try runner.output(of: "echo a; echo b >&2; printf 'c'") == ["a", "b", "c"])
    #expect(try runner.output(of: "ls Examples/MemoDates/MemoDates.json").count == 1)
  }
}
