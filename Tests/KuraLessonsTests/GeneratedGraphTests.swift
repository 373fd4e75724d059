import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraLessons

@Suite("Generated stores")
struct GeneratedGraphTests {
  /// Unique titles, numbers within bounds, and links in both directions.
  private static let model: Model = {
    var model = Model()
    model.define(
      Entity(
        name: "Task",
        attributes: [
          Attribute(name: "title", type: .string, minimum: .integer(1)),
          Attribute(name: "priority", type: .integer, minimum: .integer(0), maximum: .integer(3)),
          Attribute(name: "due", type: .date, isOptional: true),
        ],
        relationships: [
          Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "tasks")
        ], uniquenessConstraints: [["title"]]))
    model.define(
      Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "tasks", destination: "Task", isToMany: true, inverse: "tags")
        ]))
    return model
  }()

  private let evaluation = EvaluationContext(now: Timestamp(microseconds: 0))

  private func maker() -> GeneratedGraphs {
    GeneratedGraphs(
      like: Graph(model: Self.model), constants: [Constant(.string("2026-02-01"))], in: evaluation)
  }

  @Test("satisfy the rules of their model", arguments: UInt64(1)...40)
  func valid(seed: UInt64) throws {
    let graph = try #require(maker().graph(seed: seed))
    #expect(GraphContext(graph).allValidationFailures(in: evaluation).isEmpty)
  }

  @Test("are the same for the same seed, and different for others")
  func seeds() {
    func titles(_ seed: UInt64) -> [Value] {
      guard let graph = maker().graph(seed: seed) else { return [] }
      let snapshot = GraphSnapshot(graph)
      return graph.objectIDs(of: "Task").compactMap { id in
        graph.find(id).flatMap { place in
          try? snapshot.object(table: place.table, row: place.row).value(forKey: "due")
        }
      }
    }
    #expect(titles(3) == titles(3))
    #expect(titles(3) != titles(4))
  }

  @Test("contain the compared value, its neighbors, nil, and empty collections")
  func edges() {
    var dates: Set<Value> = []
    var tagCounts: Set<Int> = []
    for seed in UInt64(1)...20 {
      guard let graph = maker().graph(seed: seed) else { continue }
      let snapshot = GraphSnapshot(graph)
      for id in graph.objectIDs(of: "Task") {
        guard let place = graph.find(id) else { continue }
        let object = snapshot.object(table: place.table, row: place.row)
        dates.insert((try? object.value(forKey: "due")) ?? .null)
        tagCounts.insert(((try? object.value(forKey: "tags")) ?? .null).elements?.count ?? -1)
      }
    }
    #expect(dates.contains(.null) && dates.count >= 5)
    #expect(tagCounts.contains(0) && tagCounts.count >= 3)
  }
}

@Suite("A learner's progress")
struct LessonProgressTests {
  @Test("is read as it was written")
  func roundTrip() throws {
    var progress = LessonProgress()
    progress.lessons["6", default: .init()].solved = [1, 3]
    progress.lessons["6", default: .init()].tries = 5
    progress.place = "6.2"
    progress.quiz["write"] = 2
    #expect(LessonProgress(reading: progress.bytes) == progress)
  }

  @Test("is merged with what another session has solved")
  func merged() {
    var (one, other) = (LessonProgress(), LessonProgress())
    one.lessons["1", default: .init()].solved = [1]
    other.lessons["1", default: .init()].solved = [2]
    other.lessons["2", default: .init()].solved = [1]
    let both = one.merged(with: other)
    #expect(both.isSolved("1", 1) && both.isSolved("1", 2) && both.isSolved("2", 1))
  }

  @Test("rejects other files", arguments: ["", "{}", "[1]", "{\"kura\": \"progress/2\"}", "{"])
  func others(text: String) { #expect(LessonProgress(reading: Array(text.utf8)) == nil) }
}
