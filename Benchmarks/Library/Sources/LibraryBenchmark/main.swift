// The cost of predicates in a program, compared with plain Swift in the same run:
//
//   swift run -c release --package-path Benchmarks/Library LibraryBenchmark [ELEMENTS]
import Foundation
import KuraPredicates

struct Switched: KeyReadable {
  var name: String
  var age: Int
  var score: Int

  func value(forKey key: String) -> Value {
    switch key {
    case "name": .string(name)
    case "age": .integer(Int64(age))
    case "score": .integer(Int64(score))
    default: .null
    }
  }
}

struct Tabled: KeyTableReadable {
  var name: String
  var age: Int
  var score: Int
  static let readableKeys: KeyTable<Tabled> = ["name": \.name, "age": \.age, "score": \.score]
}

struct Coded: Codable {
  var name: String
  var age: Int
  var score: Int
}

/// Prints and returns the seconds of the fastest round.
func seconds(_ name: String, rounds: Int = 7, _ body: () throws -> Int) rethrows -> Double {
  var best = Duration.seconds(1_000_000)
  var hits = 0
  for _ in 0..<rounds {
    best = min(best, try ContinuousClock().measure { hits = try body() })
  }
  let seconds = Double(best.components.attoseconds) / 1e18 + Double(best.components.seconds)
  print(name, hits, String(format: "%.4f s", seconds), separator: "\t")
  return seconds
}

func ratio(_ name: String, _ a: Double, _ b: Double) {
  print(name, String(format: "%.2f", a / b), separator: "\t")
}

let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 300_000
let switched = (0..<count).map {
  Switched(name: "name \($0 &* 7919 % 1009)", age: $0 &* 31 % 90, score: $0 &* 17 % 100)
}
let tabled = switched.map { Tabled(name: $0.name, age: $0.age, score: $0.score) }
let coded = switched.map { Coded(name: $0.name, age: $0.age, score: $0.score) }
let text = "age >= 30 AND score < 50"

let closure = seconds("closure") { switched.filter { $0.age >= 30 && $0.score < 50 }.count }
let bySwitch = try seconds("KeyReadable") { try switched.filter(by: text).count }
let byTable = try seconds("KeyTableReadable") { try tabled.filter(by: text).count }
let byCode = try seconds("Encodable") { try coded.filter(by: text).count }
let byPath = try seconds("TypedKey") {
  try switched.filter(by: TypedKey(\Switched.age) >= 30 && TypedKey(\Switched.score) < 50).count
}
let descriptors = seconds("SortDescriptor", rounds: 3) {
  switched.sorted(using: [
    SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name, comparator: .lexical),
  ]).count
}
let sorted = try seconds("sorted(by:)", rounds: 3) {
  try switched.sorted(by: "age desc, name").count
}
ratio("KeyReadable / closure", bySwitch, closure)
ratio("KeyTableReadable / KeyReadable", byTable, bySwitch)
ratio("Encodable / KeyReadable", byCode, bySwitch)
ratio("TypedKey / KeyReadable", byPath, bySwitch)
ratio("sorted(by:) / SortDescriptor", sorted, descriptors)
