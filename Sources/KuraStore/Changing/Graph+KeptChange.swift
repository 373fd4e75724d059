import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraValues

extension Graph {
  /// Does what a record says, or throws `StrangeRecord` if it cannot have been made for this graph or leaves
  /// what no document can have; then the graph is of no use any more.
  mutating func admit(_ kept: KeptChange) throws(StrangeRecord) {
    guard fits(kept.nextNumbers) else { throw StrangeRecord() }
    do throws(Diagnostic) { try admit(kept.change, checkingOld: true) } catch {
      throw StrangeRecord()
    }
    guard formFault(after: kept.change) == nil else { throw StrangeRecord() }
    raiseNextNumbers(kept.nextNumbers)
  }

  /// By root entity, numbers that a document may have.
  private func fits(_ next: [String: Int64]) -> Bool {
    next.allSatisfy { root, number in
      tables.contains { $0.layout.root == root }
        && (1...ObjectID.greatestNumber + 1).contains(number)
    }
  }
}
