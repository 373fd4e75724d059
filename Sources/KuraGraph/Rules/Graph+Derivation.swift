import Foundation
import KuraBytes
package import KuraDiagnostics
import KuraModel
package import KuraPredicates
package import KuraValues

extension Graph {
  /// Returns the derived attributes of the objects that a change affects, recomputed.
  ///
  /// Attributes can be derived from derived attributes of the same object or others, so each round
  /// starts from the changes of the previous one. Throws if an expression cannot be evaluated, if
  /// its value is not of the attribute's type, or if values depend on each other without end.
  func derivation(
    after change: ChangeSet, in context: EvaluationContext
  ) throws(Diagnostic) -> ChangeSet {
    var room = DerivedTextBudget()
    return try derivation(of: layout.derivations, after: change, in: context, &room)
  }

  private func derivation(
    of derivations: [Derivation], after change: ChangeSet, in context: EvaluationContext,
    _ room: inout DerivedTextBudget
  ) throws(Diagnostic) -> ChangeSet {
    guard !derivations.isEmpty else { return ChangeSet() }
    var graph = self
    var steps: [ChangeSet] = []
    var last = change
    var changed: Set<ObjectID> = []
    while !last.isEmpty {
      guard !isCircle(steps.count, changed) else { throw last.endless(in: graph) }
      let touched = last.touched(in: graph, context.cancel)
      last = try graph.recomputed(touched, derivations, context, &room)
      try graph.admit(last, context.cancel)
      try context.checkCancel()
      steps.append(last)
      last.note(&changed, in: model)
    }
    return ChangeSet.net(of: steps, in: model, context.cancel)
  }

  /// Returns whether values depend on each other in a cycle. Each round's values depend on the
  /// previous round, so a chain with more rounds than changed values contains one twice.
  ///
  /// A cycle can converge before that.
  private func isCircle(_ rounds: Int, _ changed: Set<ObjectID>) -> Bool {
    let values = changed.count * layout.derivations.count
    guard rounds > values else { return false }
    let tables = Set(layout.derivations.compactMap { place(of: $0.entity)?.table })
    let objects = tables.reduce(0) { $0 + self.tables[$1].count }
    return rounds > max(values, min(objects, 10_000) * layout.derivations.count)
  }

  /// Returns all derived attributes of all objects, recomputed after a change of the model.
  func derivationOfAll(in context: EvaluationContext) throws(Diagnostic) -> ChangeSet {
    var room = DerivedTextBudget()
    return try derivationOfAll(layout.derivations, in: context, &room)
  }

  private func derivationOfAll(
    _ derivations: [Derivation], in context: EvaluationContext, _ room: inout DerivedTextBudget
  ) throws(Diagnostic) -> ChangeSet {
    let objects = Set(derivations.map(\.entity)).sorted().flatMap(objectIDs)
    guard !objects.isEmpty else { return ChangeSet() }
    let first = try recomputed(Set(objects), derivations, context, &room)
    if first.isEmpty { return first }
    var graph = self
    try graph.admit(first)
    let rest = try graph.derivation(of: derivations, after: first, in: context, &room)
    return rest.isEmpty ? first : ChangeSet.net(of: [first, rest], in: model)
  }

  /// Corrects derived values that differ from their rules because they were edited elsewhere, and returns the
  /// corrections. Values that derive at a save, and sums that differ only by rounding, are unchanged.
  package mutating func repairDerivedValues(in zone: ZoneRules) throws(Diagnostic) -> ChangeSet {
    let timeless = layout.derivations.filter { !$0.readsClock }
    let context = EvaluationContext(zone: zone, nilArithmeticIsNil: true)
    var room = DerivedTextBudget.ofOpening
    let change = try derivationOfAll(timeless, in: context, &room).mapping(
      { _, change in change.isOfRounding ? nil : change }, in: self)
    try admit(change)
    return change
  }

