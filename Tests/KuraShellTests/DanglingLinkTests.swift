import Foundation
import Testing

@testable import KuraShell

@Suite("A symbolic link to a missing file")
struct DanglingLinkTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    mkdir(folder.path + "/sub", 0o700)
    symlink("sub/real.json", folder.path + "/link.json")
    symlink("link.json", folder.path + "/second.json")
    symlink("nowhere/real.json", folder.path + "/lost.json")
    symlink("circle.json", folder.path + "/circle.json")
  }

  private var link: String { folder.path + "/second.json" }

  private func isLink(_ name: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/" + name)) != nil
  }

  private func holds() {
    #expect(isLink("second.json") && isLink("link.json"))
    #expect(folder.text("sub/real.json")?.contains("kura/1") == true)
  }

  @Test("is not a store, and can become one")
  func opens() {
    let (output, status) = folder.run("model") { $0.store = .file(link) }
    #expect(output.contains("cannot open \"FOLDER/second.json\": no such file or directory"))
    #expect(output.contains("to create a new store: kura --create \"FOLDER/second.json\""))
    #expect(status == 2)
    #expect(folder.run(".open FOLDER/second.json").output.contains("no such file or directory"))
  }

  @Test("is not suggested for a similar path, but the store's name is")
  func near() {
    let output = folder.run("model") { $0.store = .file(folder.path + "/Plain") }.output
    #expect(output.contains("did you mean \"FOLDER/plain.json\"?"))
    let far = folder.run("model") { $0.store = .file(folder.path + "/circle") }.output
    #expect(far.contains("to create a new store: kura --create"))
  }

  @Test("gets its store by --create")
  func creates() {
    let script = "entity A { b: string }\ninsert A b = \"x\"\nsave"
    let (output, status) = folder.run(script) { ($0.store, $0.creates) = (.file(link), true) }
    #expect(output.hasSuffix("saved: FOLDER/second.json\n"))
    #expect(status == 0)
    holds()
    #expect(folder.run("count A") { $0.store = .file(link) } == ("1\n", 0))
    let again = folder.run("count A") { ($0.store, $0.creates) = (.file(link), true) }
    #expect(again.output.contains("already exists"))
  }

  @Test("gets its store by save, with replacing and without", arguments: ["", " replacing"])
  func saves(replacing: String) {
    let script = "save \"FOLDER/second.json\"\(replacing)\ninsert Category name = \"x\"\nsave"
    #expect(folder.run(script).status == 0)
    holds()
  }

  @Test("gets results by .output")
  func outputs() {
    #expect(folder.run(".output FOLDER/second.json\ncount Item") == ("", 0))
    #expect(folder.text("sub/real.json") == "1\n")
  }

  @Test("reports the failure if the folder does not exist either")
  func lost() {
    let made = folder.run("model") {
      ($0.store, $0.creates) = (.file(folder.path + "/lost.json"), true)
    }
    #expect(made.output.contains("\"FOLDER/lost.json\": no such file or directory"))
    #expect(made.status == 2)
    #expect(folder.run("save \"FOLDER/lost.json\"").output.contains("no such file or directory"))
    #expect(folder.run(".output FOLDER/lost.json").output.contains("no such file or directory"))
    #expect(isLink("lost.json"))
  }

  @Test("to itself is reported as such")
  func circle() {
    for creates in [false, true] {
      let (output, status) = folder.run("model") {
        ($0.store, $0.creates) = (.file(folder.path + "/circle.json"), creates)
      }
      #expect(output.contains("too many levels of symbolic links"), "\(output)")
      #expect(status == 2)
    }
    #expect(folder.run("save \"FOLDER/circle.json\" replacing").output.contains("too many levels"))
    #expect(isLink("circle.json"))
  }
}
