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
