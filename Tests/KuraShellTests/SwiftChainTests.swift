import Foundation
import KuraDiagnostics
import Testing

@testable import KuraShell

/// Chains of Swift, run by Swift and as Kura's translations.
@Suite("A chain of Swift")
struct SwiftChainTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  struct Item: Sendable {
    let title: String
    let minutes: Int
    let weight: Double
    let done: Bool
    let note: String?
    let due: Int?
  }

  private static let items = (0..<60).map { number in
    Item(
      title: ["laundry", "Tax", "tea", "", "book"][number % 5] + "\(number % 7)",
      minutes: number * 7 % 13 - 4, weight: Double(number % 8) / 4 - 0.5, done: number % 3 == 0,
      note: number % 4 == 0 ? nil : ["a", "ab", "B"][number % 3],
      due: number % 5 == 0 ? nil : number % 9)
  }

  struct Chain: CustomStringConvertible, Sendable {
    let text: String
    fileprivate let run: @Sendable ([Item]) -> [String]

    var description: String { text }

    fileprivate init(_ text: String, _ run: @escaping @Sendable ([Item]) -> [String]) {
      self.text = text
      self.run = run
    }
  }

  static let chains: [Chain] = [
    Chain("items.filter { !$0.done }.map(\\.title)") { $0.filter { !$0.done }.map(\.title) },
    Chain("items.filter { $0.minutes > 3 && !($0.done || $0.weight < 0.5) }.map(\\.title)") {
      $0.filter { $0.minutes > 3 && !($0.done || $0.weight < 0.5) }.map(\.title)
    },
    Chain("items.filter { $0.note != \"a\" }.map(\\.title)") {
      $0.filter { $0.note != "a" }.map(\.title)
    },
    Chain("items.filter { !($0.note == \"a\") }.count") {
      ["\($0.filter { !($0.note == "a") }.count)"]
    },
    Chain("items.filter { $0.note?.hasPrefix(\"a\") ?? false }.map(\\.title)") {
      $0.filter { $0.note?.hasPrefix("a") ?? false }.map(\.title)
    },
    Chain("items.filter { ($0.note ?? \"x\").contains(\"x\") }.count") {
      ["\($0.filter { ($0.note ?? "x").contains("x") }.count)"]
    },
    Chain("items.filter { ($0.due ?? 0) >= 4 }.map(\\.title)") {
      $0.filter { ($0.due ?? 0) >= 4 }.map(\.title)
    },
    Chain("items.filter { $0.minutes / 2 == 1 && $0.minutes % 2 == 1 }.map(\\.title)") {
      $0.filter { $0.minutes / 2 == 1 && $0.minutes % 2 == 1 }.map(\.title)
    },
    Chain("items.filter { $0.minutes % 3 == -1 }.map(\\.minutes)") {
      $0.filter { $0.minutes % 3 == -1 }.map { "\($0.minutes)" }
    },
    Chain(
      "items.filter { $0.title.lowercased().hasSuffix(\"x1\") || $0.title.count < 3 }.map(\\.title)"
    ) {
      $0.filter { $0.title.lowercased().hasSuffix("x1") || $0.title.count < 3 }.map(\.title)
    },
    Chain(
      "items.filter { $0.title.prefix(2) == \"ta\" || $0.title.suffix(1) == \"3\" }.map(\\.title)"
    ) {
      $0.filter { $0.title.prefix(2) == "ta" || $0.title.suffix(1) == "3" }.map(\.title)
    },
    Chain("items.filter { [1, 2, 5].contains($0.minutes) }.map(\\.title)") {
      $0.filter { [1, 2, 5].contains($0.minutes) }.map(\.title)
    },
    Chain("items.filter { (2..<5).contains($0.minutes) }.map(\\.minutes)") {
      $0.filter { (2..<5).contains($0.minutes) }.map { "\($0.minutes)" }
    },
    Chain("items.filter { !(2...5).contains($0.minutes) }.map(\\.minutes)") {
      $0.filter { !(2...5).contains($0.minutes) }.map { "\($0.minutes)" }
    },
    Chain("items.sorted { $0.minutes < $1.minutes }.prefix(7).map(\\.title)") {
      $0.sorted { $0.minutes < $1.minutes }.prefix(7).map(\.title)
    },
    Chain("items.sorted { $0.minutes > $1.minutes }.dropFirst(2).prefix(5).map(\\.title)") {
      $0.sorted { $0.minutes > $1.minutes }.dropFirst(2).prefix(5).map(\.title)
    },
    Chain("items.sorted { ($0.minutes, $1.title) < ($1.minutes, $0.title) }.map(\\.title)") {
      $0.sorted { ($0.minutes, $1.title) < ($1.minutes, $0.title) }.map(\.title)
    },
    Chain("items.sorted { $0.title < $1.title }.sorted { $0.minutes < $1.minutes }.map(\\.title)") {
      $0.sorted { $0.title < $1.title }.sorted { $0.minutes < $1.minutes }.map(\.title)
    },
    Chain("items.sorted { $0.minutes < $1.minutes }.reversed().prefix(4).map(\\.title)") {
      Array($0.sorted { $0.minutes < $1.minutes }.reversed().prefix(4)).map(\.title)
    },
    Chain("items.prefix(9).dropFirst(4).map(\\.title)") { $0.prefix(9).dropFirst(4).map(\.title) },
    Chain("items[2..<5].map(\\.title)") { $0[2..<5].map(\.title) },
    Chain("items.max { $0.minutes < $1.minutes }?.title") {
      [$0.max { $0.minutes < $1.minutes }?.title ?? ""]
    },
    Chain("items.min { $0.weight < $1.weight }?.title") {
      [$0.min { $0.weight < $1.weight }?.title ?? ""]
    },
    Chain("items.first { $0.minutes == 5 }?.title") { [$0.first { $0.minutes == 5 }?.title ?? ""] },
    Chain("items.last?.title") { [$0.last?.title ?? ""] },
    Chain("items.map(\\.minutes).reduce(0, +)") { ["\($0.map(\.minutes).reduce(0, +))"] },
    Chain("items.filter { $0.minutes > 99 }.map(\\.minutes).reduce(0, +)") {
      ["\($0.filter { $0.minutes > 99 }.map(\.minutes).reduce(0, +))"]
    },
    Chain("items.reduce(0) { $0 + $1.minutes }") { ["\($0.reduce(0) { $0 + $1.minutes })"] },
    Chain("items.map(\\.minutes).max()") { ["\($0.map(\.minutes).max() ?? 0)"] },
    Chain("items.compactMap(\\.due).count") { ["\($0.compactMap(\.due).count)"] },
    Chain("Set(items.map(\\.minutes)).count") { ["\(Set($0.map(\.minutes)).count)"] },
    Chain("items.map(\\.minutes).filter { $0 > 5 }.count") {
      ["\($0.map(\.minutes).filter { $0 > 5 }.count)"]
    },
    Chain("items.allSatisfy { $0.minutes > -5 }") { ["\($0.allSatisfy { $0.minutes > -5 })"] },
    Chain("items.contains { $0.note == nil && $0.done }") {
      ["\($0.contains { $0.note == nil && $0.done })"]
    },
    Chain("items.filter { $0.minutes > 99 }.isEmpty") {
      ["\($0.filter { $0.minutes > 99 }.isEmpty)"]
    },
    Chain("items.count(where: { $0.done })") { ["\($0.filter { $0.done }.count)"] },
    Chain("items.filter { $0.done ? $0.minutes > 3 : $0.minutes < 0 }.map(\\.title)") {
      $0.filter { $0.done ? $0.minutes > 3 : $0.minutes < 0 }.map(\.title)
    },
  ]

  @Test("has the same result in Kura as in Swift", arguments: chains)
  func agrees(chain: Chain) throws {
    let document = try JSONSerialization.data(
      withJSONObject: Self.items.map { item -> [String: Any] in
        [
          "title": item.title, "minutes": item.minutes, "weight": item.weight, "done": item.done,
          "note": item.note as Any? ?? NSNull(), "due": item.due as Any? ?? NSNull(),
        ]
      })
    try document.write(to: URL(filePath: folder.path + "/items.json"))
    var launch = Launch()
    launch.store = .file(folder.path + "/items.json")
    let session = try Session(launch, folder.services)
    let problem = Diagnostic(UnexpectedProblem(sentence: "?"), at: SourceSpan(0, 1))
    let found = session.foreignExplanation(of: problem, in: SourceText(chain.text), from: 0)
    let fix = try #require(found?.diagnostic.fixIts.first)
    let statement = fix.applied(to: chain.text)
    let output = folder.run(".mode csv\n" + statement) { $0.store = launch.store }.output
    let rows = output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      line in
      line.trimmingCharacters(in: .whitespaces).replacing("\"", with: "")
    }
    let header = statement.hasPrefix("fetch") || statement.hasPrefix("print") ? 1 : 0
    let answer = rows.dropFirst(header).dropLast().map {
      $0 == "YES" ? "true" : $0 == "NO" ? "false" : $0
    }
    #expect(Array(answer) == chain.run(Self.items), "\(statement)")
  }
}
