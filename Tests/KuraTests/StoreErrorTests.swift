import Foundation
import Kura
import TestSupport
import Testing

@Suite("A store's errors in a program")
struct StoreErrorTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("todo.json")
  }

  private func said(_ body: () throws -> Void) -> String {
    storeError(body).map(\.description) ?? "nothing"
  }

  @Test("suggest a next step for a program, and no command of the shell")
  func waysOn() throws {
    #expect(said { _ = try Store.open(path) }.contains("to create a new store: Store.create"))
    try Data().write(to: URL(filePath: path))
    #expect(said { _ = try Store.open(path) }.contains("create a store with Store.create"))
    let lost = folder.path("none/todo.json")
    #expect(said { _ = try Store.create(lost, Samples.model) }.contains("createDirectory"))
  }

  @Test("have a reason and a next step")
  func readOnly() throws {
    try Store.create(path, Samples.model).close()
    try FileManager.default.linkItem(atPath: path, toPath: folder.path("second.json"))
    let store = try Store.open(path)
    let reason = try #require(store.readOnlyReason)
    #expect(reason.contains("has 2 hard links") && reason.contains("open a copy"))
    try store.context.insert("Tag", ["name": "a"])
    #expect(said { try store.context.save() } == reason)
  }
}
