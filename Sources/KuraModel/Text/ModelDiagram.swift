/// A model as boxes and lines, for the formats that draw it.
struct ModelDiagram {
  /// An entity.
  struct Node {
    /// `e0`: a name that every format can read.
    var id: String
    var name: String
    var isAbstract: Bool
    /// `dueDate: date?`
    var attributes: [String]
  }

  /// A relationship, together with its inverse.
  struct Line {
    var source: String
    var target: String
    /// `items / parentCategory`, or `items` alone
    var label: String
    /// How many sources a target has; nil where no inverse says so.
    var sourceCount: String?
    /// How many targets a source has: `0..1`, `1`, `*`, `1..*`, `2..5`
    var targetCount: String
    /// Whether there is an inverse.
    var isMutual: Bool { sourceCount != nil }
  }

  var entities: [Node] = []
  var inheritances: [(child: String, parent: String)] = []
  var lines: [Line] = []
}

extension ModelDiagram {
  init(_ model: Model) {
    for (i, entity) in model.entities.enumerated() {
      entities.append(Node("e\(i)", entity))
      if let parent = entity.parent.flatMap(model.index) {
        inheritances.append(("e\(i)", "e\(parent)"))
      }
      for relationship in entity.relationships {
        addLine(RelationshipEnd(owner: entity.name, relationship: relationship), "e\(i)", model)
      }
    }
  }

  private mutating func addLine(_ here: RelationshipEnd, _ source: String, _ model: Model) {
    guard let target = model.index(of: here.relationship.destination) else { return }
    let there = model.inverse(of: here)
    if let there, there.isDrawn(before: here) { return }
    let isPair = there.map { $0.path != here.path } ?? false
    let names = [here.relationship.name] + (isPair ? [there?.relationship.name ?? ""] : [])
    lines.append(
      Line(
        source: source, target: "e\(target)", label: names.joined(separator: " / "),
        sourceCount: there?.relationship.countText,
        targetCount: here.relationship.countText))
  }
}

extension ModelDiagram.Node {
  fileprivate init(_ id: String, _ entity: Entity) {
    self.id = id
    name = entity.name
    isAbstract = entity.isAbstract
    attributes = entity.attributes.map {
      "\($0.name): \($0.type.rawValue)\($0.isOptional ? "?" : "")"
    }
  }
}

extension RelationshipEnd {
  /// Of a pair the to-many side is drawn, else the one whose path comes first.
  fileprivate func isDrawn(before other: RelationshipEnd) -> Bool {
    if relationship.isToMany != other.relationship.isToMany { return relationship.isToMany }
    return path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }
}

extension Relationship {
  /// `0..1`, `1`, `*`, `1..*`, `2..5`
  fileprivate var countText: String {
    let most = greatestCount.map(String.init) ?? "*"
    if leastCount == 0 { return most == "*" ? "*" : "0..\(most)" }
    return "\(leastCount)" == most ? most : "\(leastCount)..\(most)"
  }
}
