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

/// A person with pets, as structs.
struct Owner: KeyReadable {
  var age: Int
  var pets: [Pet]

  func value(forKey key: String) -> Value {
    switch key {
    case "age": .integer(Int64(age))
    case "pets": pets.predicateValue
    default: .null
    }
  }
}

struct Pet: KeyReadable {
  var name: String
  var weight: Int

  func value(forKey key: String) -> Value {
    switch key {
    case "name": .string(name)
    case "weight": .integer(Int64(weight))
    default: .null
    }
  }
}

/// The same as classes.
final class OwnerObject: KeyTableReadable {
  let age: Int
  let pets: [PetObject]
  static let readableKeys: KeyTable<OwnerObject> = ["age": \.age, "pets": \.pets]

  init(_ owner: Owner) { (age, pets) = (owner.age, owner.pets.map(PetObject.init)) }
}

final class PetObject: KeyTableReadable {
  let name: String
  let weight: Int
  static let readableKeys: KeyTable<PetObject> = ["name": \.name, "weight": \.weight]

  init(_ pet: Pet) { (name, weight) = (pet.name, pet.weight) }
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

// Collections of objects, compared with Foundation's #Predicate.
let owners = (0..<count / 6).map { n in
  Owner(
    age: n % 90,
    pets: (0..<6).map { Pet(name: "pet \((n &* 31 &+ $0) % 1009)", weight: (n &* 7 &+ $0) % 40) })
}
let objects = owners.map(OwnerObject.init)
let anyText = "ANY pets.name == 'pet 7'"
let subqueryText = "SUBQUERY(pets, $p, $p.weight > 30 AND $p.name != 'pet 7').@count > 1"
let anyStruct = #Predicate<Owner> { $0.pets.contains { $0.name == "pet 7" } }
let subqueryStruct = #Predicate<Owner> { owner in
  owner.pets.filter { pet in pet.weight > 30 && pet.name != "pet 7" }.count > 1
}
let anyClass = #Predicate<OwnerObject> { $0.pets.contains { $0.name == "pet 7" } }
let subqueryClass = #Predicate<OwnerObject> { owner in
  owner.pets.filter { pet in pet.weight > 30 && pet.name != "pet 7" }.count > 1
}

func compare<Element: KeyReadable>(
  _ name: String, _ elements: [Element], _ text: String, _ predicate: Foundation.Predicate<Element>
) throws {
  let theirs = try seconds("\(name), #Predicate") {
    try elements.filter { try predicate.evaluate($0) }.count
  }
  let ours = try seconds(name) { try elements.filter(by: text).count }
  ratio("\(name) / #Predicate", ours, theirs)
}

try compare("ANY of structs", owners, anyText, anyStruct)
try compare("SUBQUERY of structs", owners, subqueryText, subqueryStruct)
try compare("ANY of classes", objects, anyText, anyClass)
try compare("SUBQUERY of classes", objects, subqueryText, subqueryClass)
