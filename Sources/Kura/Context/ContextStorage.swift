import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Synchronization

/// The state of a context, which its objects read from any isolation.
///
/// Only the context changes it. The lock is never held while user code can run, for example during
/// a fetch.
final class ContextStorage: Sendable {

  struct State: Sendable {
    /// The graph with its changes; within `perform`, a scratch context.
    var current: GraphContext
    /// The enclosing contexts, outermost first.
    var around: [GraphContext] = []
    /// The identities that saves changed, one element per save that changed any.
    var renumberings: [Renumbering] = []
    /// The number of changes so far.
    var version = 0
    /// The store's time zone, for rules and derived values.
    let zone: ZoneRules
    /// The environment of requests and expressions.
    var environment: SharedPredicateEnvironment
    /// The Swift types that were checked against a model, and that model.
    var fitting: (types: Set<ObjectIdentifier>, model: Model)?
  }

  private let state: Mutex<State>
  /// The store that the objects belong to.
  let origin: StoreOrigin
  let listeners = ContextListeners()

  init(
    _ graph: Graph, zone: ZoneRules, _ environment: SharedPredicateEnvironment,
    of origin: StoreOrigin
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

  /// The graph in its current state. While a caller keeps it, the next change has to copy the
  /// chunks that it modifies.
  var snapshot: GraphSnapshot { read { $0.current.snapshot } }
  var context: GraphContext { read { $0.current } }
  var model: Model { read { $0.current.graph.model } }
  var zone: ZoneRules { read { $0.zone } }
  var environment: SharedPredicateEnvironment { read { $0.environment } }

  /// Returns a reader of a state of the graph, with the environment of this one.
  func reader(of snapshot: GraphSnapshot) -> GraphReader {
    GraphReader(snapshot: snapshot, sharedEnvironment: environment, origin: origin)
  }

  /// The number of saves that changed identities.
  var epoch: Int { read { $0.renumberings.count } }

  /// Whether a Swift type was already checked against the model.
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

  /// Returns the current identity of an object that had this identity at an earlier epoch.
  func present(_ id: ObjectID, since epoch: Int) -> ObjectID {
    read { $0.present(id, since: epoch) }
  }

  /// The environment of rules and derived values.
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
    state.withLock { $0.environment = SharedPredicateEnvironment(environment) }
  }

  /// Throws if called within `perform`.
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

  /// Performs edits as one undo group. If one of them fails, none is applied.
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

  /// Calls a closure with the outermost context. Observers watch that one even while a group is
  /// open.
  func withOutermost<Result: Sendable, Failed: Error>(
    _ body: (inout GraphContext) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try state.withLock { state throws(Failed) in
      state.around.isEmpty ? try body(&state.current) : try body(&state.around[0])
    }
  }
}
