import KuraChecking
import KuraModel

/// What a statement knows, behind one reference: who checks, plans and runs it copies none of it.
final class SharedEnvironment: Sendable {
  let environment: FetchEnvironment
  /// The same for the check, which knows no data.
  let checking: CheckContext

  init(_ environment: FetchEnvironment, _ model: Model) {
    self.environment = environment
    checking = CheckContext(
      model, evaluation: environment.evaluation, entities: environment.entities,
      lastEntity: environment.lastFetch?.entity, source: environment.source)
  }
}
