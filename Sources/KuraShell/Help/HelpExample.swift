import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// An example that is run when it is shown: on the open store, in a discarded context, or on a
/// small store.
struct HelpExample {
  typealias Composed = @Sendable (ExampleWords) -> String?

  let session: Session
  private let width: Int?

  init(_ session: Session) {
    self.session = session
    width = session.targets.isStandard ? session.services.terminalWidth() : nil
  }

  /// Returns the statements as they are typed, with their output; empty if none applies.
  func text(_ compose: Composed) -> String {
    if let own = text(compose, on: session.context.graph, session.zone) {
      return localized("\n  Example on this store (really run, then rolled back):\n\(own)")
    }
    guard let sample = text(compose, on: HelpExample.sample, .utc) else { return "" }
    return localized("\n  Example on a small store:\n\(sample)")
  }

  private func text(_ compose: Composed, on graph: Graph, _ zone: ZoneRules) -> String? {
    for words in ExampleWords.all(in: graph, zone) {
      guard let statements = compose(words) else { continue }
      let trial = IsolatedSession(graph, zone, width.map { $0 - 2 })
      return trial.text(statements)
    }
    return nil
  }

  private static let sample: Graph = {
    let trial = IsolatedSession(Graph(), .utc, nil)
    trial.session?.run(Graph.exampleStore)
    return trial.session?.context.graph ?? Graph()
  }()
}

/// A quiet session without access to anything outside, on a graph that it may change.
private final class IsolatedSession {
  private(set) var session: Session?
  private var said = ""
  /// The number of lines of an answer that are shown.
  private static let mostLines = 14

  init(_ graph: Graph, _ zone: ZoneRules, _ width: Int?) {
    session = Session.quiet(
      on: graph, zone: zone, timeout: .seconds(1), width: width,
      output: { [unowned self] in said += $0 })
  }

  /// Returns each statement after a prompt, with its output; nil if one fails.
  func text(_ statements: String) -> String? {
    guard let session else { return nil }
    var text = ""
    for statement in statements.split(separator: "\n") {
      said = ""
      guard session.run(String(statement)), (try? session.targets.flush()) != nil else {
        return nil
      }
      text += "  kura> \(statement)\n" + Self.shown(said)
    }
    return text
  }

  private static func shown(_ said: String) -> String {
    let lines = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let rest = lines.count > mostLines ? ["…"] : []
    return (lines.prefix(mostLines).map(String.init) + rest).map { $0.isEmpty ? "\n" : "  \($0)\n" }
      .joined()
  }
}
