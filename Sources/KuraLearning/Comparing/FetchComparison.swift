package import KuraDiagnostics
package import KuraFetch
package import KuraGraph
import KuraSentences
package import KuraValues

/// Two fetches asked of the same objects: what both find, and what only one does.
package struct FetchComparison: Sendable {
  package let first: BoundRequest
  package let second: BoundRequest
  package let both: [Bitmap]
  package let onlyFirst: [Bitmap]
  package let onlySecond: [Bitmap]
  /// How many objects of either source neither finds.
  package let neither: Int
}

extension FetchComparison {
  /// Asks both; throws where one of them fails, or they are about objects of different kinds.
  package init(_ first: BoundRequest, _ second: BoundRequest) throws(Diagnostic) {
    let graph = first.snapshot.graph
    guard graph.place(of: first.entity)?.table == graph.place(of: second.entity)?.table else {
      throw Diagnostic(CompareFacts.nothingInCommon(first.entity, second.entity))
    }
    let (a, b) = (try first.foundRows(), try second.foundRows())
    self.init(
      first: first, second: second, both: a.intersection(b), onlyFirst: a.subtracting(b),
      onlySecond: b.subtracting(a),
      neither: first.candidates.union(second.candidates).subtracting(a).subtracting(b).popcount)
  }

  /// Whether they find the same objects here.
  package var agrees: Bool { onlyFirst.isVoid && onlySecond.isVoid }

  /// The rows that only one finds.
  package var difference: [Bitmap] { onlyFirst.union(onlySecond) }

  /// The objects at some rows, the first few.
  package func objects(_ rows: [Bitmap], _ count: Int) -> [Value] {
    rows.firstRows(count).map { .object(ObjectReference(first.object(atRow: $0))) }
  }
}

extension BoundRequest {
  /// The rows of the objects that the fetch finds, with its limit and offset.
  fileprivate func foundRows() throws(Diagnostic) -> [Bitmap] {
    guard limit != nil || offset > 0 else { return try passingRows() }
    var result = candidates.map { Bitmap(count: $0.count) }
    for row in try run().rows {
      result[Int(row) >> ColumnChunk.shift][Int(row) & ColumnChunk.mask] = true
    }
    return result
  }
}

/// Why two fetches cannot be compared.
package enum CompareFacts: DiagnosticFacts {
  /// `compare Item where … with fetch Category where …`
  case nothingInCommon(String, String)

  package var sentence: String {
    switch self {
    case .nothingInCommon(let a, let b): localized("no object is of \(a) and of \(b)")
    }
  }

  package var help: String? { localized("compare fetches of one entity, or of its subentities") }
}
