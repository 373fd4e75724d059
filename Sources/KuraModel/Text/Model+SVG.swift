extension Model {
  /// The model as a picture (SVG 1.1): a box for each entity, a line for each relationship with
  /// its inverse, a hollow arrow to a parent.
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
