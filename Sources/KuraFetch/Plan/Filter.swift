import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// A predicate made ready for a table: what has a kernel, and what the reference evaluates.
indirect enum Filter: Sendable {
  case constant(Bool)
  /// Cannot fail, and answers for a whole chunk.
  case kernel(any ChunkKernel)
  case and([Filter])
  case or([Filter])
  case not(Filter)
  /// Row by row, by the reference evaluator.
  case reference(PredicateTree)
}

extension Filter {
  /// Whether no row can make it fail: only then may it be asked out of its turn.
  var cannotFail: Bool {
    switch self {
    case .constant, .kernel: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.cannotFail)
    case .not(let inner): inner.cannotFail
    case .reference: false
    }
  }

  /// Tests that cannot fail first, the others in their order.
  static func ordered(_ parts: [Filter]) -> [Filter] {
    parts.filter(\.cannotFail) + parts.filter { !$0.cannotFail }
  }
}

/// A filter at work on one table.
struct FilterRun {
  let snapshot: GraphSnapshot
  let table: Int
  let context: EvaluationContext

  /// The rows among `candidates` that pass.
  func passing(
    _ filter: Filter, chunk: Int, among candidates: Bitmap
  ) throws(Diagnostic) -> Bitmap {
    if candidates.isEmpty { return candidates }
    switch filter {
    case .constant(let value): return value ? candidates : Bitmap(count: candidates.count)
    case .kernel(let kernel):
      var result = kernel.matches(snapshot.graph.tables[table].columns[kernel.column].chunks[chunk])
      result.formIntersection(candidates)
      return result
    case .and(let parts):
      var result = candidates
      for part in parts { result = try passing(part, chunk: chunk, among: result) }
      return result
    case .or(let parts): return try passingAny(parts, chunk, candidates)
    case .not(let inner):
      var result = candidates
      result.subtract(try passing(inner, chunk: chunk, among: candidates))
      return result
    case .reference(let predicate): return try passing(predicate, chunk, candidates)
    }
  }

  private func passingAny(
    _ parts: [Filter], _ chunk: Int, _ candidates: Bitmap
  ) throws(Diagnostic) -> Bitmap {
    var open = candidates
    var result = Bitmap(count: candidates.count)
    for part in parts {
      let hits = try passing(part, chunk: chunk, among: open)
      result.formUnion(hits)
      open.subtract(hits)
    }
    return result
  }

  private func passing(
    _ predicate: PredicateTree, _ chunk: Int, _ candidates: Bitmap
  ) throws(Diagnostic) -> Bitmap {
    var result = Bitmap(count: candidates.count)
    var failure: Diagnostic?
    let first = chunk << ColumnChunk.shift
    candidates.forEachSet { row in
      guard failure == nil else { return }
      do throws(Diagnostic) {
        if try holds(predicate, first + row) { result[row] = true }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return result
  }

  /// Asks the reference evaluator about one row; its error names the object.
  func holds(_ predicate: PredicateTree, _ row: Int) throws(Diagnostic) -> Bool {
    let object = snapshot.object(table: table, row: row)
    if context.cancel.isRequested { throw Diagnostic(EvaluationFacts.stopped) }
    do {
      return try predicate.evaluate(on: .object(ObjectReference(object)), in: context)
    } catch {
      var located = error
      located.facts = RowFailure(object: object.objectID, facts: error.facts)
      throw located
    }
  }
}
