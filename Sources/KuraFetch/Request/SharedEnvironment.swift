/// What a statement knows, behind one reference: who binds, plans and runs it copies none of it.
final class SharedEnvironment: Sendable {
  let environment: FetchEnvironment

  init(_ environment: FetchEnvironment) { self.environment = environment }
}
