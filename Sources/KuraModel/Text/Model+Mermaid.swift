extension Model {
  /// The model as a Mermaid class diagram: entities with their attributes, inheritance,
  /// relationships with their counts. A relationship and its inverse are one line.
  ///
  /// Names that Mermaid could not read stand in labels, behind names of our own (`e0`, `e1`, …).
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

  /// What ends a label, a line or a member, as the entities that Mermaid reads.
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
}
