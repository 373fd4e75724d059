import KuraGraph
import KuraModel
import KuraScript

/// Where the lines of a person come from.
package struct Conversation {
  /// What came of asking for a line.
  package enum Event: Sendable {
    case text(String)
    /// Control-C.
    case interrupted
    /// Control-D, or a terminal that is gone.
    case end
    /// A line that could not be read, and why.
    case failure(String)
  }

  /// Reads a line, behind another prompt if a statement goes on.
  package var read: (_ isContinuation: Bool) -> Event

  package init(read: @escaping (_ isContinuation: Bool) -> Event) { self.read = read }
}

extension Session {
  /// Whether Enter would run a text, and not open a new line.
  package static func isComplete(_ text: String) -> Bool {
    if case .incomplete = Completeness(text) { false } else { true }
  }

  /// Talks with a person until they leave.
  package mutating func converse(_ conversation: Conversation) -> ExitStatus {
    defer { targets.close() }
    report(Greeting.text(openedStore))
    var text = ""
    while true {
      try? targets.standard.flush()
      switch conversation.read(!text.isEmpty) {
      case .text(let line): take(line, after: &text)
      case .interrupted: text = ""
      case .failure(let message): report(message)
      case .end: state.isLeaving = true
      }
      if state.isLeaving, let status = leaveConversation() { return status }
      state.isLeaving = false
    }
  }

  /// Runs what was typed, once it is complete.
  private mutating func take(_ line: String, after text: inout String) {
    text += text.isEmpty ? line : "\n" + line
    guard Session.isComplete(text) else { return }
    run(text)
    text = ""
  }

  private var openedStore: String {
    let graph = state.context.graph
    let name =
      switch state.store.home {
      case .memory: "in memory"
      case .plain(.standardInput): "standard input"
      case .plain(.file(let path)), .file(let path): path
      }
    return Greeting.opened(
      name, entities: graph.model.entities.count,
      objects: graph.tables.reduce(0) { $0 + $1.count })
  }
}
