import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Synchronization

/// The state of a context, where its objects read it from any isolation.
///
/// The context alone changes it. What user code can be part of, a fetch for one, is never done while
/// the state is locked.
final class ContextStorage: Sendable {
  typealias GraphContext = KuraGraph.ManagedObjectContext

  struct State: Sendable {
    /// The graph with its changes; within `perform` a scratch context.
    var current: GraphContext
    /// The contexts around it, the outermost first.
    var around: [GraphContext] = []
    /// Other numbers that objects got at a save, one element a save.
    var renumberings: [Renumbering] = []
    /// How often it was changed.
    var version = 0
    /// The store's own: rules and derived values go by it.
    let zone: ZoneRules
    /// What requests and expressions go by.
    var environment: SharedSurroundings
    /// The types of Swift that fit a model, and that model.
    var fitting: (types: Set<ObjectIdentifier>, model: Model)?
  }

  private let state: Mutex<State>
  /// The store that its objects are of.
  let origin: StoreOrigin
  let listeners = ContextListeners()

  init(
    _ graph: Graph, zone: ZoneRules, _ environment: SharedSurroundings, of origin: StoreOrigin
  ) {
    self.origin = origin
    state = Mutex(State(current: GraphContext(graph), zone: zone, environment: environment))
  }
}

// Reading
extension ContextStorage {
  func read<Result: Sendable, Failed: Error>(
    _ body: (borrowing State) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try state.withLock { state throws(Failed) in try body(state) }
  }

  /// The graph as it is now. Who keeps it lets the next change copy the chunks that it changes.
  var snapshot: GraphSnapshot { read { $0.current.snapshot } }
  var context: GraphContext { read { $0.current } }
  var model: Model { read { $0.current.graph.model } }
  var zone: ZoneRules { read { $0.zone } }
  var environment: SharedSurroundings { read { $0.environment } }
  /// How many saves have given objects other numbers.
  var epoch: Int { read { $0.renumberings.count } }

  /// Whether a type of Swift is known to fit the model.
  func knows(_ type: any Storable.Type) -> Bool {
    read { state in
      guard let (types, model) = state.fitting else { return false }
      return types.contains(ObjectIdentifier(type))
        && model.sharesEntities(with: state.current.graph.model)
    }
  }

  func note(_ type: any Storable.Type) {
    state.withLock { state in
      let model = state.current.graph.model
      let isSame = state.fitting?.model.sharesEntities(with: model) == true
      state.fitting = (
        (isSame ? state.fitting?.types ?? [] : []).union([ObjectIdentifier(type)]), model
      )
    }
  }

  /// The identity that an object has now which had another one at an earlier time.
  func present(_ id: ObjectID, since epoch: Int) -> ObjectID {
    read { $0.present(id, since: epoch) }
  }

  /// What rules and computed values are told.
  var evaluation: EvaluationContext {
    EvaluationContext(zone: zone, nilArithmeticIsNil: true, cancel: CancelFlag())
  }
}

extension ContextStorage.State {
  func present(_ id: ObjectID, since epoch: Int) -> ObjectID {
    renumberings.dropFirst(epoch).reduce(id) { $1($0) }
  }
}

// Changing
extension ContextStorage {
  func setEnvironment(_ environment: PredicateEnvironment) {
    state.withLock { $0.environment = SharedSurroundings(environment) }
  }

  /// Throws within `perform`.
  func checkNoGroup() throws(StoreError) {
    if read({ !$0.around.isEmpty }) { throw .performing }
  }

  func change<Result: Sendable, Failed: Error>(
    _ body: (inout State) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try state.withLock { state throws(Failed) in
      state.version += 1
      return try body(&state)
    }
  }

  /// Does edits as one undo group: all of them or, with an error, none.
  func edit<Result: Sendable>(
    _ name: String, accept: (@Sendable (Graph, ChangeSet) throws -> Void)?,
    _ body: (inout GraphEditor) throws -> Result
  ) throws -> Result {
    let evaluation = evaluation
    do {
      return try change { state in
        try state.current.perform(name, in: evaluation, accept: accept, body).result
      }
    } catch let problem as Diagnostic { throw problem.forPrograms }
  }

  /// Does something with the context that is there when no group is open: who watches, watches that.
  func withOutermost<Result: Sendable, Failed: Error>(
    _ body: (inout GraphContext) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try state.withLock { state throws(Failed) in
      state.around.isEmpty ? try body(&state.current) : try body(&state.around[0])
    }
  }
}
