extension Model {
  /// The model as a picture (SVG 1.1): a box for each entity, a line for each relationship with
  /// its inverse, a hollow arrow to a parent. It is dark where its reader wants it so.
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
}

extension Model {
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

  /// Whole points: nobody sees parts of one.
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
}

extension Model {
  static func inheritance(
    _ pair: (child: String, parent: String), _ layout: DiagramLayout
  ) -> String {
    guard let child = layout[pair.child], let parent = layout[pair.parent] else { return "" }
    let start = child.border(towards: parent.center)
    return path(start, parent.border(towards: child.center), " marker-end=\"url(#parent)\"")
  }

  /// The relationships; lines between the same two boxes lie beside each other.
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

  /// A line, its label in the middle, and the counts at its ends.
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

  /// A relationship of an entity to itself: a bow above its box.
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
