import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript

extension Session {
  /// `model as mermaid`: the model as text, in every format of results.
  func showModel(as name: Name?) throws {
    let format = name.flatMap { ModelFormat(rawValue: $0.text) } ?? .text
    try write(state.context.graph.model.text(as: format, in: state.zone))
  }
}
