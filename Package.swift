// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// When a module is optimized, if the scripts build it. The flags for it are only set with `KURA_BUILD`, because a
/// package with such flags cannot be a dependency.
enum Optimization {
  /// For code that is not hot. The optimizer takes two thirds of the build time.
  case never
  case inReleases
  /// For code in which the tests spend most of their time. Assertions stay on.
  case inTests

  var flags: [SwiftSetting] {
    switch (self, Context.environment["KURA_BUILD"]) {
    case (.never, "release"): [.unsafeFlags(["-Onone", "-assert-config", "Release"])]
    case (.inTests, "tests"):
      [
        .unsafeFlags([
          "-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug",
        ])
      ]
    default: []
    }
  }
}

func module(
  _ name: String, _ imports: String..., linker: [LinkerSetting] = [],
  optimized: Optimization = .inReleases
) -> Target {
  .target(
    name: name, dependencies: imports.map { .target(name: $0) },
    swiftSettings: settings + optimized.flags, linkerSettings: linker)
}

func tests(_ name: String, _ imports: String..., exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ([name] + imports).map { .target(name: $0) },
    exclude: exclude, swiftSettings: settings)
}

let package = Package(
  name: "Kura",
  // The command runs on macOS and Linux. watchOS is missing, because an Int of some watches has 32 bits,
  // and the columns of a graph need 64.
  platforms: [.macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .executable(name: "kura", targets: ["KuraCommand"]),
    .library(name: "Kura", targets: ["Kura"]),
    .library(name: "KuraPredicates", targets: ["KuraPredicates"]),
    .library(name: "KuraFoundation", targets: ["KuraFoundation"]),
  ],
  targets: [
    // 0  Stack sizes, threads with larger stacks, and the notes of threads.
    .target(name: "CThreads"),
    // 0  Messages in English and Japanese.
    // A translator edits the Japanese as text files, which the C compiler embeds, like the lessons.
    .target(name: "CSentences", exclude: ["Japanese"]),
    // 0  Messages about graphs and of the command; a program that only uses predicates does not link them.
    .target(name: "CGraphSentences", dependencies: ["CSentences"], exclude: ["Japanese"]),
    module("KuraSentences", "CSentences", "CThreads"),
    // 0  Bytes: JSON output, search, cancelling, workers, deep stacks.
    module("KuraBytes", "CThreads", optimized: .inTests),
    // 0  JSON input: trees with the place of each value, and text that is nearly JSON.
    module("KuraJSON", "KuraBytes"),
    // 0  Source text, spans, diagnostics, carets by display width, "did you mean".
    module("KuraDiagnostics", "KuraSentences", "KuraBytes"),
    // 0  Values: ordering, equality, text folding, LIKE, MATCHES, dates, object identifiers.
    // The copy of ICU that is part of Foundation; static builds contain it anyway.
    module(
      "KuraValues", "KuraSentences", "KuraBytes",
      linker: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))], optimized: .inTests),
    // 1  The predicate language: trees, lexer, parser, printer, functions, reference evaluator.
    module(
      "KuraPredicates", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues",
      optimized: .inTests),
    // -  The predicate library with Cocoa's names, for code that is ported.
    module("KuraFoundation", "KuraPredicates", "KuraValues"),
    // 2  Entities, attributes, relationships, rules; the model as JSON and as text.
    module(
      "KuraModel", "CGraphSentences", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics",
      "KuraValues",
      "KuraPredicates"),
    // 3  Checking: a tree, a model and the values of variables; names, types, problems. No data.
    module(
      "KuraChecking", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues",
      "KuraPredicates", "KuraModel"),
    // 3  The object graph: columns, tables, links, change sets, the managed object context.
    module(
      "KuraGraph", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel", optimized: .inTests),
    // -  A connection to SQLite. No product links it: SQLiteTests compare Kura's answers with SQLite's.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    module("KuraSQLite", "CSQLite"),
    // -  CoreFoundation's comparison by a locale; importing its module would import the C library.
    .target(name: "CCollation"),
    // 4  The fetch: resolve, plan, kernels, sort, results.
    module(
      "KuraFetch", "CCollation", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues",
      "KuraPredicates", "KuraModel", "KuraChecking", "KuraGraph", optimized: .inTests),
    // 4  Looking into a fetch: traces, steps, differences of two predicates, other languages.
    module(
      "KuraLearning", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates", "KuraModel",
      "KuraChecking", "KuraGraph", "KuraFetch", optimized: .never),
    // 4  The store: from bytes to sealed chunks and back; the document, plain JSON.
    module(
      "KuraStore", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel",
      "KuraGraph"),
    // 5  Statements as values: the grammar, and whether a text is complete.
    module("KuraScript", "KuraSentences", "KuraDiagnostics", "KuraValues", "KuraPredicates"),
    // 5  Statements about the model: entities, and changes of the stored values.
    module(
      "KuraDefinition", "KuraSentences", "KuraDiagnostics", "KuraValues", "KuraPredicates",
      "KuraModel", "KuraGraph", "KuraScript"),
    // -  The library product: stores, contexts and fetches for Swift programs.
    module(
      "Kura", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel",
      "KuraChecking", "KuraGraph", "KuraFetch", "KuraStore", "KuraScript", "KuraDefinition"),
    // 5  Statements of other languages, translated with the help of a model.
    module(
      "KuraForeign", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraModel", "KuraPredicates",
      optimized: .never),
    // 5  Lessons as values: Markdown, tasks, progress, made-up stores. It performs nothing.
    // The lessons and their stores are in Examples. The C compiler embeds them, so that a program contains
    // them. A plugin would be built for every package that depends on a product.
    .target(name: "CLessons"),
    module(
      "KuraLessons", "CLessons", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics",
      "KuraValues",
      "KuraPredicates", "KuraModel",
      "KuraGraph", optimized: .never),
    // 5  Output of grids: table, list, plain, bars, json, jsonl, csv, tsv, markdown.
    module("KuraRendering", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues"),
    // 5  The session: commands, settings, help. It knows no terminal.
    module(
      "KuraShell", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel",
      "KuraChecking", "KuraGraph", "KuraFetch", "KuraLearning", "KuraStore", "KuraScript",
      "KuraDefinition", "KuraForeign", "KuraRendering", "KuraLessons"),
    // 6  libedit's variadic functions with fixed arguments, so that Swift can call them.
    .target(name: "CLibEdit", linkerSettings: [.linkedLibrary("edit")]),
    // 6  Line editing and history with libedit, the only module that knows a terminal.
    module("LineEditor", "KuraSentences", "CLibEdit"),
    // 6  A session and an editor on one terminal.
    module("KuraTerminal", "CThreads", "KuraBytes", "KuraDiagnostics", "KuraShell", "LineEditor"),
    // 7  The command `kura`: arguments, exit statuses. A target named `kura` would collide with the library
    // on file systems that ignore case.
    .executableTarget(
      name: "KuraCommand",
      dependencies: ["KuraSentences", "KuraShell", "KuraTerminal"],
      swiftSettings: settings),

    // A pseudo-terminal, controlled by a test.
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    // Helpers for the tests of several modules.
    .target(
      name: "TestSupport", dependencies: ["CPseudoTerminal", "CThreads"], path: "Tests/TestSupport",
      swiftSettings: settings),
    tests("KuraSentences"),
    tests("KuraBytes"),
    tests("KuraJSON", "KuraBytes", "TestSupport"),
    tests("KuraDiagnostics", "TestSupport"),
    tests("KuraValues", "KuraBytes", "TestSupport"),
    tests(
      "KuraPredicates", "KuraBytes", "KuraDiagnostics", "KuraValues", "TestSupport",
      exclude: ["Tables"]),
    tests(
      "KuraModel", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues", "KuraPredicates",
      "TestSupport"),
    tests(
      "KuraChecking", "KuraDiagnostics", "KuraValues", "KuraPredicates", "KuraModel",
      "KuraScript"),
    tests(
      "KuraGraph", "KuraDiagnostics", "KuraValues", "KuraPredicates", "KuraModel", "TestSupport"),
    tests(
      "KuraFetch", "KuraBytes", "KuraDiagnostics", "KuraValues", "KuraPredicates", "KuraModel",
      "KuraChecking", "KuraGraph", "KuraLearning", "KuraScript", "TestSupport"),
    tests("KuraSQLite", "TestSupport"),
    // Generated questions, compared with SQLite.
    .testTarget(
      name: "SQLiteTests",
      dependencies: [
        "KuraDiagnostics", "KuraFetch", "KuraForeign", "KuraGraph", "KuraLearning", "KuraModel",
        "KuraPredicates", "KuraSQLite", "KuraScript", "KuraValues", "TestSupport",
      ],
      swiftSettings: settings),
    tests(
      "KuraStore", "KuraDiagnostics", "KuraJSON", "KuraValues", "KuraModel", "KuraGraph",
      "TestSupport"),
    tests(
      "KuraScript", "KuraDiagnostics", "KuraValues", "KuraPredicates", "TestSupport",
      exclude: ["Tables"]),
    tests("KuraForeign", "KuraDiagnostics", "KuraModel", "TestSupport"),
    tests(
      "KuraLessons", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraGraph", "KuraModel",
      "KuraPredicates",
      "KuraValues"),
    tests("KuraRendering", "KuraBytes", "KuraDiagnostics", "KuraValues", "TestSupport"),
    tests(
      "KuraShell", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraFetch", "KuraGraph",
      "KuraValues",
      "KuraPredicates", "KuraRendering", "KuraScript", "KuraStore", "KuraLessons", "TestSupport",
      exclude: ["Tables", "Transcripts", "Tries"]),
    tests("Kura", "TestSupport"),
    tests("KuraFoundation", "KuraPredicates"),
    tests("LineEditor", "CPseudoTerminal", "TestSupport"),
    // The trials of Scripts/torture; the suite runs them for a minute.
    .target(
      name: "Torture",
      dependencies: [
        "KuraBytes", "KuraDiagnostics", "KuraGraph", "KuraModel",
        "KuraPredicates", "KuraRendering",
        "KuraScript", "KuraShell", "KuraStore", "KuraValues", "TestSupport",
      ],
      path: "Tests/Torture", swiftSettings: settings),
    .executableTarget(
      name: "torture-command", dependencies: ["Torture"],
      path: "Tests/TortureCommand", swiftSettings: settings),
    .testTarget(
      name: "TortureTests", dependencies: ["KuraCommand", "torture-command", "Torture"],
      swiftSettings: settings),
    // Rules for all modules: imports, rules of the code, documents whose examples run.
    .testTarget(
      name: "HouseTests",
      dependencies: [
        "KuraCommand", "KuraDiagnostics", "KuraLessons", "KuraPredicates", "KuraSentences",
        "KuraShell", "TestSupport",
      ],
      exclude: ["RealFiles"], swiftSettings: settings),
  ]
)

// Scripts/test MODULE… builds only the tests that it runs.
if let names = Context.environment["KURA_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
