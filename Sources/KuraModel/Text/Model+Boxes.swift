package import KuraDiagnostics

extension Model {
  /// The model as boxes under each other, with lines at their right that join each relationship with
  /// its inverse, lead with `<` to what it is of, and with `<|` to a parent.
  ///
  ///     ┌─ Category ───────────────────┐
  ///     │ items: [Item]                ├──┐
  ///     └──────────────────────────────┘  │
  ///     ┌─ Item ───────────────────────┐  │
  ///     │ parentCategory: Category?    ├──┘
  ///     └──────────────────────────────┘
  ///
  /// No line is wider than `width`; where lines have no room the inverses stand as words.
  package func boxes(width: Int?, measure: DisplayWidth = DisplayWidth()) -> String {
    let joined = BoxDrawing(self, hasLanes: true)
    if joined.fits(width, measure) { return joined.text(width, measure) }
    return BoxDrawing(self, hasLanes: false).text(width, measure)
  }
}

/// The rows of all boxes, and which of them are joined.
private struct BoxDrawing {
  /// A line of the picture.
  enum Row {
    case top(String)
    case inside(String)
    case bottom
  }

  /// A line from a row to another.
  struct Join {
    var first: Int
    var last: Int
    /// The row at which it has a head; nil: none.
    var head: Int?
    var isInheritance = false
    var lane = 0
  }

  private var rows: [Row] = []
  private var joins: [Join] = []
  private var lanes = 0
  /// The rows of the entities' names, and of their relationships by path.
  private var tops: [String: Int] = [:]
  private var places: [String: Int] = [:]

  init(_ model: Model, hasLanes: Bool) {
    for entity in model.entities { add(entity, hasLanes) }
    guard hasLanes else { return }
    for entity in model.entities { join(entity, in: model) }
    lanes = LaneChoice.choose(&joins)
  }
}

// Rows
extension BoxDrawing {
  private mutating func add(_ entity: Entity, _ hasLanes: Bool) {
    tops[entity.name] = rows.count
    rows.append(.top(VisibleText.of(entity.name) + (entity.isAbstract ? " (abstract)" : "")))
    if let parent = entity.parent {
      places["\(entity.name):"] = rows.count
      rows.append(.inside("is \(VisibleText.of(parent))"))
    }
    for attribute in entity.attributes {
      let type = attribute.type.rawValue + (attribute.isOptional ? "?" : "")
      rows.append(.inside("\(VisibleText.of(attribute.name)): \(type)"))
    }
    for relationship in entity.relationships {
      places["\(entity.name).\(relationship.name)"] = rows.count
      let inverse = hasLanes ? nil : relationship.inverse.map { " inverse \($0)" }
      let text = "\(relationship.name): \(relationship.target)\(inverse ?? "")"
      rows.append(.inside(VisibleText.of(text)))
    }
    rows.append(.bottom)
  }

  private mutating func join(_ entity: Entity, in model: Model) {
    if let parent = entity.parent.flatMap({ tops[$0] }), let row = places["\(entity.name):"] {
      add(row, parent, head: parent, isInheritance: true)
    }
    for relationship in entity.relationships {
      let here = RelationshipEnd(owner: entity.name, relationship: relationship)
      guard let row = places["\(entity.name).\(relationship.name)"] else { continue }
      if let there = model.inverse(of: here), there.path != here.path {
        let other = places["\(there.owner).\(there.relationship.name)"]
        if let other, row < other { add(row, other, head: nil) }
      } else if let top = tops[relationship.destination] {
        add(row, top, head: top)
      }
    }
  }

  private mutating func add(_ a: Int, _ b: Int, head: Int?, isInheritance: Bool = false) {
    joins.append(
      Join(first: min(a, b), last: max(a, b), head: head, isInheritance: isInheritance))
  }
}

