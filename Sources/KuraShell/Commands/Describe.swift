import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraRendering
import KuraScript
import KuraValues

extension Session {
  /// `describe Item`: its keys with types and rules, the inherited ones first.
  func describe(_ entity: Name) throws {
    let model = state.context.graph.model
    guard model[entity.text] != nil else { throw unknownEntity(entity) }
    let rows = model.description(of: entity.text, in: state.zone).map { property -> [Value] in
      [
        .string(property.key), .string(property.type), .string(property.rules),
        property.inheritedFrom.map { .string($0) } ?? .null,
      ]
    }
    let columns = ["key", "type", "rules", "inheritedFrom"].map { GridColumn($0) }
    try write(Grid(columns: columns, rows: rows))
  }
}
