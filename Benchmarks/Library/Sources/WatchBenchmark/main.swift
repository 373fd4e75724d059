// What a watched fetch costs a step that changes one object of many:
//
//   swift run -c release --package-path Benchmarks/Library WatchBenchmark [OBJECTS]
import Foundation
import Kura

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let steps = 2000

let model = try Model {
  Entity("Item") {
    Attribute("title", .string)
    Attribute("rank", .integer)
    Attribute("done", .boolean, default: false)
  }
}

/// A number that looks like chance, and is the same each time.
func mixed(_ i: Int) -> Int { (i &* 2_654_435_761) % 1_000_003 }

func context() throws -> ManagedObjectContext {
  let context = try Store.inMemory(model).context
  context.levelsOfUndo = 1
  for first in stride(from: 0, to: count, by: 100_000) {
    try context.insert(
      "Item",
      (first..<min(count, first + 100_000)).map { i in
        ["title": "item \(mixed(i))", "rank": mixed(i + 7)]
      })
  }
  return context
}

/// The microseconds of a step: what `change` does to one object after the other.
func microseconds(
  _ context: ManagedObjectContext, _ change: (ManagedObject, Int) throws -> Void
) throws -> Double {
  var times: [Double] = []
  for step in 0..<steps {
    guard let object = context.object("Item", Int64(mixed(step) % count + 1)) else { continue }
    let time = try ContinuousClock().measure { try change(object, step) }
    times.append(time / .microseconds(1))
  }
  return times.sorted()[times.count / 2]
}

let items = try context()
let request = try FetchRequest("Item", where: "done == NO").sorted(by: "rank, title")
let changes: [(String, (ManagedObject, Int) throws -> Void)] = [
  ("another place in the order", { try items.update($0, ["rank": mixed($1 + 99)]) }),
  ("the same place", { try items.update($0, ["title": "item \($1)"]) }),
  ("out of the answer", { item, _ in try items.update(item, ["done": true]) }),
]
for (name, change) in changes {
  let alone = try microseconds(items, change)
  try items.update(FetchRequest("Item"), ["done": false])
  let watched = try items.results(of: request)
  let both = try microseconds(items, change)
  print(
    "\(name): \(Int(both)) µs with \(watched.count) watched, \(Int(alone)) µs alone,",
    "so \(Int(both - alone)) µs for the fetch")
  try items.update(FetchRequest("Item", where: "done == YES"), ["done": false])
}
