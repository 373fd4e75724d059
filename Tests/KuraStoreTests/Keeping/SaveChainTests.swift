import KuraGraph
import KuraModel
import KuraValues
import Testing

@testable import KuraStore

/// Saves of a history under a model that has changed since.
@Suite struct SaveChainTests {
  private func model(_ type: AttributeType, destination: String = "A") -> Model {
    Model(entities: [
      Entity(
        name: "A", attributes: [Attribute(name: "n", type: type, isOptional: true)],
        relationships: [Relationship(name: "r", destination: destination)]),
      Entity(name: "B"),
    ])
  }

  private func save(
    _ number: Int64, _ value: StoredCell?, _ key: String = "n", in model: Model
  ) throws -> SaveEntry {
    let change = value.map { value in
      ChangeSet(deleted: [
        ObjectBatch(
          entity: "A", numbers: [1], columns: [ChangeColumn(key: key, old: [value])])
      ])
    }
    var entry = SaveEntry(
      time: Timestamp(microseconds: 0), author: "", program: "", actions: [], change: change,
      types: change.map { KeyTypes($0, in: model) })
    entry.number = number
    return try again(entry)
  }

  /// Returns the save as it is read from its line.
  private func again(_ entry: SaveEntry) throws -> SaveEntry {
    guard case .save(let save)? = HistoryLine(entry.line[...]) else {
      Issue.record("the line is not read")
      return entry
    }
    return save
  }

  private func problem(
    _ saves: [SaveEntry], _ model: Model, _ number: Int64 = 1
  ) -> SaveChain.Break? {
    found { () throws(SaveChain.Break) in
      _ = try SaveChain(saves).change(of: number, in: model)
    }
  }

  @Test(
    "are not read as another type", arguments: AttributeType.allCases, AttributeType.allCases)
  func types(then: AttributeType, now: AttributeType) throws {
    let entry = try save(1, .null, in: model(then))
    let wanted: SaveChain.Break? =
      then == now ? nil : .otherType(1, entity: "A", key: "n")
    #expect(problem([entry], model(now)) == wanted)
    let (chain, model) = (SaveChain([entry]), model(now))
    #expect(found { () throws(SaveChain.Break) in _ = try chain.change(0, 1, in: model) } == wanted)
    guard wanted != nil else { return }
    #expect(
      found { () throws(SaveChain.Break) in
        _ = try chain.graph(after: 0, from: Graph(model: model))
      } == wanted)
  }

  private func found(_ body: () throws(SaveChain.Break) -> Void) -> SaveChain.Break? {
    do throws(SaveChain.Break) {
      try body()
      return nil
    } catch { return error }
  }

  @Test func aLinkIsNotReadAsOneToAnotherEntity() throws {
    let entry = try save(1, .object(1), "r", in: model(.string))
    #expect(problem([entry], model(.string)) == nil)
    #expect(
      problem([entry], model(.string, destination: "B"))
        == .otherType(1, entity: "A", key: "r"))
  }

  @Test("have values of their declared types, or are refused")
  func forged() throws {
    for (type, value) in [
      (AttributeType.integer16, StoredCell.integer(70_000)), (.date, .integer(.max)),
      (.uuid, .text("abc")), (.decimal, .text("zzz")), (.binary, .text("%")),
      (.json, .text("{")), (.boolean, .integer(1)), (.float, .double(1e300)),
    ] {
      let entry = try save(1, value, in: model(type))
      #expect(
        problem([entry], model(type))
          == .refused(1, ChangeRefusal(.value(value, type), "A", 1, "n")))
    }
  }

  @Test("without types fit the present model only if nothing changed it since")
  func withoutTypes() throws {
    var old = try save(1, .text("x"), in: model(.string))
    old.types = nil
    let (second, altered, fourth) = (
      try save(2, .null, in: model(.string)), try save(3, nil, in: model(.string)),
      try save(4, .null, in: model(.string))
    )
    #expect(try again(old) == old)
    #expect(problem([old, second], model(.string)) == nil)
    #expect(problem([old, second, altered, fourth], model(.string)) == .model(3))
    #expect(problem([old, second, fourth], model(.string)) == .gap(2))
    #expect(
      problem([old], model(.integer))
        == .refused(1, ChangeRefusal(.value(.text("x"), .integer), "A", 1, "n")))
  }
}
