import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences
import KuraValues

extension Session {
  /// Returns a session without access to anything outside, on a graph that it may change; `heard`
  /// gets its output.
  static func quiet(
    on graph: Graph, zone: ZoneRules, timeout: Duration, width: Int? = nil,
    now: (() -> Timestamp)? = nil, heard: @escaping (String) -> Void = { _ in }
  ) -> Session {
    var launch = Launch()
    launch.isSafe = true
    launch.zone = zone
    launch.timeout = timeout
    launch.language = .current
    var surroundings = Surroundings.live(style: .plain).safe(for: launch)
    surroundings.results = ResultStream(
      isTerminal: width != nil, write: { heard(String(decoding: $0, as: UTF8.self)) })
    surroundings.report = heard
    surroundings.terminalWidth = { width }
    surroundings.readInput = { () throws(Failure) in nil }
    if let now { surroundings.now = now }
    let session = Session(launch, in: surroundings)
    session.context = ManagedObjectContext(graph)
    return session
  }
}
