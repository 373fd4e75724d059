import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences
import KuraValues

extension Session {
  /// Returns a session on a graph that it may change, without access to anything outside; `output`
  /// receives its output.
  static func quiet(
    on graph: Graph, zone: ZoneRules, timeout: Duration, width: Int? = nil,
    now: (() -> Timestamp)? = nil, output: @escaping (String) -> Void = { _ in }
  ) -> Session {
    var launch = Launch()
    launch.isSafe = true
    launch.zone = zone
    launch.timeout = timeout
    launch.language = .current
    var services = SystemServices.live(style: .plain).safe(for: launch)
    services.results = ResultStream(
      isTerminal: width != nil, write: { output(String(decoding: $0, as: UTF8.self)) })
    services.report = output
    services.terminalWidth = { width }
    services.readInput = { () throws(Failure) in nil }
    if let now { services.now = now }
    let session = Session(launch, in: services)
    session.context = ManagedObjectContext(graph)
    return session
  }
}
