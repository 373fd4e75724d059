package import KuraValues

/// How `model` prints: `model as mermaid`.
package enum ModelFormat: String, Sendable, Hashable, CaseIterable {
  /// Statements that rebuild the model.
  case text
  /// A Mermaid class diagram.
  case mermaid
  /// A graph for Graphviz.
  case dot
  /// A picture for a browser.
  case svg
}

extension Model {
  /// The model as text of a format; ends with a line break where it is not empty.
  package func text(as format: ModelFormat, in zone: ZoneRules) -> String {
    switch format {
    case .text: statements(in: zone)
    case .mermaid: mermaid
    case .dot: dot
    case .svg: svg
    }
  }
}
