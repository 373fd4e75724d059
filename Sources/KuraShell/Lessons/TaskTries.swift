import KuraDiagnostics
import KuraLessons
import KuraPredicates
import KuraScript

/// A statement that is being tried: alone and, if the answer of the task has several steps, with
/// the steps before it.
typealias Try = [Attempt]

/// The statements since a task began. A try takes only the statements that belong to it.
///
/// These are the statements that define the names in it: `let` for `$word`, a fetch for `_`,
/// `request` for the name after `run`; for `commit` and `cancel` also the changes in their context.
/// Every other statement was another try or an exploration, and does not count.
struct TaskTries {
  private struct Done {
    var statement: Statement
    var source: SourceText
    /// The statements that define the names in it.
    var uses: [Int]
    var hasFailed: Bool
  }

  /// The changes in a context, each with the number of steps that can be undone after it.
  fileprivate struct Context {
    var begin: Int?
    var inEffect: [(index: Int, height: Int)] = []
    var undone: [(index: Int, height: Int)] = []
  }

  private let task: LessonTask
  private var done: [Done] = []
  private var named: [String: Int] = [:]
  private var contexts = [Context()]

  init(_ task: LessonTask) { self.task = task }
}

extension TaskTries {
  /// Records a statement; returns the try that it makes, if it could be the answer.
  ///
  /// - Parameter undoable: The number of steps that can be undone after it.
  mutating func take(
    _ statement: Statement, _ source: SourceText, undoable: Int, hasFailed: Bool = false
  ) -> Try? {
    guard let command = try? statement.command, !(command is any LearningCommand),
      !(statement.tree is SettingStatement)
    else { return nil }
    let changes = command.effect == .changes
    let index = note(statement, source, hasFailed)
    let own = changes ? change(index, undoable) : [index]
    guard couldBeAnswer(statement, changes) else { return nil }
    guard task.grading.comparesStore else { return [attempt([index])] }
    return contexts.count > 1 ? nil : changeTry(own)
  }

  private mutating func note(
    _ statement: Statement, _ source: SourceText, _ hasFailed: Bool
  ) -> Int {
    let names = statement.usedNames(in: source)
    let uses = names.compactMap { named[$0] }
    done.append(
      Done(statement: statement, source: source, uses: uses, hasFailed: hasFailed))
    if !hasFailed, let name = statement.givenName { named[name] = done.count - 1 }
    return done.count - 1
  }

  private func couldBeAnswer(_ statement: Statement, _ changes: Bool) -> Bool {
    if task.grading.comparesStore { return changes }
    let answer = task.answers.first.map { Attempt($0) }?.statements.last?.statement
    switch (answer?.tree, statement.tree) {
    case (let wanted as FetchTree, let tried as FetchTree):
      guard (wanted.result == .objects) == (tried.result == .objects) else { return false }
      return tried.source.couldBe(wanted.source)
    case (is FetchTree, _): return statement.tree is any QueryCommand && !changes
    case (_, is any QueryCommand): return true
    default: return false
    }
  }
}

// Changes
extension TaskTries {
  /// Records a change; returns its statements, with the statements of the context that it ends.
  private mutating func change(_ index: Int, _ undoable: Int) -> [Int] {
    let last = contexts.count - 1
    switch done[index].statement.turn {
    case _ where done[index].hasFailed:
      if last > 0 { contexts[last].inEffect.append((index, undoable)) }
    case .begins: contexts.append(Context(begin: index))
    case .commits, .cancels: return endContext(at: index, undoable)
    case .moves:
      contexts[last].turn(to: undoable)
      return contexts[last].inEffect.last.map { [$0.index] } ?? []
    case nil: contexts[last].add(index, undoable)
    }
    return [index]
  }

  private mutating func endContext(at index: Int, _ undoable: Int) -> [Int] {
    guard contexts.count > 1, let ended = contexts.popLast() else { return [index] }
    let statements = [ended.begin].compactMap(\.self) + ended.inEffect.map(\.index) + [index]
    if done[index].statement.turn == .commits {
      done[index].uses += statements.dropLast()
      contexts[contexts.count - 1].add(index, undoable)
    }
    return statements
  }

  private func changeTry(_ own: [Int]) -> Try {
    let earlier = contexts[0].inEffect.map(\.index).filter { !own.contains($0) }
    let counts = (0..<max(1, answerSteps)).filter { $0 <= earlier.count }
    return counts.map { attempt(earlier.suffix($0) + own) }
  }

  /// The number of steps of the longest answer in the outermost context.
  private var answerSteps: Int {
    task.answers.map { Attempt($0).stepCount }.max() ?? 1
  }
}

extension TaskTries.Context {
  /// Adds a change, after which nothing can be redone.
  fileprivate mutating func add(_ index: Int, _ undoable: Int) {
    if undoable > inEffect.last?.height ?? 0 { undone = [] }
    inEffect.append((index, undoable))
  }

  /// Adapts to the number of steps that can be undone now.
  fileprivate mutating func turn(to undoable: Int) {
    while let last = inEffect.last, last.height > undoable { undone.append(inEffect.removeLast()) }
    while let next = undone.last, next.height <= undoable { inEffect.append(undone.removeLast()) }
  }
}

// The statements that a statement depends on
extension TaskTries {
  private func attempt(_ statements: [Int]) -> Attempt {
    var wanted = statements
    var found: Set<Int> = []
    while let index = wanted.popLast() {
      if found.insert(index).inserted { wanted += done[index].uses }
    }
    let parts = found.sorted().map { done[$0] }
    return Attempt(
      parts.map { ($0.statement, $0.source) },
      mayFail: Set(parts.indices.dropLast().filter { parts[$0].hasFailed }))
  }
}

extension Statement {
  /// Returns the variables in it, `_`, and the words that may be names of requests.
  fileprivate func usedNames(in source: SourceText) -> Set<String> {
    var names: [String] = []
    var cursor = TokenCursor(
      Lexer(source.bytes, from: span.start, to: span.end, base: 0, mode: .statement))
    while cursor.token.end == nil {
      let token = cursor.take()
      if token.kind == .word || token.kind == .variable { names.append(cursor.text(token)) }
    }
    // The name that a statement defines comes first.
    if !(tree is FetchTree), let place = givenName.flatMap(names.firstIndex) {
      names.remove(at: place)
    }
    return Set(names)
  }

  /// The name that the statement defines: `$word`, `_`, `Overdue`
  fileprivate var givenName: String? {
    switch tree {
    case let tree as RequestStatement: tree.name.text
    case let tree as FetchTree: tree.result == .objects ? "_" : nil
    default: (try? command)?.givenVariable.map { "$" + $0 }
    }
  }

  fileprivate var turn: ChangeTransition? { (try? command)?.turn }
}

extension FetchSource {
  /// Returns whether both sources may have the same objects: two differently named entities may
  /// not.
  func couldBe(_ other: FetchSource) -> Bool {
    if case .entity(let name) = kind, case .entity(let wanted) = other.kind {
      return name == wanted
    }
    return true
  }
}

extension Attempt {
  /// The number of steps in the outermost context: a committed context is one step.
  fileprivate var stepCount: Int {
    var (depth, count) = (0, 0)
    for (statement, _) in statements {
      switch statement.turn {
      case .begins: depth += 1
      case .commits, .cancels:
        depth -= 1
        if depth == 0 { count += 1 }
      case .moves, nil: if depth == 0, (try? statement.command.effect) == .changes { count += 1 }
      }
    }
    return count
  }
}
