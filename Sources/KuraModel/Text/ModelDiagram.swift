import KuraDiagnostics

/// A model as boxes and lines, for drawing.
struct ModelDiagram {
  /// An entity.
  struct Node {
    /// A name that every format can read, such as `e0`.
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
    /// `items / parentCategory`, or only `items`
    var label: String
    /// The number of sources per target; nil without an inverse.
    var sourceCount: String?
    /// The number of targets per source: `0..1`, `1`, `*`, `1..*`, `2..5`
    var targetCount: String
    /// Whether the relationship has an inverse.
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
  /// Returns whether this side of a pair is drawn: the to-many side, otherwise the side with the path that comes first.
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

/// The layout of a diagram: boxes in a grid about as wide as high, in the order of the model.
struct DiagramLayout {
  /// The box of an entity, in points from the top left.
  struct Box {
    var node: ModelDiagram.Node
    var width: Double
    var height: Double
    var x = 0.0
    var y = 0.0
  }

  private(set) var boxes: [Box]
  private let places: [String: Int]
  private(set) var width = 0.0
  private(set) var height = 0.0

  init(_ diagram: ModelDiagram) {
    boxes = diagram.entities.map(Box.init)
    places = Dictionary(
      boxes.enumerated().map { ($1.node.id, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = max(1, Int(Double(boxes.count).squareRoot().rounded(.up)))
    placeColumns(columns)
    placeRows(columns)
  }

  subscript(id: String) -> Box? { places[id].map { boxes[$0] } }
}

extension DiagramLayout {
  /// The distance between boxes, with room for a label.
  private static let gap = (x: 130.0, y: 70.0)

  private mutating func placeColumns(_ columns: Int) {
    var left = Self.gap.y
    for column in 0..<columns {
      let members = stride(from: column, to: boxes.count, by: columns)
      let widest = members.map { boxes[$0].width }.max() ?? 0
      for i in members { boxes[i].x = left + (widest - boxes[i].width) / 2 }
      left += widest + Self.gap.x
    }
    width = left - Self.gap.x + Self.gap.y
  }

  private mutating func placeRows(_ columns: Int) {
    var top = Self.gap.y
    for first in stride(from: 0, to: boxes.count, by: columns) {
      let row = first..<min(first + columns, boxes.count)
      for i in row { boxes[i].y = top }
      top += (row.map { boxes[$0].height }.max() ?? 0) + Self.gap.y
    }
    height = top
  }
}

extension DiagramLayout.Box {
  static let line = 18.0

  fileprivate init(_ node: ModelDiagram.Node) {
    self.node = node
    let cells = ([node.name] + node.attributes).map { DisplayWidth().cells($0) }.max() ?? 0
    width = Double(max(cells, 8)) * 7.5 + 20
    height = Double(node.attributes.count + 1) * Self.line + 16
  }

  var center: (x: Double, y: Double) { (x + width / 2, y + height / 2) }

  /// Returns the point at which a line from the center to a point crosses the border.
  func border(towards point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let (dx, dy) = (point.x - center.x, point.y - center.y)
    if dx == 0 && dy == 0 { return center }
    let across = dx == 0 ? Double.infinity : width / 2 / abs(dx)
    let down = dy == 0 ? Double.infinity : height / 2 / abs(dy)
    let scale = min(across, down)
    return (center.x + dx * scale, center.y + dy * scale)
  }
}
