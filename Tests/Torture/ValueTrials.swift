import KuraGraph
import KuraModel
import KuraValues
import TestSupport

extension Trial {
  /// Values of every type at every bound, set in every way, saved in every way, and read again.
  package static let values = Trial(
    "values",
    "an accepted value is equal after a save, and the same predicate finds it",
    rounds: 20
  ) { numbers, ground in
    var walk = try ValueWalk(numbers, ground)
    for _ in 0..<3 {
      for _ in 0..<8 { try walk.step() }
      try walk.check()
    }
    try walk.checkWholeSaves()
    numbers = walk.numbers
  }
}

/// A store with an attribute of each type, to which values are assigned.
struct ValueWalk {
  var numbers: SeededNumbers
  let ground: TrialFolder
  let sitting: ShellSession
  var log: [String] = []

  init(_ numbers: SeededNumbers, _ ground: TrialFolder) throws {
    self.numbers = numbers
    self.ground = ground
    let zone = self.numbers.pick(SampleZones.names)
    sitting = try ShellSession(ground, "s.json", zone: zone)
    try sitting.must("entity A { n: integer = 0 }")
    for type in AttributeType.allCases where self.numbers.below(4) > 0 {
      let key = StatementText.name(self.numbers.key(of: type))
      try sitting.must("alter entity A add \(key): \(type.rawValue)?")
    }
    try sitting.must("insert A n = 1; insert A n = 2; save")
  }
}

extension ValueWalk {
  /// Runs a statement; a refused statement must leave everything unchanged.
  mutating func run(_ statement: String) throws {
    log.append(statement)
    let before = GraphDump(sitting.graph)
    let (isDone, said) = sitting.run(statement)
    guard !isDone else { return }
    try hold(said.contains("error: "), finding("rejected without a message"))
    try hold(
      GraphDump(sitting.graph) == before, finding("rejected, but it changed something: \(said)"))
  }

  mutating func step() throws {
    guard let attribute = anyAttribute() else { return }
    let key = StatementText.name(attribute.name)
    let object = "A/\(1 + numbers.below(2))"
    switch numbers.below(12) {
    case 0: try run("insert A \(key) = \(literal(attribute.type))")
    case 1, 2: try run("insert A {\(JSONText.string(attribute.name)): \(json(attribute.type))}")
    case 3, 4: try run("update \(object) set \(key) = \(literal(attribute.type))")
    case 5: try run("update \(object) set \(key) = \(computed(attribute.type))")
    case 6:
      try run("let $v = \(literal(attribute.type))")
      try run("update \(object) set \(key) = $v")
    case 7: try run("undo")
    case 8: try run("redo")
    case 9:
      let type = numbers.pick(AttributeType.allCases)
      try run("alter entity A change \(key): \(type.rawValue)?")
    case 10: try addProperty(attribute.type)
    default: try run("update A set \(key) = \(literal(attribute.type)) all")
    }
  }

  /// Adds an attribute with a default value, or a derived one.
  private mutating func addProperty(_ type: AttributeType) throws {
    let key = StatementText.name(numbers.key(of: type) + "\(log.count)")
    if numbers.flip() {
      try run("alter entity A add \(key): \(type.rawValue)? = \(literal(type))")
    } else {
      try run("alter entity A add \(key): \(type.rawValue)? derived (\(computed(type)))")
    }
  }

  private mutating func anyAttribute() -> Attribute? {
    let all = sitting.graph.model.allAttributes(of: "A").filter {
      $0.name != "n" && $0.derivation == nil
    }
    return all.isEmpty ? nil : numbers.pick(all)
  }
}

extension ValueWalk {
  /// Checks that values are the same in memory, after a save to the journal, and in the document.
  mutating func check() throws {
    try save("save")
    let here = answers(sitting)
    try compare(here, try ShellSession(ground, "s.json", isReadOnly: true), "the journal")
    try sitting.must(".fold")
    try compare(here, try ShellSession(ground, "s.json", isReadOnly: true), "the document")
  }

  /// Checks the same in another file, and with later saves there.
  mutating func checkWholeSaves() throws {
    try save("save \"\(ground.file("copy.json"))\"")
    try step()
    try save("save \"\(ground.file("copy.json"))\" replacing")
    try compare(answers(sitting), try ShellSession(ground, "copy.json", isReadOnly: true), "a copy")
  }

  private mutating func save(_ statement: String) throws {
    let (isDone, said) = sitting.run(statement)
    try hold(isDone, finding("not saved: \(said)"))
  }

  private func finding(_ what: String) -> String { what + "\n" + log.joined(separator: "\n") }

  /// Returns all values, and for each how many objects are found by it.
  private func answers(_ sitting: ShellSession) -> [String: String] {
    var answers: [String: String] = [:]
    let snapshot = GraphSnapshot(sitting.graph)
    for id in sitting.graph.objectIDs(of: "A") {
      guard let place = sitting.graph.find(id) else { continue }
      let object = snapshot.object(table: place.table, row: place.row)
      for attribute in sitting.graph.model.allAttributes(of: "A") {
        let value = (try? object.value(forKey: attribute.name)) ?? .null
        answers["\(id).\(attribute.name): \(attribute.type)"] = value.exactText
        let literal = attribute.type.literal(value, in: sitting.zone)
        let question = "count A where \(StatementText.name(attribute.name)) == \(literal)"
        if answers[question] == nil { answers[question] = sitting.run(question).said }
      }
    }
    return answers
  }

  private func compare(
    _ here: [String: String], _ other: ShellSession, _ place: String
  ) throws {
    try hold(other.greeting.isEmpty, finding("\(place) is opened with: \(other.greeting)"))
    let there = answers(other)
    for key in Set(here.keys).union(there.keys).sorted() where here[key] != there[key] {
      throw Finding(
        finding("\(key) is \(here[key] ?? "no key") and, of \(place), \(there[key] ?? "no key")"))
    }
  }
}

extension Value {
  /// The value to the last bit: −0 is not 0.
  fileprivate var exactText: String {
    switch self {
    case .double(let number): "double \(number) \(number.bitPattern)"
    case .list(let list): "[" + list.map(\.exactText).joined(separator: ", ") + "]"
    case .dictionary(let dictionary):
      "{"
        + zip(dictionary.keys, dictionary.values).map { "\($0): \($1.exactText)" }
        .joined(separator: ", ") + "}"
    // By scalars: Swift's equality of strings is canonical equivalence.
    case .string(let text), .uri(let text): "text \(Array(text.utf8))"
    default: "\(self)"
    }
  }
}
