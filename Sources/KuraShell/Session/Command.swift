import KuraChecking
import KuraDiagnostics
import KuraScript
import KuraSentences

/// A statement that a session can perform; each kind is done in its own file of Commands.
protocol Command: StatementTree {
  /// What it leaves behind.
  var effect: Effect { get }
  /// Whether `.timer` and `.once` count it.
  var isTimed: Bool { get }
  /// Whether `.timeout` ends it.
  var isLimited: Bool { get }
  /// Whether what others like it have changed may be told together with what it has.
  var tellsTogether: Bool { get }
  /// The variable that has a value behind it.
  var givenVariable: String? { get }
  /// How it moves between the steps and contexts of changes; nil if it does not.
  var turn: ChangeTurn? { get }
  /// The objects that it deletes or changes, if a target says which; nil of every other statement.
  var changed: ChangedObjects? { get }
  /// What is wrong with it beside its fetches and expressions, as far as the model alone says.
  func problems(in context: CheckContext) -> [Diagnostic]
  /// Does it; `source` is the text that its places lie in.
  func perform(in session: Session, _ source: SourceText) throws
}

extension Command {
  /// What says nothing of itself may change everything.
  var effect: Effect { .changes }
  var isTimed: Bool { true }
  var isLimited: Bool { true }
  var tellsTogether: Bool { false }
  var givenVariable: String? { nil }
  var turn: ChangeTurn? { nil }
  var changed: ChangedObjects? { nil }

  func problems(in context: CheckContext) -> [Diagnostic] { [] }
}

/// How a statement moves between the steps and contexts of changes.
enum ChangeTurn: Sendable {
  /// `begin`
  case begins
  /// `commit`
  case commits
  /// `cancel`
  case cancels
  /// `undo`, `redo`, `rollback`
  case moves
}

/// The objects of an `update` or `delete`.
enum ChangedObjects: Sendable {
  case updated(ChangeTarget)
  case deleted(ChangeTarget)
}

/// What a statement leaves behind.
enum Effect: Sendable {
  /// Nothing but results: `fetch`, `print`, `.help`; and `_`
  case asks
  /// Something in the session: `let`, `.mode`
  case sets
  /// Objects, the model, the store, or something outside: `insert`, `save`, `.read`
  case changes
}

extension Statement {
  /// What does it; a test holds that every statement of the language is one.
  var command: any Command {
    get throws(Failure) {
      if let command = tree as? any Command { return command }
      throw Failure(
        UnexpectedFacts(sentence: localized("no command is there for \(type(of: tree))")))
    }
  }
}
