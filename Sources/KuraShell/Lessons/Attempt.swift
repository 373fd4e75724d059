import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

/// Statements that may solve a task, and can be run on any graph.
struct Attempt {
  /// The statements, with the texts that contain them.
  private(set) var statements: [(statement: Statement, source: SourceText)] = []
  /// Statements that failed when they were typed, and therefore may fail elsewhere, too.
  private var mayFail: Set<Int> = []
  /// The reason why the text is not an attempt.
  private(set) var problem: Diagnostic?

  init(_ script: LessonScript) {
    self.init(Array(script.text.utf8), name: script.file, firstLine: script.firstLine)
  }

  init(_ bytes: [UInt8], name: String? = nil, firstLine: Int = 1) {
    var reader = StatementReader(name: name, firstLine: firstLine, joinsClauses: true)
    reader.feed(bytes)
    reader.finish()
    while problem == nil {
      switch reader.next() {
      case .statement(let statement, let source): statements.append((statement, source))
      case .failure(var diagnostic, let source):
        diagnostic.source = source
        problem = diagnostic
      case .needsMore, .end: return
      }
    }
  }

  init(
    _ statements: [(statement: Statement, source: SourceText)], mayFail: Set<Int> = []
  ) {
    self.statements = statements
    self.mayFail = mayFail
  }

  /// The error of an attempt without an outcome.
  struct Failed: Error {
    var diagnostic: Diagnostic
  }
}

/// The graph and the time limit of a trial.
struct TrialStore {
  var graph: Graph
  var zone: ZoneRules
  var now: Timestamp

  /// The time limit of a statement in a lesson.
  static let timeout = Duration.seconds(5)
}

extension Attempt {
  /// Runs the attempt in a context that is dropped. The outcome is the result of the last query, or
  /// the graph if graphs are compared or there was no query.
  func outcome(in trial: TrialStore, comparesStore: Bool) throws(Failed) -> Outcome {
    let (session, asked) = try run(in: trial)
    if let asked, !comparesStore { return asked }
    if let scratch = session.scratches.last {
      throw Failed(
        diagnostic: Diagnostic(ScratchProblem.endInScratch(name: scratch.name))
      )
    }
    return .graph(GraphContent(session.context.graph, since: trial.graph))
  }

  /// Returns the graph after the attempt.
  func graph(in trial: TrialStore) throws(Failed) -> Graph {
    try run(in: trial).session.context.graph
  }

  /// Runs the statements one after the other; calls `afterEach` with the session after each of them.
  func run(
    in trial: TrialStore, afterEach: (Int, Session, _ hasFailed: Bool) -> Void = { _, _, _ in }
  ) throws(Failed) -> (session: Session, asked: Outcome?) {
    if let problem { throw Failed(diagnostic: problem) }
    let now = trial.now
    let session = Session.quiet(
      on: trial.graph, zone: trial.zone, timeout: TrialStore.timeout, now: { now })
    var asked: Outcome?
    for (index, (statement, source)) in statements.enumerated() {
      do {
        asked = try Self.perform(statement, source, in: session) ?? asked
        afterEach(index, session, false)
      } catch {
        afterEach(index, session, true)
        if mayFail.contains(index) { continue }
        throw Failed(diagnostic: Self.diagnostic(error, source))
      }
    }
    return (session, asked)
  }

  private static func perform(
    _ statement: Statement, _ source: SourceText, in session: Session
  ) throws -> Outcome? {
    session.deadline.start(TrialStore.timeout)
    defer { session.deadline.stop() }
    let command = try statement.command
    if let command = command as? any QueryCommand {
      return try command.outcome(in: session, source)
    }
    if !(command is any LearningCommand) { try command.perform(in: session, source) }
    return nil
  }

  private static func diagnostic(_ error: any Error, _ source: SourceText) -> Diagnostic {
    var diagnostic =
      Failure(error).diagnostics.first ?? Diagnostic(UnexpectedProblem(sentence: "\(error)"))
    diagnostic.source = diagnostic.source ?? source
    return diagnostic
  }

  /// The constants that it compares with or assigns.
  var constants: [Constant] {
    nodes.expressions.compactMap {
      if case .constant(let constant) = $0.kind { constant } else { nil }
    }
  }

  /// The distinct keys in its predicates and expressions.
  var keys: [String] {
    nodes.expressions.reduce(into: []) { keys, tree in
      if case .keyPath(let path) = tree.kind, path.base == nil, let key = path.components.first,
        key.kind == .key, !keys.contains(key.name)
      {
        keys.append(key.name)
      }
    }
  }

  /// All nodes of the trees in the statements.
  var nodes: [TreeNode] { statements.flatMap { Self.nodes(of: $0.statement) } }

  /// Returns all nodes of the trees in a statement.
  static func nodes(of statement: Statement) -> [TreeNode] {
    statement.tree.typedParts.flatMap { part -> [TreeNode] in
      switch part {
      case .fetch(let fetch, _): fetch.nodes
      case .expressions(let trees): trees.map { .expression($0) }
      case .assignments(let assignments, let fetch, _):
        assignments.map { .expression($0.value) } + fetch.nodes
      }
    }.flatMap(\.allNodes)
  }

  /// The fetches in the statements.
  var fetches: [FetchTree] {
    statements.flatMap { statement, _ in
      statement.tree.typedParts.compactMap { part in
        switch part {
        case .fetch(let fetch, _), .assignments(_, let fetch, _): fetch
        case .expressions: nil
        }
      }
    }
  }
}

extension FetchTree {
  fileprivate var nodes: [TreeNode] {
    [predicate, having].compactMap(\.self).map { .predicate($0) }
      + (sort.map(\.expression) + (selection ?? []).map(\.expression) + grouping
      + [section, limit, offset].compactMap(\.self)).map { .expression($0) }
  }
}
