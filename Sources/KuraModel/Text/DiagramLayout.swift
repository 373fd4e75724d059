import KuraDiagnostics

/// Where a diagram's boxes stand: in rows of a grid about as wide as high, in the model's order.
struct DiagramLayout {
  /// An entity's box, in points from the top left.
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

  /// The box of an entity of the diagram.
  subscript(id: String) -> Box? { places[id].map { boxes[$0] } }
}

extension DiagramLayout {
  /// Between two boxes there is room for a label.
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
  /// The height of a line of text.
  static let line = 18.0

  fileprivate init(_ node: ModelDiagram.Node) {
    self.node = node
    let cells = ([node.name] + node.attributes).map { DisplayWidth().cells($0) }.max() ?? 0
    width = Double(max(cells, 8)) * 7.5 + 20
    height = Double(node.attributes.count + 1) * Self.line + 16
  }

  /// Its middle.
  var center: (x: Double, y: Double) { (x + width / 2, y + height / 2) }

  /// Where a line from its middle to a point leaves it.
  func border(towards point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let (dx, dy) = (point.x - center.x, point.y - center.y)
    if dx == 0 && dy == 0 { return center }
    let across = dx == 0 ? Double.infinity : width / 2 / abs(dx)
    let down = dy == 0 ? Double.infinity : height / 2 / abs(dy)
    let scale = min(across, down)
    return (center.x + dx * scale, center.y + dy * scale)
  }
}
