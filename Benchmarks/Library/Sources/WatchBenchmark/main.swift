// The cost of a watched fetch for a step that changes one of many objects, and the time until its
// first result, which is the maximum that a cache of the order could save:
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

/// Returns a number that looks random, and is the same for each run.
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

/// A change of an object, with a number that did not occur before.
typealias Change = (_ object: ManagedObject, _ fresh: Int) throws -> Void

/// Returns the median microseconds of a step that changes one object. Each round needs other
/// values, because setting an equal value is not a change.
func microseconds(
  _ context: ManagedObjectContext, round: Int, _ change: Change
) throws -> Double {
  var times: [Double] = []
  for step in 0..<steps {
    guard let object = context.object("Item", Int64(mixed(step) % count + 1)) else { continue }
    let time = try ContinuousClock().measure { try change(object, round * steps + step) }
    times.append(time / .microseconds(1))
  }
  return times.sorted()[times.count / 2]
}

let items = try context()

/// Returns the milliseconds of a closure.
func milliseconds(_ body: () throws -> Int) throws -> Int {
  var found = 0
  let time = try ContinuousClock().measure { found = try body() }
  precondition(found == count)
  return Int(time / .milliseconds(1))
}

let sectioned = try FetchRequest("Item").sorted(by: "done, rank, title").sectioned(by: "done")
for round in ["first", "again"] {
  let fetched = try milliseconds { try items.objectIDs(sectioned).count }
  let watched = try milliseconds { try items.results(of: sectioned).count }
  print(
    "\(count) objects in order and sections, \(round): \(fetched) ms fetched, \(watched) ms watched"
  )
}

let request = try FetchRequest("Item", where: "done == NO").sorted(by: "rank, title")
let changes: [(String, Change)] = [
  ("another place in the order", { try items.update($0, ["rank": mixed($1 + count)]) }),
  ("the same place", { try items.update($0, ["title": "item \($1) anew"]) }),
  ("out of the answer", { item, _ in try items.update(item, ["done": true]) }),
]
for (name, change) in changes {
  let alone = try microseconds(items, round: 0, change)
  try items.update(FetchRequest("Item"), ["done": false])
  let watched = try items.results(of: request)
  let both = try microseconds(items, round: 1, change)
  let fresh = try items.fetch(request)
  precondition(watched.count == fresh.count)
  precondition((0..<100).allSatisfy { watched.object(at: [0, $0]) == fresh[$0] })
  print(
    "\(name): \(Int(both)) µs with \(watched.count) watched, \(Int(alone)) µs alone,",
    "so \(Int(both - alone)) µs for the fetch")
  try items.update(FetchRequest("Item", where: "done == YES"), ["done": false])
}
