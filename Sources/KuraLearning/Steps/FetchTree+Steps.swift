import KuraChecking
package import KuraDiagnostics
package import KuraFetch
package import KuraGraph
package import KuraPredicates

extension FetchTree {
  /// Returns the number of rows that each part leaves in a snapshot, in the order of the text.
  ///
  /// Throws if the fetch does.
  package func steps(
    in snapshot: GraphSnapshot, _ environment: FetchEnvironment, _ texts: PartTexts
  ) throws(Diagnostic) -> FetchSteps {
    let request = try bound(to: snapshot, environment)
    let (objects, step) = try request.predicateSteps()
    var steps = FetchSteps(entity: request.entity, objects: objects, predicate: step)
    let left = step?.yes ?? objects
    if result == .objects {
      let grouped = try groupSteps(request, snapshot, environment, texts)
      steps.clauses = grouped + (try extentSteps(request, after: grouped.last?.left ?? left))
    }
    return steps
  }

  /// Returns the steps of `group by`, `distinct` and `having`, which group objects and remove
  /// groups.
  private func groupSteps(
    _ request: BoundRequest, _ snapshot: GraphSnapshot, _ environment: FetchEnvironment,
    _ texts: PartTexts
  ) throws(Diagnostic) -> [ClauseStep] {
    guard let shown = request.selection, shown.grouping != nil || shown.isDistinct else {
      return []
    }
    var plain = self
    (plain.sort, plain.section, plain.offset, plain.limit, plain.having) = ([], nil, nil, nil, nil)
    plain.limitKeys = []
    let rows = try plain.bound(to: snapshot, environment).answer().count
    var steps = [ClauseStep(text: groupText(texts), left: rows)]
    if let having {
      plain.having = having
      let left = try plain.bound(to: snapshot, environment).answer().count
      steps.append(ClauseStep(text: "having \(texts.whole(having))", left: left))
    }
    return steps
  }

  private func groupText(_ texts: PartTexts) -> String {
    if !grouping.isEmpty {
      return "group by \(grouping.map { texts.text(of: $0) }.joined(separator: ", "))"
    }
    let columns = (selection ?? []).map { texts.text(of: $0.expression) }
    return "select \(isDistinct ? "distinct " : "")\(columns.joined(separator: ", "))"
  }

  private func extentSteps(
    _ request: BoundRequest, after count: Int
  ) throws(Diagnostic) -> [ClauseStep] {
    var steps: [ClauseStep] = []
    var left = count
    if !request.limitKeys.isEmpty {
      let keys = request.limitKeys.map(\.name).joined(separator: ", ")
      let text = "limit \(request.limit ?? 0) per \(keys)"
      return [ClauseStep(text: text, left: try request.answer().count)]
    }
    if request.offset > 0 {
      left = max(0, left - request.offset)
      steps.append(ClauseStep(text: "offset \(request.offset)", left: left))
    }
    if let limit = request.limit {
      left = min(left, limit)
      steps.append(ClauseStep(text: "limit \(limit)", left: left))
    }
    return steps
  }
}
