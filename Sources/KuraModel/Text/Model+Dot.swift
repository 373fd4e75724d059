extension Model {
  /// The model as a graph for Graphviz: `model as dot` piped to `dot -Tsvg` is a picture.
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

  /// Text in a record's label, where brackets and bars are fields.
  private static func record(_ text: String) -> String {
    escape(text, "{}|<>\"\\ ")
  }

  /// Text in a quoted label.
  private static func quotable(_ text: String) -> String { escape(text, "\"\\") }

  private static func escape(_ text: String, _ special: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.value < 0x20 { return result += " " }
      if special.unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
  }
}
