import Foundation
import KuraGraph
import TestSupport
import Testing

@testable import KuraShell
@testable import KuraStore

@Suite("The order that is kept beside a store")
struct KeptOrderTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let request =
    #"fetch MemoDate where title != nil sort category desc, date section by category cache "Root""#

  private var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.contains(".cache-") }.sorted()
  }

  private var file: URL { URL(filePath: folder.path + "/dates.json.cache-Root") }

  /// What a session says that runs statements and leaves.
  @discardableResult private func say(
    _ statements: String..., prepare: (inout Launch) -> Void = { _ in }
  ) throws -> String {
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    launch.statements = statements
    prepare(&launch)
    var surroundings = folder.surroundings
    surroundings.cache = CacheSettings(folder: folder.path + "/cache", program: "test")
    let before = folder.said.count
    _ = try Session(launch, surroundings).run(launch)
    return String(folder.said.dropFirst(before)).replacing(folder.path, with: "FOLDER")
  }

  /// What `explain` says of the cache.
  private func use(
    _ statements: [String] = [], of request: String = Self.request
  ) throws -> String {
    let said = try say((statements + ["explain \(request)"]).joined(separator: "\n"))
    let line = said.split(separator: "\n").last { $0.contains(#"cache ""#) } ?? ""
    return line.split(separator: "│").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
  }

  private static let fits = "used: 3 objects in their order, none is asked"
  private static let another =
    "what is kept is of another state or request; whoever fetches keeps anew"
  private static let nothing = "nothing is kept yet; whoever fetches keeps it"

  @Test("is used at the next start, and gives the same answer")
  func used() throws {
    #expect(try use() == Self.nothing)
    #expect(files.isEmpty)
    let first = try say(Self.request)
    #expect(files == ["dates.json.cache-Root"])
    #expect(try use() == Self.fits)
    #expect(try say(Self.request) == first)
    #expect(first == (try say(Self.request.replacing(#" cache "Root""#, with: ""))))
  }

  @Test("is what the answer is made of")
  func believed() throws {
    let answer = try say(Self.request)
    var kept = try OrderFile(Array(Data(contentsOf: file)))
    kept.order.numbers.reverse()
    kept.order.sections?.counts.reverse()
    try Data(kept.bytes).write(to: file)
    #expect(try say(Self.request) != answer)
    kept.order.numbers[0] = 99
    try Data(kept.bytes).write(to: file)
    #expect(try say(Self.request) == answer, "there is no object of that number")
  }

  @Test("is left aside in another state of the store, and for another request")
  func another() throws {
    try say(Self.request)
    #expect(
      try use([#"update MemoDate/1 set title = "x""#])
        == "not used: there are unsaved changes, and it belongs to what was saved")
    #expect(try use(of: Self.request.replacing(" desc", with: "")) == Self.another)
    #expect(try use(of: Self.request.replacing(" section by category", with: "")) == Self.fits)
    #expect(try use(of: Self.request.replacing("by category", with: "by title")) == Self.another)
    try say(#"update MemoDate/1 set category = "Work"; save"#)
    #expect(try use() == Self.another)
    try say(Self.request)
    #expect(try use() == Self.fits)
    let document = URL(filePath: folder.path + "/dates.json")
    let text = try String(contentsOf: document, encoding: .utf8)
    try text.replacing("Work", with: "Wor2").write(to: document, atomically: false, encoding: .utf8)
    #expect(try use() == Self.another)
    try text.write(to: document, atomically: false, encoding: .utf8)
    #expect(try use() == Self.fits)
  }

  @Test("belongs to a moment where the request does")
  func moment() throws {
    let today = #"fetch MemoDate where date < today() cache "t""#
    try say(today)
    #expect(try use(of: today).hasPrefix("used: "))
    let chance = #"fetch MemoDate where random() >= 0 cache "t""#
    #expect(try use(of: chance) == "not used: what it asks is another thing each time")
    let variable = #"fetch MemoDate where title != $x cache "t""#
    try say("let $x = \"a\"", variable)
    #expect(try use(["let $x = \"a\""], of: variable).hasPrefix("used: "))
    #expect(try use(["let $x = \"b\""], of: variable) == Self.another)
  }

  @Test("is not kept of what is no list of an entity's objects")
  func obstacles() throws {
    for (request, reason) in [
      (#"fetch MemoDate select count(SELF) cache "x""#, "its rows are no objects"),
      (#"fetch MemoDate select distinct category cache "x""#, "its rows are no objects"),
      (#"fetch MemoDate/1 cache "x""#, "its source is a list of objects"),
    ] {
      try say(request)
      #expect(try use(of: request) == "not used: \(reason)")
    }
    #expect(try use([".cache off"]) == "not used: .cache is off")
    #expect(files.isEmpty)
  }

  @Test("is written by nobody who may write no files")
  func safe() throws {
    for prepare: (inout Launch) -> Void in [
      { $0.isSafe = true }, { $0.isReadOnly = true }, { $0.isDryRun = true },
      { $0.caches = false },
    ] {
      try say(Self.request, prepare: prepare)
      #expect(files.isEmpty)
    }
    try say(Self.request)
    #expect(try say(#"deleteCache "Root""#) { $0.isSafe = true }.contains("--safe writes"))
    #expect(try say("deleteCache all") { $0.isDryRun = true }.contains("in a dry run"))
    #expect(files == ["dates.json.cache-Root"])
  }

  @Test("is removed by its name, and what is not ours stays")
  func removed() throws {
    let other = URL(filePath: folder.path + "/dates.json.cache-Own")
    try Data("not ours, and long enough to be looked at".utf8).write(to: other)
    try say(#"fetch MemoDate sort title cache "Own"; fetch MemoDate cache "a/b 家""#, Self.request)
    #expect(files.count == 3)
    #expect(try Data(contentsOf: other).starts(with: Data("not ours".utf8)))
    #expect(
      try say(#"deleteCache "Rot""#) == """
        error: nothing is kept as "Rot"
          deleteCache "Rot"
                      ^~~~~
          did you mean "Root"?

        """)
    #expect(try say(#"deleteCache "Own""#).contains("kept are Root, a/b 家"))
    #expect(try say(#"deleteCache "Root""#) == "no longer kept: Root\n")
    #expect(try say("deleteCache all") == "no longer kept: a/b 家\n")
    #expect(try say("deleteCache all") == "nothing was kept\n")
    #expect(files == ["dates.json.cache-Own"])
  }

  @Test("is not believed where a byte of it is another one", arguments: [3, 4] as [UInt64])
  func damaged(seed: UInt64) throws {
    let answer = try say(Self.request)
    let bytes = try Data(contentsOf: file)
    var random = SeededNumbers(seed: seed)
    for _ in 0..<40 {
      var damaged = bytes
      if random.flip() {
        damaged[random.below(damaged.count)] ^= 1 << random.below(8)
      } else {
        damaged = damaged.prefix(random.below(damaged.count))
      }
      try damaged.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      #expect(try say(Self.request) == answer, "seed \(seed)")
    }
    try FileManager.default.removeItem(at: file)
    try say(Self.request)
    try FileManager.default.setAttributes([.posixPermissions: 0o620], ofItemAtPath: file.path)
    #expect(try use() == Self.nothing, "others may have written it")
  }

  @Test(
    "never changes an answer, whatever happens in between", arguments: 1...6 as ClosedRange<UInt64>)
  func generated(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let requests = [
      "fetch MemoDate sort title", "fetch MemoDate sort date desc limit 2 offset 1",
      "fetch MemoDate where category != \"A\" sort category, title section by category",
      "fetch MemoDate where notifiable == YES", "fetch MemoDate sort title section by category",
    ]
    let steps = [
      #"update MemoDate/1 set title = "T""#, #"update MemoDate/2 set category = "A""#,
      #"insert MemoDate title = "neu", category = "B", date = "2001-02-03""#, "delete MemoDate/5",
      "undo", "save", "count MemoDate", #"update MemoDate set category = "C" all"#, "rollback",
    ]
    var uses = 0
    for _ in 0..<20 {
      var lines: [String] = []
      for _ in 0...random.below(4) {
        lines += [random.pick(steps), random.pick(requests) + #" cache "x""#]
      }
      let request = lines.last ?? ""
      if try use(of: request).hasPrefix("used") { uses += 1 }
      let text = URL(filePath: folder.path + "/dates.json")
      let before = try Data(contentsOf: text)
      let said = try say(lines.joined(separator: "\n")) { $0.keepsGoing = true }
      let after = try Data(contentsOf: text)
      try before.write(to: text)
      let plain = lines.joined(separator: "\n").replacing(#" cache "x""#, with: "")
      #expect(try say(plain) { $0.keepsGoing = true } == said.plain, "seed \(seed): \(lines)")
      try after.write(to: text)
      if random.flip() { try say(request) }
    }
    #expect(uses > 0, "seed \(seed)")
  }

  @Test("is where a watched fetch begins")
  func watched() throws {
    let first = try say("watch \(Self.request) as w", #"update MemoDate/1 set title = "x""#)
    #expect(files == ["dates.json.cache-Root"])
    #expect(try say("watch \(Self.request) as w", #"update MemoDate/1 set title = "x""#) == first)
    #expect(first.contains("w  update  MemoDate/1"))
  }
}

extension String {
  /// Without the clause where an error shows its statement.
  fileprivate var plain: String { replacing(#" cache "x""#, with: "") }
}
