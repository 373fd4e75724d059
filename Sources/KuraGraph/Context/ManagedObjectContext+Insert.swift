import KuraDiagnostics
import KuraPredicates
package import KuraValues

extension ManagedObjectContext {
  /// Inserts objects as one undo group and returns their identities; all or, with an error, none.
  package mutating func insert(_ objects: [NewObject]) throws -> [ObjectID] {
    try perform("insert", in: EvaluationContext(nilArithmeticIsNil: true)) { editor in
      try editor.insert(objects)
    }.result
  }
}
