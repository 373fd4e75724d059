package import KuraDiagnostics

extension Model {
  /// Returns the model as boxes with lines on the right side. A line joins each relationship with
  /// its inverse; it ends in `<` at the destination, and in `<|` at a parent.
  ///
  ///     ┌─ Category ───────────────────┐
  ///     │ items: [Item]                ├──┐
  ///     └──────────────────────────────┘  │
  ///     ┌─ Item ───────────────────────┐  │
  ///     │ parentCategory: Category?    ├──┘
  ///     └──────────────────────────────┘
  ///
  /// No line is wider than `width`. If there is no room for the lines, the inverses are written as words.
  package func boxes(width: Int?, measure: DisplayWidth = DisplayWidth()) -> String {
    let joined = BoxDrawing(self, hasLanes: true)
    if joined.fits(width, measure) { return joined.text(width, measure) }
    return BoxDrawing(self, hasLanes: false).text(width, measure)
  }
}

/// The rows of all boxes, and the lines between them.
private struct BoxDrawing {
  enum Row {
    case top(String)
    case inside(String)
    case bottom
  }

  /// A line between two rows.
  struct Join {
    var first: Int
    var last: Int
    /// The row with the arrowhead; nil if there is none.
    var head: Int?
    var isInheritance = false
    var lane = 0
  }

  private var rows: [Row] = []
  private var joins: [Join] = []
  private var lanes = 0
  /// The rows of entity names, and of relationships by path.
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

/// The assignment of lines to lanes; shorter lines are closer to the boxes.
private enum LaneChoice {
  /// Assigns a lane to each line, and returns the number of lanes.
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
  /// The minimum number of cells for a key and its type.
  private static let least = 16

  /// The number of cells for the frame of a box and the lanes.
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

  /// Returns the text to the right of a box in a row; it begins with a blank unless a line touches the box.
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
    let continues = lane < reach
    guard let join = joins.first(where: { $0.lane == lane && $0.first...$0.last ~= place }) else {
      return continues ? "─" : " "
    }
    if join.first == place { return continues ? "┬" : "┐" }
    if join.last == place { return continues ? "┴" : "┘" }
    return continues ? "┼" : "│"
  }

  /// Returns the drawing in ASCII, for terminals in which box characters occupy two cells.
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

extension Model {
  /// The model as a Graphviz graph. For a picture, pipe `model as dot` to `dot -Tsvg`.
  package var dot: String {
    let diagram = ModelDiagram(self)
    let head = ["digraph model {", "  node [shape=record]", "  edge [fontsize=10]"]
    return
      (head + diagram.entities.map(Model.dot)
      + diagram.inheritances.map { "  \($0.child) -> \($0.parent) [arrowhead=empty]" }
      + diagram.lines.map(Model.dot) + ["}"]).map { $0 + "\n" }.joined()
  }

  private static func dot(_ entity: ModelDiagram.Node) -> String {
    let name = (entity.isAbstract ? "«abstract» " : "") + entity.name
    let lines = entity.attributes.map { record($0) + "\\l" }.joined()
    return "  \(entity.id) [label=\"{\(record(name))|\(lines)}\"]"
  }

  private static func dot(_ line: ModelDiagram.Line) -> String {
    let tail = line.sourceCount.map { ", taillabel=\"\($0)\"" } ?? ""
    let direction = line.isMutual ? ", dir=none" : ""
    let labels = "label=\"\(quotable(line.label))\"\(tail), headlabel=\"\(line.targetCount)\""
    return "  \(line.source) -> \(line.target) [\(labels)\(direction)]"
  }

  /// Returns text for a record label, in which brackets and bars separate fields.
  private static func record(_ text: String) -> String {
    escape(text, "{}|<>\"\\ ")
  }

  /// Returns text for a quoted label.
  private static func quotable(_ text: String) -> String { escape(text, "\"\\") }