  /// Returns derived attributes with `now()`, the time of the save, recomputed for the objects that it writes.
  package func derivationAtSave(
    of change: ChangeSet, in context: EvaluationContext
  ) throws(Diagnostic) -> ChangeSet {
    let clocked = layout.derivations.filter(\.readsClock)
    if clocked.isEmpty { return ChangeSet() }
    var written: Set<ObjectID> = []
    for batch in change.inserted + change.updated {
      written.formUnion(batch.objectIDs(in: model))
    }
    var room = DerivedTextBudget()
    return try recomputed(written, clocked, context, &room)
  }

  private func recomputed(
    _ touched: Set<ObjectID>, _ derivations: [Derivation], _ context: EvaluationContext,
    _ room: inout DerivedTextBudget
  ) throws(Diagnostic) -> ChangeSet {
    let snapshot = GraphSnapshot(self)
    var editor = GraphEditor(self)
    editor.cancel = context.cancel
    let places = touched.compactMap { id in
      find(id).map { (id.entity, GraphPlace(table: $0.table, row: $0.row)) }
    }
    for derivation in derivations {
      // In the order of the objects, so that the first failure is deterministic.
      for place in concerned(by: places, derivation).sorted(by: { $0.row < $1.row }) {
        try context.checkCancel()
        let object = snapshot.object(table: place.table, row: place.row)
        let known = counted(derivation, place) ?? summary(derivation, place, context)
        let value = StoredCell(
          try derivation.value(known, of: object, context), as: derivation.attribute.type)
        do throws(EvaluationError) { try room.take(value) } catch {
          throw derivation.underivable(object, Diagnostic(error))
        }
        editor.store(value, derivation.attribute.name, place)
      }
    }
    let change = editor.change
    try context.checkCancel()
    return change
  }
}

/// The remaining bytes of text for the derived values of one change, over all rounds.
private struct DerivedTextBudget {
  private let limit: Int
  private var left: Int

  /// 1 GB, as for the texts of one update.
  init(_ limit: Int = 1 << 30) { (self.limit, left) = (limit, limit) }

  /// The limit when a store is opened, because its rules may be another user's: eight times the
  /// largest document with checked derived values.
  static let ofOpening = DerivedTextBudget(128 << 20)

  mutating func take(_ value: StoredCell) throws(EvaluationError) {
    guard case .text(let text) = value else { return }
    left -= text.utf8.count
    if left < 0 { throw .tooLarge(.bytes(limit)) }
  }
}

extension EvaluationContext {
  func checkCancel() throws(Diagnostic) {
    if cancel.isRequested { throw Diagnostic(EvaluationError.stopped) }
  }
}

extension KeyChange {
  /// Whether the two values differ only by rounding.
  fileprivate var isOfRounding: Bool {
    guard case (.double(let a)?, .double(let b)?) = (old, new) else { return false }
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))
  }
}

extension Derivation {
  /// Returns the value as one of the attribute's type, and evaluates the expression if the value is unknown.
  fileprivate func value(
    _ known: Value?, of object: GraphObject, _ context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    do {
      let value =
        try known ?? expression.evaluate(on: .object(ObjectReference(object)), in: context)
      if value.isNull || attribute.type.holds(value) { return value }
      if case .decimal(let number) = value, attribute.type.isNumeric {
        return try attribute.type.value(ofDigits: number.description)
      }
      return try attribute.type.value(of: Constant(value), in: context.zone)
    } catch {
      throw underivable(object, error)
    }
  }

  fileprivate func underivable(_ object: GraphObject, _ error: any Error) -> Diagnostic {
    let reason =
      switch error {
      case let error as Diagnostic: error.facts.sentence
      case let error as ValueMismatch: error.sentence
      default: ""
      }
    let id = object.objectID.map(\.description) ?? ""
    return Diagnostic(ChangeProblem.underivable(id, key: attribute.name, reason: reason))
  }
}

extension ChangeSet {
  /// Adds the updated objects to a set.
  fileprivate func note(_ objects: inout Set<ObjectID>, in model: Model) {
    for batch in updated { objects.formUnion(batch.objectIDs(in: model)) }
  }

  /// Returns the error for derived values that do not stop changing.
  fileprivate func endless(in graph: Graph) -> Diagnostic {
    let id = graph.id(updated[0].entity, updated[0].numbers[0])
    return Diagnostic(ChangeProblem.circularDerivation(id, key: updated[0].columns[0].key))
  }
}
