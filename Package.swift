// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// For code that no question waits for: in the release build of our scripts the optimizer, which takes
/// two thirds of the time, leaves it as it is. A package with such flags cannot be a dependency.
let unoptimized: [SwiftSetting] =
  Context.environment["KURA_BUILD"] == "release"
  ? [.unsafeFlags(["-Onone", "-assert-config", "Release"])] : []

func module(
  _ name: String, _ imports: String..., linker: [LinkerSetting] = [], isHot: Bool = true
) -> Target {
  .target(
    name: name, dependencies: imports.map { .target(name: $0) },
    swiftSettings: isHot ? settings : settings + unoptimized, linkerSettings: linker)
}

func tests(_ name: String, _ imports: String..., exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ([name] + imports).map { .target(name: $0) },
    exclude: exclude, swiftSettings: settings)
}

let package = Package(
  name: "Kura",
  // The command is for macOS and Linux. watchOS is not named: an Int of some watches has 32 bits, for
  // which a graph's columns are not made.
  platforms: [.macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .executable(name: "kura", targets: ["KuraCommand"]),
    .library(name: "Kura", targets: ["Kura"]),
    .library(name: "KuraPredicates", targets: ["KuraPredicates"]),
    .library(name: "KuraFoundation", targets: ["KuraFoundation"]),
  ],
  targets: [
    // 0  How much stack a thread has, threads with more of it, and what they carry along.
    .target(name: "CThreads"),
    // 0  What is said to a person, in English and Japanese.
    // Japanese is a text that a translator edits; the C compiler embeds it, as it does the lessons.
    .target(name: "CSentences", exclude: ["Japanese"]),
    // 0  What is said of graphs and by the command; who uses predicates alone goes without.
    .target(name: "CGraphSentences", dependencies: ["CSentences"], exclude: ["Japanese"]),
    module("KuraSentences", "CSentences", "CThreads"),
    // 0  Bytes: JSON written, search, cancelling, a loop over two cores, stacks without an end.
    module("KuraBytes", "CThreads"),
    // 0  JSON read: trees with the place of each value, and what is nearly JSON. Predicates need none.
    module("KuraJSON", "KuraBytes"),
    // 0  Source text, spans, diagnostics, carets by display width, "did you mean".
    module("KuraDiagnostics", "KuraSentences", "KuraBytes"),
    // 0  Values: ordering, equality, text folding, LIKE, MATCHES, dates, object identifiers.
    // The copy of ICU that comes with Foundation; static builds have it anyway.
    module(
      "KuraValues", "KuraSentences", "KuraBytes",
      linker: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
    // 1  The predicate language: trees, lexer, parser, printer, functions, reference evaluator.
    module("KuraPredicates", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues"),
    // -  The predicate library in Cocoa's shape, for files that are ported.
    module("KuraFoundation", "KuraPredicates", "KuraValues"),
    // 2  Entities, attributes, relationships, rules; the model as JSON and as text.
    module(
      "KuraModel", "CGraphSentences", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics",
      "KuraValues",
      "KuraPredicates"),
    // 3  Checking: a tree, a model and what variables stand for; names, types, problems. No data.
    module(
      "KuraChecking", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues",
      "KuraPredicates", "KuraModel"),
    // 3  The object graph: columns, tables, links, change sets, the managed object context.
    module(
      "KuraGraph", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel"),
    // -  A connection to SQLite. No product links it: SQLiteTests ask SQLite what they ask Kura.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    module("KuraSQLite", "CSQLite"),
    // -  CoreFoundation's comparison by a locale; its module would take the C library with it.
    .target(name: "CCollation"),
    // 4  The fetch: resolve, plan, kernels, sort, results.
    module(
      "KuraFetch", "CCollation", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues",
      "KuraPredicates", "KuraModel", "KuraChecking", "KuraGraph"),
    // 4  Looking into a fetch: traces, steps, what two predicates differ in, other languages.
    module(
      "KuraLearning", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates", "KuraModel",
      "KuraChecking", "KuraGraph", "KuraFetch", isHot: false),
    // 4  The store: from bytes to sealed chunks and back; the document, plain JSON.
    module(
      "KuraStore", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel",
      "KuraGraph"),
    // 5  Statements as values: the grammar, and "is it finished, what is missing?".
    module("KuraScript", "KuraSentences", "KuraDiagnostics", "KuraValues", "KuraPredicates"),
    // 5  Statements about the model, made entities of, and changes of what objects hold.
    module(
      "KuraDefinition", "KuraSentences", "KuraDiagnostics", "KuraValues", "KuraPredicates",
      "KuraModel", "KuraGraph", "KuraScript"),
    // -  The library product: stores, contexts and fetches for Swift programs.
    module(
      "Kura", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel",
      "KuraChecking", "KuraGraph", "KuraFetch", "KuraStore", "KuraScript", "KuraDefinition"),
    // 5  Statements of other languages, read and written in Kura's words by a model.
    module(
      "KuraForeign", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraModel", "KuraPredicates",
      isHot: false),
    // 5  Lessons as values: Markdown, tasks, progress, made-up stores. Performs nothing.
    // The lessons and their stores are in Examples; the C compiler embeds them, so that a program has
    // them wherever it is. A plugin would be built for every package that depends on a product.
    .target(name: "CLessons"),
    module(
      "KuraLessons", "CLessons", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics",
      "KuraValues",
      "KuraPredicates", "KuraModel",
      "KuraGraph", isHot: false),
    // 5  Grids to characters: table, list, plain, bars, json, jsonl, csv, tsv, markdown.
    module("KuraRendering", "KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues"),
    // 5  The session: commands, settings, help. Knows no terminal.
    module(
      "KuraShell", "KuraSentences", "KuraBytes", "KuraJSON", "KuraDiagnostics", "KuraValues",
      "KuraPredicates",
      "KuraModel",
      "KuraChecking", "KuraGraph", "KuraFetch", "KuraLearning", "KuraStore", "KuraScript",
      "KuraDefinition", "KuraForeign", "KuraRendering", "KuraLessons"),
    // 6  libedit's variadic functions with fixed arguments, which Swift can call.
    .target(name: "CLibEdit", linkerSettings: [.linkedLibrary("edit")]),
    // 6  Line editing and history on libedit, the one module that knows a terminal.
    module("LineEditor", "KuraSentences", "CLibEdit"),
    // 6  A session and an editor on one terminal.
    module("KuraTerminal", "CThreads", "KuraBytes", "KuraDiagnostics", "KuraShell", "LineEditor"),
    // 7  The command `kura`: arguments, exit statuses. A target of that name would meet the library
    // on disks that do not tell capitals apart.
    .executableTarget(
      name: "KuraCommand",
      dependencies: ["KuraSentences", "KuraShell", "KuraTerminal"],
      swiftSettings: settings),

    // A terminal whose other end is a test.
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    // What tests of several modules need.
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
    // Generated questions, asked of SQLite too.
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
    // What Scripts/torture tries for an hour, and the suite for a minute.
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
    // What holds for all modules at once: imports, rules of the code, documents that run.
    .testTarget(
      name: "HouseTests",
      dependencies: [
        "KuraCommand", "KuraDiagnostics", "KuraLessons", "KuraSentences", "KuraShell",
        "TestSupport",
      ],
      swiftSettings: settings),
  ]
)

// Scripts/test MODULE… builds the tests that it runs, and no others.
if let names = Context.environment["KURA_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