  private static func escape(_ text: String, _ special: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.value < 0x20 { return result += " " }
      if special.unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
  }

  /// The model as a Mermaid class diagram: entities with attributes, inheritance, and relationships
  /// with counts. A relationship and its inverse are one line.
  ///
  /// Names that Mermaid cannot read are labels of generated names (`e0`, `e1`, …).
  package var mermaid: String {
    let diagram = ModelDiagram(self)
    return
      (["classDiagram"] + diagram.entities.map(Model.mermaid)
      + diagram.inheritances.map { "  \($0.parent) <|-- \($0.child)" }
      + diagram.lines.map(Model.mermaid)).map { $0 + "\n" }.joined()
  }

  private static func mermaid(_ entity: ModelDiagram.Node) -> String {
    let lines = entity.attributes.map { "    \(mermaidText($0))\n" }
    let abstract = entity.isAbstract ? "    <<abstract>>\n" : ""
    let head = "  class \(entity.id)[\"\(mermaidText(entity.name))\"]"
    return lines.isEmpty && abstract.isEmpty ? head : "\(head) {\n\(abstract)\(lines.joined())  }"
  }

  private static func mermaid(_ line: ModelDiagram.Line) -> String {
    let left = line.sourceCount.map { "\"\($0)\" " } ?? ""
    let arrow = line.isMutual ? "--" : "-->"
    let label = mermaidText(line.label)
    return "  \(line.source) \(left)\(arrow) \"\(line.targetCount)\" \(line.target) : \(label)"
  }

