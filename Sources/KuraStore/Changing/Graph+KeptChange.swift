import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraValues

extension Graph {
  /// Does what a record says, or throws `StrangeRecord` if it cannot have been made for this graph or leaves
  /// what no document can have; then the graph is of no use any more.
  ///
  /// Returns the first value that the record has found and the graph does not have: `Item/3.title`.
  mutating func admit(_ kept: KeptChange) throws(StrangeRecord) -> String? {
    guard fits(kept.nextNumbers) else { throw StrangeRecord() }
    let other = otherOldValue(in: kept.change)
    do throws(Diagnostic) { try admit(kept.change, checkingOld: true) } catch {
      throw StrangeRecord(reason: error.facts.sentence)
    }
    if let fault = formFault(after: kept.change) { throw StrangeRecord(reason: fault.sentence) }
    raiseNextNumbers(kept.nextNumbers)
    return other
  }

  /// By root entity, numbers that a document may have.
  private func fits(_ next: [String: Int64]) -> Bool {
    next.allSatisfy { root, number in
      tables.contains { $0.layout.root == root }
        && (1...ObjectID.greatestNumber + 1).contains(number)
    }
  }
}
