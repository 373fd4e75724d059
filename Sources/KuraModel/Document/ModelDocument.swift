package import KuraBytes
package import KuraDiagnostics
package import KuraValues

/// The model as a document says it under `"model"`, with everything that is wrong in it.
///
///     let read = ModelDocument(node, in: source, zone: .utc)
///     if let problem = read.problems.first { throw problem }
///     read.model["MemoDate"]
package struct ModelDocument: Sendable {
  /// What could be read; complete where there are no problems.
  package private(set) var model: Model
  /// Each with its place in the document, in the document's order.
  package private(set) var problems: [Diagnostic]

  /// Reads a model from its JSON.
  ///
  /// The spans of the node and of all diagnostics are places in the source. Dates without a zone
  /// are read in the document's. Linear in the document.
  package init(_ node: JSONNode, in source: SourceText, zone: ZoneRules) {
    var reader = ModelReader(source: source, zone: zone)
    model = reader.model(node)
    problems = reader.problems
    if problems.isEmpty { problems = check(node, source) }
    problems.sort { ($0.span?.start ?? 0) < ($1.span?.start ?? 0) }
  }

  /// What `ModelCheck` finds, at the places where the document says it.
  ///
  /// Asked only of a model that was read whole: half of one breaks rules that the whole keeps.
  private func check(_ node: JSONNode, _ source: SourceText) -> [Diagnostic] {
    ModelCheck(model).problems.map { problem in
      Diagnostic(problem.facts, at: node.span(of: problem, in: source), in: source)
    }
  }
}
