import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraSentences

extension StoreDocumentReader {
  /// The store, once its document has been read.
  ///
  /// `locate` is asked for the places of what is wrong.
  mutating func opened(
    locate: (RowFinder) -> [RowProblem]
  ) throws(LoadFailure) -> StoreContents {
    guard let model = header.model else { throw .diagnostics([Diagnostic(StoreFacts.noModel)]) }
    try checkNextObjectIDs(model)
    var graph = Graph(model: model)
    if var assembly {
      graph = assembly.graph(nextObjectIDs: header.nextObjectIDs)
      if assembly.problemCount > 0 {
        assembly.problems = locate(RowFinder(assembly))
        throw .diagnostics(assembly.diagnostics)
      }
    } else {
      graph.raiseNextNumbers(header.nextObjectIDs)
    }
    return StoreContents(
      graph: graph, isStore: true, timeZoneID: header.timeZoneID, userInfo: header.userInfo)
  }
}

extension StoreDocumentReader {
  /// Numbers are given by root entity; another name there would be dropped in silence.
  private func checkNextObjectIDs(_ model: Model) throws(LoadFailure) {
    let roots = model.entities.filter { $0.parent == nil }.map(\.name)
    for (name, span) in header.nextObjectIDPlaces where !roots.contains(name) {
      throw .diagnostics([Diagnostic(StoreFacts.unknownEntity(name, known: roots), at: span)])
    }
  }
}

extension Graph {
  /// What numbers have been given already, whether their objects are there or not.
  mutating func raiseNextNumbers(_ numbers: [String: Int64]) {
    for i in tables.indices {
      tables[i].nextNumber = max(tables[i].nextNumber, numbers[tables[i].layout.root] ?? 1)
    }
  }
}

extension StoreAssembly {
  /// The problems as diagnostics, and how many more there are.
  var diagnostics: [Diagnostic] {
    var result = problems.prefix(RowProblem.limit).map { problem in
      Diagnostic(
        StoreFacts.row(fault(problem)), at: problem.offset.map { SourceSpan($0, $0 + 1) })
    }
    if problemCount > result.count {
      result.append(Diagnostic(StoreFacts.moreProblems(problemCount - result.count)))
    }
    return result
  }

  private func fault(_ problem: RowProblem) -> RowFault {
    RowFault(
      kind: kind(problem), entity: problem.entity, objectID: problem.objectID ?? objectID(problem),
      row: problem.row + 1, key: problem.key)
  }

  private func objectID(_ problem: RowProblem) -> Int64? {
    builders.firstIndex { $0.name == problem.entity }.flatMap { objectID($0, problem.row) }
  }

  private func kind(_ problem: RowProblem) -> RowFault.Kind {
    switch problem.kind {
    case .unknownKey: .unknownKey(known: model.keys(of: problem.entity))
    case .mismatch(let found): .mismatch(type: expected(problem), found: found)
    case .notAnObject: .notAnObject
    case .missing: .missing
    case .duplicateObjectID: .duplicateObjectID
    case .dangling(let number, let destination): .dangling(number, destination: destination)
    case .contradiction(let other): .contradiction(other: other)
    case .abstract: .abstract
    case .twice(let number, let destination): .twice(number, destination: destination)
    }
  }

  /// What a key's value must be, in words of the model.
  private func expected(_ problem: RowProblem) -> String {
    guard let key = problem.key, key != "objectID" else { return localized("a positive integer") }
    switch model.property(named: key, of: problem.entity) {
    case .attribute(let attribute): return attribute.type.rawValue
    case .relationship(let relationship):
      return relationship.isToMany ? localized("a list of objectIDs") : localized("an objectID")
    case nil: return localized("a value")
    }
  }
}
