#if os(Linux)
  import Foundation
  import Testing
  import Torture

  /// A user who is a member of one or two groups, with numbers that have no names on any machine.
  private struct Person {
    var number: Int
    var groups: [Int]

    static let hana = Person(number: 52_001, groups: [53_001, 53_100])
    /// In Hana's group.
    static let ren = Person(number: 52_002, groups: [53_002, 53_100])
    /// In none of their groups.
    static let yuki = Person(number: 52_003, groups: [53_003])

    var starter: [String] {
      [
        "/usr/bin/setpriv", "--reuid", "\(number)", "--regid", "\(groups[0])", "--groups",
        groups.map(String.init).joined(separator: ","), "--",
      ]
    }

    /// Only the superuser may become another user, and only if others can read the program.
    static let canBe: Bool = {
      guard getuid() == 0, let ground = try? TrialFolder("people") else { return false }
      chmod(ground.path, 0o755)
      return (try? Program.run(["--version"], in: ground, by: Person.yuki.starter))?.status == 0
    }()
  }

  /// A store in a folder that everyone may write to.
  private struct SharedStore {
    let ground: TrialFolder

    init(mode: mode_t, owner: Person = .hana, group: Int = 53_100, list: String? = nil) throws {
      ground = try TrialFolder("users")
      chmod(ground.path, 0o777)
      let made = try Program.run(
        ["--create", "s.json", "entity Item { n: integer }; insert Item n = 1; save"], in: ground)
      try #require(made.status == 0, "\(made.reports)")
      chown(ground.file("s.json"), uid_t(owner.number), gid_t(group))
      chmod(ground.file("s.json"), mode)
      if let list { try setList(list) }
    }

    private func setList(_ list: String) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/setfacl")
      process.arguments = ["-m", list, ground.file("s.json")]
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }

    func run(_ person: Person, _ statements: String, _ options: [String] = []) throws
      -> Program.Outcome
    { try Program.run(options + ["s.json", statements], in: ground, by: person.starter) }

    /// Returns the count that a user gets; nil if the store cannot be opened.
    func count(_ person: Person) throws -> String? {
      let outcome = try run(person, "count Item", ["--read-only"])
      return outcome.status == 0
        ? outcome.output.trimmingCharacters(in: .whitespacesAndNewlines) : nil
    }

    /// Returns the owner, group and mode.
    func rights(_ name: String) -> [Int] {
      var status = stat()
      guard stat(ground.file(name), &status) == 0 else { return [] }
      return [Int(status.st_uid), Int(status.st_gid), Int(status.st_mode & 0o7777)]
    }
  }

  @Suite(
    "A store of several users",
    .enabled(if: Person.canBe, "only the superuser can be several users, where all can run Kura"))
  struct SeveralUsersTests {
    private let add = "insert Item n = 2; save"

    @Test("still belongs to its owner when a member of the group saves")
    func member() throws {
      let store = try SharedStore(mode: 0o660)
      let document = try store.ground.bytes(of: "s.json")
      let saved = try store.run(.ren, add)
      #expect(saved.status == 0)
      #expect(
        saved.reports.contains("the saves stay in \"s.json.journal\""), "\(saved.reports)")
      #expect(store.rights("s.json") == [52_001, 53_100, 0o660])
      #expect(try store.ground.bytes(of: "s.json") == document)
      #expect(try store.count(.hana) == "2" && store.count(.ren) == "2")
      #expect(try store.count(.yuki) == nil)
      // She continues with the journal that he created, and folds it.
      let hers = try store.run(.hana, add)
      #expect(hers.status == 0 && !hers.reports.contains("warning"), "\(hers.reports)")
      #expect(store.rights("s.json") == [52_001, 53_100, 0o660])
      #expect(!store.ground.exists("s.json.journal") && !store.ground.exists("s.json.lock"))
      #expect(try store.count(.ren) == "3")
    }

    @Test("is not rewritten by a member of the group, with a message")
    func model() throws {
      let store = try SharedStore(mode: 0o660)
      let document = try store.ground.bytes(of: "s.json")
      for statements in [
        "alter entity Item add note: string?; save", "save \"s.json\" replacing",
      ] {
        let outcome = try store.run(.ren, statements)
        #expect(outcome.status == 2)
        #expect(
          outcome.reports.contains(
            "a new \"s.json\" would belong to you, not to its owner, user 52001"),
          "\(outcome.reports)")
      }
      #expect(try store.ground.bytes(of: "s.json") == document)
      #expect(store.rights("s.json") == [52_001, 53_100, 0o660])
      #expect(!store.ground.exists("s.json.new") && !store.ground.exists("s.json.lock"))
      _ = try store.run(.ren, add)
      #expect(try store.run(.ren, ".fold").status == 2)
      #expect(try store.count(.hana) == "2")
    }

    @Test("stays readable for its group if the owner is not a member")
    func ownerOutsideTheGroup() throws {
      let store = try SharedStore(mode: 0o660, owner: .yuki)
      #expect(try store.run(.yuki, add).status == 0)
      let rights = store.rights("s.json")
      #expect(rights[0] == 52_003)
      #expect(try store.count(.ren) == "2" && store.count(.yuki) == "2")
      #expect(try store.run(.ren, add).status == 0)
      // He created a journal that is not hers, and that grants her rights by name.
      #expect(try store.count(.yuki) == "3")
      #expect(try store.run(.yuki, add).status == 0)
      #expect(try store.count(.hana) == "4" && !store.ground.exists("s.json.journal"))
    }

    private static let hasLists = FileManager.default.isExecutableFile(atPath: "/usr/bin/setfacl")

    @Test(
      "keeps an access control list, which excludes all others",
      .enabled(if: hasLists, "there is no setfacl"))
    func accessList() throws {
      let store = try SharedStore(mode: 0o600, list: "u:52003:rw")
      let mode = store.rights("s.json")
      #expect(try store.run(.yuki, add).status == 0)
      #expect(try store.count(.hana) == "2" && store.count(.yuki) == "2")
      #expect(try store.count(.ren) == nil)
      #expect(try store.run(.hana, add).status == 0)
      #expect(store.rights("s.json") == mode)
      #expect(try store.count(.yuki) == "3" && store.count(.ren) == nil)
    }

    @Test("does not change its owner if everyone may write it")
    func everybody() throws {
      let store = try SharedStore(mode: 0o666)
      #expect(try store.run(.yuki, add).status == 0)
      #expect(store.rights("s.json") == [52_001, 53_100, 0o666])
      for person in [Person.hana, .ren, .yuki] { #expect(try store.count(person) == "2") }
      #expect(try store.run(.hana, add).status == 0)
      #expect(store.rights("s.json") == [52_001, 53_100, 0o666])
    }

    @Test(
      "is not readable by more users in a folder that grants rights to new files",
      .enabled(if: hasLists, "there is no setfacl"))
    func inheritedList() throws {
      let store = try SharedStore(mode: 0o600)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/setfacl")
      process.arguments = ["-d", "-m", "u:52003:rw", store.ground.path]
      try process.run()
      process.waitUntilExit()
      #expect(try store.run(.hana, add).status == 0)
      #expect(store.rights("s.json") == [52_001, 53_100, 0o600])
      #expect(try store.count(.yuki) == nil && store.count(.hana) == "2")
    }
  }
#endif
