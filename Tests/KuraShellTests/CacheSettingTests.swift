import Foundation
import KuraStore
import Testing

@testable import KuraShell

@Suite("The cache of columns")
struct CacheSettingTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    usleep(20_000)
  }

  private var caches: String { folder.path + "/cache/kura" }

  private func settings(ofLargeStores: Bool = false) -> CacheSettings {
    var settings = CacheSettings(folder: caches, program: "test")
    (settings.rest, settings.reserve) = (12_000_000, 0)
    if !ofLargeStores { (settings.leastTime, settings.leastSize) = (.zero, 0) }
    return settings
  }

  /// Returns the output of a session that runs statements and leaves.
  private func say(
    _ statements: String..., store: String = "dates.json", answers: [String]? = nil,
    _ prepare: (inout Launch) -> Void = { _ in }
  ) throws -> String {
    folder.answers = answers
    var launch = Launch()
    launch.store = .file(folder.path + "/" + store)
    launch.statements = statements
    prepare(&launch)
    var services = folder.services
    services.cache = settings()
    let before = folder.output.count
    _ = try Session(launch, services).run(launch)
    return String(folder.output.dropFirst(before)).replacing(folder.path, with: "FOLDER")
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: caches)) ?? []
  }

  @Test("is written at the end, and shown")
  func shown() throws {
    #expect(try say("count MemoDate") == "3\n")
    #expect(names.count == 1)
    let output = try say(".cache", "count MemoDate")
    #expect(output.hasPrefix(".cache on\n  0 MB  20"))
    #expect(
      output.contains("  FOLDER/dates.json\n1 store, 0 MB of 1 GB, in FOLDER/cache/kura\n3\n"))
  }

  @Test("names no document of the user to an untrusted script, in any setting")
  func safe() throws {
    #expect(try say("count plain", store: "plain.json") == "2\n")
    #expect(try say(".cache").contains("plain.json"))
    for setting in Setting.all where setting.name != "help" {
      let output = try say(".\(setting.name)") { $0.isSafe = true }
      #expect(!output.contains("plain.json") && !output.contains("FOLDER/cache"), "\(output)")
    }
    #expect(try say(".cache") { $0.isSafe = true } == ".cache on\n")
  }

  @Test("is announced to the user the first time")
  func named() throws {
    let output = try say("count MemoDate", answers: [])
    #expect(
      output == """
        3
        the columns are cached in FOLDER/cache/kura (0 MB), so that the file opens faster next time: .help .cache

        """)
    #expect(try say("count plain", store: "plain.json", answers: []) == "2\n")
    #expect(names.count == 2)
  }

  @Test("is cleared, and not created if it is off")
  func cleared() throws {
    _ = try say("count MemoDate")
    #expect(try say(".cache clear").hasPrefix("removed: 1 store, 0 MB\n"))
    #expect(try say(".cache off", ".cache").hasPrefix(".cache off\n0 stores"))
    _ = try say("count MemoDate") { $0.caches = false }
    _ = try say("count MemoDate") { $0.isDryRun = true }
    #expect(names.isEmpty)
  }

  @Test("is read under --safe, and neither written nor cleared")
  func safeNames() throws {
    _ = try say("count MemoDate") { $0.isSafe = true }
    #expect(names.isEmpty)
    _ = try say("count MemoDate")
    let output = try say(".cache clear", "count MemoDate") {
      ($0.isSafe, $0.continuesAfterErrors) = (true, true)
    }
    #expect(
      output.contains("error: --safe allows results only on standard output")
        && output.hasSuffix("3\n"))
    #expect(names.count == 1)
  }

  @Test("refuses another word")
  func words() throws {
    #expect(try say(".cache maybe").contains("expected on or off, found \"maybe\""))
    #expect(try say(".cache on clear").contains("this setting is written .cache [on|off|clear]"))
  }

  @Test("of a store that is changed and saved is used with its journal")
  func saved() throws {
    _ = try say("count MemoDate")
    let change = #"update MemoDate/1 set title = "x""#
    #expect(try say(change, #"insert Category name = "y""#, "save").contains("saved: "))
    usleep(20_000)
    let output = try say(
      "count Category", #"fetch MemoDate where title == "x" select title as plain"#)
    #expect(output.contains("2\n"))
  }
}