/// Which lines stand beside each other: the shortest next to the boxes.
private enum LaneChoice {
  /// Gives each join a lane, and returns how many there are.
  static func choose(_ joins: inout [BoxDrawing.Join]) -> Int {
    var taken: [[ClosedRange<Int>]] = []
    for i in joins.indices.sorted(by: { length(joins[$0]) < length(joins[$1]) }) {
      let range = joins[i].first...joins[i].last
      let free = taken.firstIndex { lane in !lane.contains { $0.overlaps(range) } }
      if free == nil { taken.append([]) }
      joins[i].lane = free ?? taken.count - 1
      taken[joins[i].lane].append(range)
    }
    return taken.count
  }

  private static func length(_ join: BoxDrawing.Join) -> Int { join.last - join.first }
}

// Lines
extension BoxDrawing {
  /// Fewer cells for a key and its type say too little.
  private static let least = 16

  /// The cells beside a box: its frame, and the lanes.
  private var margin: Int { 4 + (lanes > 0 ? 1 + 2 * lanes : 0) }

  func fits(_ width: Int?, _ measure: DisplayWidth) -> Bool {
    width.map { $0 - margin >= min(Self.least, widest(measure)) } ?? true
  }

  private func widest(_ measure: DisplayWidth) -> Int {
    let cells = rows.map { row in
      switch row {
      case .top(let text): measure.cells(text) + 1
      case .inside(let text): measure.cells(text)
      case .bottom: 0
      }
    }
    return cells.max() ?? 0
  }

  func text(_ width: Int?, _ measure: DisplayWidth) -> String {
    let widest = widest(measure)
    let room = width.map { max(1, min(widest, $0 - margin)) } ?? widest
    let text = rows.indices.map { line($0, room, measure) + "\n" }.joined()
    return measure.ambiguousIsWide ? Self.ascii(text) : text
  }

  private func line(_ place: Int, _ room: Int, _ measure: DisplayWidth) -> String {
    let side = side(of: place)
    switch rows[place] {
    case .top(let name):
      let name = measure.truncated(name, to: max(1, room - 1))
      let rule = String(repeating: "─", count: max(0, room - 1 - measure.cells(name)))
      return trimmed("┌─ \(name) \(rule)" + (side.first == " " ? "┐" : "┬") + side)
    case .inside(let text):
      let text = measure.padded(measure.truncated(text, to: room), to: room)
      return trimmed("│ \(text) " + (side.first == " " ? "│" : "├") + side)
    case .bottom:
      return trimmed("└" + String(repeating: "─", count: room + 2) + "┘" + side)
    }
  }

  private func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// What stands right of a box in a row: begins with a blank where nothing touches the box.
  private func side(of place: Int) -> String {
    let ends = joins.filter { $0.first == place || $0.last == place }
    let reach = ends.map(\.lane).max() ?? -1
    let head = ends.contains { $0.head == place }
    let isParent = ends.contains { $0.head == place && $0.isInheritance }
    var side = reach < 0 ? " " : head ? "<" : "─"
    for lane in 0..<lanes {
      let before: Character = lane > reach ? " " : lane == 0 && isParent ? "|" : "─"
      side.append(before)
      side.append(sign(lane, place, reach))
    }
    return side
  }

  private func sign(_ lane: Int, _ place: Int, _ reach: Int) -> Character {
    let goesOn = lane < reach
    guard let join = joins.first(where: { $0.lane == lane && $0.first...$0.last ~= place }) else {
      return goesOn ? "─" : " "
    }
    if join.first == place { return goesOn ? "┬" : "┐" }
    if join.last == place { return goesOn ? "┴" : "┘" }
    return goesOn ? "┼" : "│"
  }

  /// For terminals where the lines of a box take two cells each.
  private static func ascii(_ text: String) -> String {
    String(
      text.map { character in
        switch character {
        case "─": "-"
        case "│": "|"
        case "┌", "┐", "└", "┘", "├", "┬", "┴", "┼": "+"
        default: character
        }
      })
  }
}
