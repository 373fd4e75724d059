import KuraChecking
import KuraDiagnostics
import KuraScript
import KuraSentences

/// A statement that a session can perform; each kind is in the file of its
/// subject in Commands.
protocol Command: StatementTree {
  /// The lasting effect of the statement.
  var effect: Effect { get }
  /// Whether it counts for `.timer` and `.once`.
  var isTimed: Bool { get }
  /// Whether `.timeout` ends it.
  var isLimited: Bool { get }
  /// Whether its report may be joined with the reports of similar statements.
  var joinsReports: Bool { get }
  /// The variable that it sets.
  var givenVariable: String? { get }
  /// The statement's transition between steps or contexts, such as undo or commit; nil for other statements.
  var turn: ChangeTransition? { get }
  /// The objects that it deletes or changes, if it has a target; nil for every other statement.
  var changed: ChangedObjects? { get }
  /// Returns problems other than the problems of its fetches and expressions, as far as the model
  /// shows them.
  func problems(in context: CheckContext) -> [Diagnostic]
  /// Performs the statement; `source` is the text of its spans.
  func perform(in session: Session, _ source: SourceText) throws
}

extension Command {
  /// By default a statement may change everything.
  var effect: Effect { .changes }
  var isTimed: Bool { true }
  var isLimited: Bool { true }
  var joinsReports: Bool { false }
  var givenVariable: String? { nil }
  var turn: ChangeTransition? { nil }
  var changed: ChangedObjects? { nil }

  func problems(in context: CheckContext) -> [Diagnostic] { [] }
}

/// A statement's transition between steps or contexts.
enum ChangeTransition: Sendable {
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

/// The lasting effect of a statement.
enum Effect: Sendable {
  /// Nothing but results and `_`: `fetch`, `print`, `.help`
  case reads
  /// A change of the session: `let`, `.mode`
  case sets
  /// A change of objects, the model, the store, or something outside: `insert`, `save`, `.read`
  case changes
}

extension Statement {
  /// The statement as a command; a test checks that every statement is one.
  var command: any Command {
    get throws(Failure) {
      if let command = tree as? any Command { return command }
      throw Failure(
        UnexpectedProblem(sentence: localized("no command handles \(type(of: tree))")))
    }
  }
}