  /// Returns text with characters that end a label, a line or a member as Mermaid's entity codes.
  private static func mermaidText(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "#", ";", "{", "}", "<", ">", "(", ")", "~", "*", "$", "`", "[", "]", "\\":
        result += "#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The model as a picture (SVG 1.1): a box per entity, a line per relationship with its inverse,
  /// and a hollow arrow to a parent. It follows the reader's preference for dark mode.
  package var svg: String {
    let diagram = ModelDiagram(self)
    let layout = DiagramLayout(diagram)
    return
      ([Model.head(layout)] + diagram.inheritances.map { Model.inheritance($0, layout) }
      + Model.lines(diagram, layout) + layout.boxes.flatMap(Model.box) + ["</svg>"])
      .map { $0 + "\n" }.joined()
  }

  private static func head(_ layout: DiagramLayout) -> String {
    let (width, height) = (points(layout.width), points(layout.height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="monospace" font-size="12">
      <defs>
      <marker id="parent" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="12" \
      markerHeight="12" orient="auto"><path d="M0,0 L10,5 L0,10 Z" fill="white" \
      stroke="black"/></marker>
      <marker id="arrow" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="8" \
      markerHeight="8" orient="auto"><path d="M0,0 L10,5 L0,10" fill="none" \
      stroke="black"/></marker>
      </defs>
      <style>
      @media (prefers-color-scheme: dark) {
        rect, path[fill="white"] { fill: #101418 }
        rect[stroke], path { stroke: #d8dee4 }
        text { fill: #d8dee4 }
        text[stroke] { stroke: #101418 }
      }
      </style>
      <rect width="100%" height="100%" fill="white"/>
      """
  }

  private static func box(_ box: DiagramLayout.Box) -> [String] {
    let line = DiagramLayout.Box.line
    let style = box.node.isAbstract ? " font-style=\"italic\"" : ""
    let frame = "x=\"\(points(box.x))\" y=\"\(points(box.y))\" width=\"\(points(box.width))\""
    let name = text(box.node.name, box.center.x, box.y + line - 2, "middle", style)
    let rule = box.y + line + 6
    let attributes = box.node.attributes.enumerated().map { i, attribute in
      text(attribute, box.x + 10, rule + Double(i + 1) * line - 2)
    }
    return [
      "<rect \(frame) height=\"\(points(box.height))\" fill=\"white\" stroke=\"black\"/>",
      path((box.x, rule), (box.x + box.width, rule)), name,
    ] + attributes
  }

  typealias Point = (x: Double, y: Double)

  static func text(
    _ text: String, _ x: Double, _ y: Double, _ anchor: String = "start", _ style: String = ""
  ) -> String {
    "<text x=\"\(points(x))\" y=\"\(points(y))\" text-anchor=\"\(anchor)\"\(style)>"
      + "\(markup(text))</text>"
  }

  static func path(_ a: Point, _ b: Point, _ style: String = "") -> String {
    "<path d=\"M\(points(a.x)),\(points(a.y)) L\(points(b.x)),\(points(b.y))\" stroke=\"black\""
      + "\(style)/>"
  }

  /// Returns a coordinate in whole points; fractions would not be visible.
  static func points(_ value: Double) -> String { String(Int(value.rounded())) }

  private static func markup(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  static func inheritance(
    _ pair: (child: String, parent: String), _ layout: DiagramLayout
  ) -> String {
    guard let child = layout[pair.child], let parent = layout[pair.parent] else { return "" }
    let start = child.border(towards: parent.center)
    return path(start, parent.border(towards: child.center), " marker-end=\"url(#parent)\"")
  }

  /// Returns the relationships. Lines between the same boxes are drawn next to each other.
  static func lines(_ diagram: ModelDiagram, _ layout: DiagramLayout) -> [String] {
    var drawn: [Set<String>: Int] = [:]
    for pair in diagram.inheritances { drawn[[pair.child, pair.parent], default: 0] += 1 }
    return diagram.lines.flatMap { line -> [String] in
      guard let source = layout[line.source], let target = layout[line.target] else { return [] }
      let place = drawn[[line.source, line.target], default: 0]
      drawn[[line.source, line.target]] = place + 1
      return line.source == line.target
        ? loop(line, source, place) : straight(line, source, target, place)
    }
  }

  /// Returns a line with its label in the middle and the counts at its ends.
  private static func straight(
    _ line: ModelDiagram.Line, _ source: DiagramLayout.Box, _ target: DiagramLayout.Box,
    _ place: Int
  ) -> [String] {
    let shift = Double((place + 1) / 2) * (place % 2 == 0 ? 22 : -22)
    let a = source.border(towards: target.center)
    let b = target.border(towards: source.center)
    let isFlat = abs(a.x - b.x) > abs(a.y - b.y)
    let start = isFlat ? (x: a.x, y: a.y + shift) : (x: a.x + shift, y: a.y)
    let end = isFlat ? (x: b.x, y: b.y + shift) : (x: b.x + shift, y: b.y)
    return [path(start, end, arrow(line)), label(line.label, start, end, 0.5)]
      + [label(line.targetCount, start, end, 0.88)]
      + (line.sourceCount.map { [label($0, start, end, 0.12)] } ?? [])
  }

  /// Returns a relationship from an entity to itself, as an arc above its box.
  private static func loop(
    _ line: ModelDiagram.Line, _ box: DiagramLayout.Box, _ place: Int
  ) -> [String] {
    let rise = box.y - 22 - Double(place) * 16
    let (left, right) = (box.center.x - 24, box.center.x + 24)
    let bow =
      "<path d=\"M\(points(left)),\(points(box.y)) L\(points(left)),\(points(rise)) "
      + "L\(points(right)),\(points(rise)) L\(points(right)),\(points(box.y))\" fill=\"none\" "
      + "stroke=\"black\"\(arrow(line))/>"
    return [bow, text("\(line.label) \(line.targetCount)", right + 4, rise + 4)]
  }

  private static func arrow(_ line: ModelDiagram.Line) -> String {
    line.isMutual ? "" : " marker-end=\"url(#arrow)\""
  }

  private static func label(
    _ label: String, _ a: Point, _ b: Point, _ part: Double
  ) -> String {
    let halo = " stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\""
    return text(
      label, a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part + 4, "middle", halo)
  }
}
