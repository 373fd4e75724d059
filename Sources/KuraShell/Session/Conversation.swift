import KuraBytes
import KuraDiagnostics
import KuraForeign
import KuraGraph
import KuraModel
import KuraScript
import KuraSentences

/// A source of lines that a user types.
package struct Conversation {
  /// The result of asking for a line.
  package enum Event: Sendable {
    case text(String)
    /// Control-C.
    case interrupted
    /// Control-D, or the terminal is gone.
    case end
    /// A signal requests the end of the program, with or without its terminal.
    case ended
    /// A line could not be read, for this reason.
    case failure(String)
  }

  /// Reads a line after a prompt.
  package var read: (LinePrompt) -> Event
  /// Whether Control-C was pressed after the line that was read last.
  package var isInterrupted: () -> Bool = { false }
  /// Called before the first line, with the help for editing.
  package var begin: (TypingAid) -> Void = { _ in }

  package init(read: @escaping (LinePrompt) -> Event) { self.read = read }
}

/// The texts that a user typed, and their results.
struct TypingState {
  /// Checks whether typed text is a complete statement.
  let completeness = CompletenessCheck()
  /// The text that was typed last.
  var last = ""
  /// The beginning of the next line.
  var draft = ""
  /// The last failed statement with its first fix; nil if there was no fix.
  var corrected: String?
  /// Typed texts that failed, which are not suggested again.
  var failed: Set<String> = []
  /// The words of other languages that a statement was run for, and that were explained.
  var explainedWords: Set<Respelling> = []
  /// Whether the user has never had a conversation before.
  var isFirstTime = false
}

extension Session {
  /// Returns whether Enter would run a text instead of opening a new line.
  package static func isComplete(_ text: String) -> Bool { CompletenessCheck().isComplete(text) }

  /// Returns the same check for an editor whose text grows: it remembers how far it has read.
  ///
  /// An empty line ends an incomplete text, so that an open bracket does not keep the user waiting;
  /// the session then reports what is missing.
  package static func completenessCheck() -> (String) -> Bool {
    let check = CompletenessCheck()
    return { $0.endsWithEmptyLine || check.isComplete($0) }
  }

  /// Returns whether a pasted line continues a text: a statement of SQL has lines up to its `;` or
  /// an empty line, and is answered as a whole.
  package static func continues(_ text: String, _ next: String) -> Bool {
    ForeignTranslator.isOneStatement(ofSQL: text, goingOnWith: next)
  }

  /// Runs a conversation until the user leaves.
  package func converse(_ conversation: Conversation) -> ExitStatus {
    let aid = TypingAid(self)
    conversation.begin(aid)
    defer { withExtendedLifetime(aid) {} }
    speaking { greet() }
    let status = talk(conversation)
    return speaking { end(status) }
  }

  private func greet() {
    report(Greeting.text(openedStore))
    if typing.isFirstTime { for line in Greeting.first { report(line) } }
    becomeCurrent()
    offerRecovered()
    runOpening()
  }

  private func end(_ status: ExitStatus) -> ExitStatus {
    try? transcript.end()
    do { try targets.close() } catch {
      fail(error)
      return status == .done ? .statementFailed : status
    }
    return status
  }

  private func talk(_ conversation: Conversation) -> ExitStatus {
    var text = ""
    while true {
      if let status = speaking({ takeTurn(conversation, &text) }) { return status }
    }
  }

  /// Reads a line and runs it; returns how the conversation ended, if it did.
  private func takeTurn(_ conversation: Conversation, _ text: inout String) -> ExitStatus? {
    do { try targets.flush() } catch { fail(error) }
    leaveEndedOutput()
    let event = conversation.read(takePrompt(isContinuation: !text.isEmpty))
    // Control-C at the prompt concerned the line. After the line, it concerns the statement, even if that has not begun.
    services.cancel.reset()
    if conversation.isInterrupted() { services.cancel.request() }
    if case .ended = event { return leaveFromOutside() }
    take(event, after: &text)
    if isLeaving, let status = leaveConversation() {
      closeStore()
      return status
    }
    isLeaving = false
    return nil
  }

  private func take(_ event: Conversation.Event, after text: inout String) {
    if case .end = event {} else { ending.questionMetEndOfInput = false }
    switch event {
    case .text(let line): take(line, after: &text)
    case .interrupted: text = ""
    case .failure(let message): report(message)
    case .end, .ended: isLeaving = true
    }
  }

  /// Runs the typed text once it is complete.
  private func take(_ line: String, after text: inout String) {
    text += text.isEmpty ? line : "\n" + line
    let isSetting = text.first { !$0.isWhitespace } == "."
    if !isSetting { typing.last = text }
    guard line.endsWithEmptyLine || typing.completeness.isComplete(text) else {
      if let expected = Completeness(text).expected { report(expected) }
      return
    }
    if Self.isComment(text) { transcript.prose(text) }
    if !isSetting { typing.corrected = nil }
    if run(text) { typing.failed.remove(text) } else { typing.failed.insert(text) }
    text = ""
  }

  private var openedStore: String {
    let graph = context.graph
    return Greeting.opened(
      storeName, entities: graph.model.entities.count,
      objects: graph.tables.reduce(0) { $0 + $1.liveCount })
  }

  /// The description of the open store for a user.
  var storeName: String {
    switch store.home {
    case .memory: localized("in memory")
    case .plain(.standardInput): localized("standard input")
    case .plain(.file(let path)), .file(let path): path
    case .plain(.files(let sources, _)) where sources.count < 3:
      sources.map { $0.paths.first ?? "-" }.conjunction
    case .plain(.files(let sources, _)):
      localized("\(sources[0].paths.first ?? "-") and \(sources.count - 1) other files")
    }
  }
}

/// The greeting of a session at a terminal: one line, and three more for a user without a history.
/// Each fits into
/// 80 columns.
enum Greeting {
  static var first: [String] {
    [
      localized(
        "Enter runs a statement, undo reverses it. Nothing is written until save."
      ),
      localized(
        ".help fetch explains a statement, ? CONTAINS any word; ヘルプ works too."
      ),
      localized("lesson 1 teaches predicates; 日本語なら .language ja のあとに lesson 1"),
    ]
  }

  static func text(_ opened: String) -> String {
    localized("Kura \(Version.current), \(opened). Type .help for help.")
  }

  /// Returns `todo.json: 3 entities, 120 objects`.
  static func opened(_ name: String, entities: Int, objects: Int) -> String {
    let counts = [
      counted(entities, "entity", "entities"), counted(objects, "object", "objects"),
    ]
    return localized("\(name): \(counts.list)")
  }
}

extension String {
  /// Whether its last line, which is not the first, is blank.
  fileprivate var endsWithEmptyLine: Bool {
    guard let newline = lastIndex(of: "\n") else { return false }
    return self[newline...].allSatisfy(\.isWhitespace)
      && self[..<newline].contains { !$0.isWhitespace }
  }
}
