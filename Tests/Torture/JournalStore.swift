import Foundation
import KuraGraph
import KuraPredicates
import KuraStore
import KuraValues
import TestSupport

/// A store with every kind of attribute and relationship, to be saved to and then damaged.
struct JournalStore {
  static let document = """
    {"format": "kura/1", "model": {"entities": {
      "Base": {"abstract": true, "attributes": {"name": {"type": "string", "optional": true}}},
      "Person": {"parent": "Base", "relationships": {
        "spouse": {"destination": "Person", "inverse": "spouse"},
        "friends": {"destination": "Person", "toMany": true, "inverse": "friends"},
        "owns": {"destination": "Item", "toMany": true, "inverse": "owner"}}},
      "Item": {"attributes": {
          "title": {"type": "string"}, "n": {"type": "integer", "optional": true},
          "x": {"type": "double", "optional": true}, "f": {"type": "float", "optional": true},
          "d": {"type": "decimal", "optional": true}, "day": {"type": "date", "optional": true},
          "flag": {"type": "boolean"}, "extra": {"type": "json", "optional": true}},
        "relationships": {
          "owner": {"destination": "Person", "inverse": "owns"},
          "coverOf": {"destination": "Tag", "inverse": "cover"},
          "tags": {"destination": "Tag", "toMany": true, "ordered": true, "inverse": "items"}}},
      "Tag": {"relationships": {
          "cover": {"destination": "Item", "inverse": "coverOf"},
          "items": {"destination": "Item", "toMany": true, "ordered": true, "inverse": "tags"}}}
    }}, "objects": {"Person": [{"objectID": 1}], "Item": [{"objectID": 1, "title": "a", "flag": true}]}}

    """
  static let evaluation = EvaluationContext(nilArithmeticIsNil: true)

  let keeper: StoreKeeper
  var context: GraphContext

  /// Opens it; nil if it is plain JSON now, which must be reported if there are saves.
  init?(_ path: String, hasJournal: Bool = true) throws {
    let kept = try StoreKeeper.open(path: path)
    guard let keeper = kept.keeper else {
      try hold(kept.lacksSaves || !hasJournal, "the store is destroyed, and nothing reported it")
      return nil
    }
    self.keeper = keeper
    context = GraphContext(kept.store.graph)
  }

  var contents: StoreContents { StoreContents(graph: context.graph, isStore: true) }
  var isReadOnly: Bool { keeper.readOnly != nil }

  mutating func save(recording entry: SaveEntry? = nil) throws {
    _ = try keeper.save(StoreSaveRequest(contents, context.netChange), recording: entry) { _ in
      throw Finding("others saved")
    }
    context.didSave()
  }

  /// Every object with its keys, in words.
  var told: String { Self.told(context.graph) }

  static func told(_ graph: Graph) -> String {
    let snapshot = GraphSnapshot(graph)
    return graph.tables.indices.flatMap { table in
      let source = graph.tables[table]
      return (0..<source.count).filter(source.isLive).map { row in
        let object = snapshot.object(table: table, row: row)
        let keys = source.layout.slots[source.entityCode(row)].keys.sorted()
        let values = keys.map { "\($0)=\(told((try? object.value(forKey: $0)) ?? .null, $0))" }
        return "\(source.objectID(row)) \(values.joined(separator: " "))"
      }
    }.sorted().joined(separator: "\n")
  }

  private static func told(_ value: Value, _ key: String) -> String {
    switch value {
    case .object(let object): object.id?.description ?? "?"
    case .list(let values): "[" + values.map { told($0, key) }.joined(separator: ",") + "]"
    case .set(let values):
      "{" + values.elements.map { told($0, key) }.sorted().joined(separator: ",") + "}"
    // A document cannot have a number that is not finite.
    case .double(let number) where !number.isFinite: "\(Value.null)"
    default: "\(value)"
    }
  }
}

extension JournalStore {
  /// Makes a few random changes; those that a rule does not allow are skipped.
  mutating func change(_ numbers: inout SeededNumbers) throws {
    for _ in 0...numbers.below(4) {
      let kind = numbers.below(8)
      var dice = numbers
      _ = try? context.perform("edit", in: Self.evaluation) { [graph = context.graph] editor in
        let snapshot = GraphSnapshot(graph)
        let items = graph.objectIDs(of: "Item")
        let persons = graph.objectIDs(of: "Person")
        let tags = graph.objectIDs(of: "Tag")
        func one(_ ids: [ObjectID]) -> Value {
          guard !ids.isEmpty, let place = graph.find(dice.pick(ids)) else { return .null }
          return .object(ObjectReference(snapshot.object(table: place.table, row: place.row)))
        }
        func some(_ ids: [ObjectID]) -> Value {
          .list(
            Set(ids.filter { _ in dice.flip() }).sorted { $0.number < $1.number }.compactMap {
              graph.find($0).map {
                .object(ObjectReference(snapshot.object(table: $0.table, row: $0.row)))
              }
            })
        }
        switch kind {
        case 0: _ = try editor.insert([NewObject(entity: "Person")])
        case 1:
          _ = try editor.insert([NewObject(entity: "Tag", values: [NewValue("items", some(items))])]
          )
        case 2, 3:
          _ = try editor.insert([
            NewObject(
              entity: "Item",
              values: [
                NewValue("title", .string("t\(dice.below(100))")),
                NewValue("flag", .boolean(dice.flip())),
                NewValue("n", .integer(Int64(dice.below(1000)))), NewValue("owner", one(persons)),
                NewValue("coverOf", one(tags)), NewValue("tags", some(tags)),
              ])
          ])
        case 4 where !items.isEmpty: try editor.delete([dice.pick(items + persons + tags)])
        case 5 where !persons.isEmpty:
          let person = dice.pick(persons)
          try editor.set(NewValue("spouse", one(persons)), of: person)
          try editor.set(NewValue("friends", some(persons)), of: person)
        case 6 where !tags.isEmpty:
          try editor.set(NewValue("items", some(items)), of: dice.pick(tags))
        case 7 where !items.isEmpty:
          let item = dice.pick(items)
          try editor.set(NewValue("title", .string("誕生 \(dice.below(9))\n")), of: item)
          try editor.set(NewValue("x", .double(Double(dice.below(1000)) / 8)), of: item)
        default: break
        }
      }
      numbers = dice
    }
  }
}
