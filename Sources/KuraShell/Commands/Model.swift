import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraRendering
import KuraScript
import KuraValues

/// `model as mermaid`: writes the model as text, in every format of results.
extension ModelStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    let format = format.flatMap { ModelFormat(rawValue: $0.text) } ?? .text
    let width = DisplayWidth(ambiguousIsWide: session.services.style.ambiguousIsWide)
    try session.write(
      session.context.graph.model.text(
        as: format, in: session.zone, width: session.resultWidth, measure: width))
  }
}

/// `describe Item`: lists its keys with types and rules, the inherited ones first.
extension DescribeStatement: Command {
  var effect: Effect { .reads }

  func problems(in context: CheckContext) -> [Diagnostic] {
    FetchTree(of: FetchSource(.entity(entity.text), span: entity.span))
      .checked(in: context).problems
  }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkEntity(entity)
    let model = session.context.graph.model
    let rows = model.description(of: entity.text, in: session.zone).map { property -> [Value] in
      [
        .string(property.key), .string(property.type), .string(property.rules),
        property.inheritedFrom.map { .string($0) } ?? .null,
      ]
    }
    let columns = ["key", "type", "rules", "inheritedFrom"].map {
      GridColumn($0, isOwnText: true)
    }
    try session.write(Grid(columns: columns, rows: rows))
  }
}
