package import KuraDiagnostics
import KuraPredicates

/// `insert ENTITY key = EXPR, …` or `insert ENTITY {"key": value, …}`
package struct InsertStatement: Sendable {
  package var entity: Name
  package var values: Values

  package enum Values: Sendable {
    /// `title = "x", date = today()`
    case assignments([Assignment])
    /// The bytes of one JSON object or an array of them.
    case json(SourceSpan)
  }

  package init(entity: Name, values: Values) {
    self.entity = entity
    self.values = values
  }
}
