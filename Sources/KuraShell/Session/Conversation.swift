import KuraBytes
import KuraForeign
import KuraGraph
import KuraModel
import KuraScript
import KuraSentences

/// Where the lines of a person come from.
package struct Conversation {
  /// What came of asking for a line.
  package enum Event: Sendable {
    case text(String)
    /// Control-C.
    case interrupted
    /// Control-D, or a terminal that is gone.
    case end
    /// A signal asks the program to end, with its terminal or without.
    case ended
    /// A line that could not be read, and why.
    case failure(String)
  }

  /// Reads a line behind a prompt.
  package var read: (LinePrompt) -> Event
  /// Is told, before the first line, who knows what a text that is being typed means.
  package var begin: (TypingAid) -> Void = { _ in }

  package init(read: @escaping (LinePrompt) -> Event) { self.read = read }
}

extension Session {
  /// Whether Enter would run a text, and not open a new line.
  package static func isComplete(_ text: String) -> Bool { CompletenessCheck().isComplete(text) }

  /// The same for an editor, which asks of a text that grows: it remembers how far it came.
  ///
  /// A line without a word ends what nothing else does, so that nobody is kept waiting by a bracket
  /// that was left open: what is missing is said then.
  package static func completenessCheck() -> (String) -> Bool {
    let check = CompletenessCheck()
    return { $0.endsWithEmptyLine || check.isComplete($0) }
  }

  /// Whether a line that was pasted behind a text belongs to it: a statement of SQL stands in lines up
  /// to its `;` or an empty one, and is answered as a whole.
  package static func goesOn(_ text: String, _ next: String) -> Bool {
    ForeignTranslator.isOneStatement(ofSQL: text, goingOnWith: next)
  }

  /// Talks with a person until they leave.
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
    if isFirstTime { for line in Greeting.first { report(line) } }
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

  /// Reads a line and runs it; how the conversation ended, if it did.
  private func takeTurn(_ conversation: Conversation, _ text: inout String) -> ExitStatus? {
    do { try targets.flush() } catch { fail(error) }
    leaveEndedOutput()
    let event = conversation.read(takePrompt(isContinuation: !text.isEmpty))
    // Control-C at the prompt was about the line, and not about what comes now.
    surroundings.cancel.reset()
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
    if case .end = event {} else { gotNoAnswer = false }
    switch event {
    case .text(let line): take(line, after: &text)
    case .interrupted: text = ""
    case .failure(let message): report(message)
    case .end, .ended: isLeaving = true
    }
  }

  /// Runs what was typed, once it is complete.
  private func take(_ line: String, after text: inout String) {
    text += text.isEmpty ? line : "\n" + line
    let isSetting = text.first { !$0.isWhitespace } == "."
    if !isSetting { lastTyped = text }
    guard line.endsWithEmptyLine || completeness.isComplete(text) else {
      if let expected = Completeness(text).expected { report(expected) }
      return
    }
    if Self.isComment(text) { transcript.prose(text) }
    if !isSetting { mended = nil }
    if run(text) { failedTexts.remove(text) } else { failedTexts.insert(text) }
    text = ""
  }

  private var openedStore: String {
    let graph = context.graph
    return Greeting.opened(
      storeName, entities: graph.model.entities.count,
      objects: graph.tables.reduce(0) { $0 + $1.liveCount })
  }
}

extension Session {
  /// What is open, as a person is told.
  var storeName: String {
    switch store.home {
    case .memory: localized("in memory")
    case .plain(.standardInput): localized("standard input")
    case .plain(.file(let path)), .file(let path): path
    }
  }
}

/// The line with which a session at a terminal begins, and three more for who has no history yet: each
/// is one in a window of 80 columns.
enum Greeting {
  static var first: [String] {
    [
      localized(
        "Enter runs a statement, undo takes it back; nothing is written before save."
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

  /// `todo.json: 3 entities, 120 objects`
  static func opened(_ name: String, entities: Int, objects: Int) -> String {
    let counts = [
      counted(entities, "entity", "entities"), counted(objects, "object", "objects"),
    ]
    return localized("\(name): \(counts.list)")
  }
}

extension String {
  /// Whether its last line, which is not its first, has nothing but blanks.
  fileprivate var endsWithEmptyLine: Bool {
    guard let newline = lastIndex(of: "\n") else { return false }
    return self[newline...].allSatisfy(\.isWhitespace)
      && self[..<newline].contains { !$0.isWhitespace }
  }
}
