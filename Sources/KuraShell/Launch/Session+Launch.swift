import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

extension Session {
  /// Opens or creates the store of a command line.
  ///
  /// Throws a `Failure` if that is not possible.
  package convenience init(_ launch: Launch, _ services: SystemServices) throws(Failure) {
    self.init(launch, in: launch.isSafe ? services.safe(for: launch) : services)
    // Not in the do block: `stop` also resets the cancel flag, which the catch block needs.
    defer { deadline.stop() }
    do {
      if let store = launch.store {
        try limitTime()
        try begin(with: store, creates: launch.creates)
      }
    } catch {
      throw services.cancel.isRequested ? Failure(reasonToStop) : Failure(error)
    }
  }

  private func begin(with source: StoreSource) throws {
    do {
      try open(source)
    } catch let problems as StoreProblems {
      if case .file(let path) = source, path.hasSuffix(".kura") {
        throw Failure(LaunchProblem.scriptWithoutOption(path), status: .wrongCommandLine)
      }
      if problems.isFileMissing, case .file(let path) = source,
        let facts = LaunchProblem.optionAsStore(path)
      {
        throw Failure([Diagnostic(facts)], status: .storeFailed)
      }
      guard problems.isFileMissing, case .file(let path) = source.first,
        let word = LaunchInput.wordBeginning(path)
      else { throw problems }
      throw Failure(
        [Diagnostic(LaunchProblem.statementAsStore(path, word: word))], status: .storeFailed)
    }
  }

  private func begin(with source: StoreSource, creates: Bool) throws {
    guard creates, case .file(let path) = source else { return try begin(with: source) }
    let zone = settings.chosenZone?.identifier ?? services.systemTimeZone()
    let empty = StoreContents(graph: Graph(), isStore: true, timeZoneID: zone)
    store = CurrentStore(empty, from: source)
    if launch.isDryRun { return }
    let keeper: StoreKeeper?
    do throws(StoreProblems) {
      keeper = try services.makeStore(
        empty, StoreTarget(path: path, replaces: false), keeping, services.lockWaiting)
    } catch {
      var failure = Failure.writing(error, over: LaunchProblem.createsOver(path: path))
      // There are no changes yet that another file could keep.
      for i in failure.diagnostics.indices where failure.diagnostics[i].facts is KeepingMessage {
        failure.diagnostics[i].facts = HintedProblem(facts: failure.diagnostics[i].facts, help: nil)
      }
      throw failure
    }
    guard let keeper else { throw Failure(LaunchProblem.createsNoFile(path: path)) }
    keep(keeper)
  }

  /// Runs the scripts and statements of a command line, then leaves.
  package func run(_ launch: Launch) -> ExitStatus {
    let inputs = launch.scripts.map(LaunchInput.script) + launch.statements.map(LaunchInput.text)
    runAll(inputs)
    let status = leaveScript()
    if launch.creates, status != .done, !store.hasSaved, !launch.isDryRun,
      case .file(let path)? = launch.store, path == store.path
    {
      speaking { report(localized("created: \(path), an empty store")) }
    }
    return status
  }

  /// Begins the lesson of the command line.
  func runOpening() {
    if let opening = launch.opening { run(opening.isEmpty ? nextLesson : opening) }
  }

  /// Runs the statements of standard input, then leaves.
  package func runPipe() -> ExitStatus {
    runOpening()
    var input = ScriptInput(name: "stdin", read: services.readInput)
    input.hasMore = services.inputHasMore
    run(input)
    return leaveScript()
  }

  /// Runs the user's settings file, if there is one.
  package func runInitFile(_ path: String) {
    do throws(Failure) {
      guard let bytes = try services.readSettingsFile(path) else { return }
      var script = ScriptInput(bytes, name: path)
      script.isWhole = true
      run(script)
      status = .done
    } catch {
      for var diagnostic in error.diagnostics {
        diagnostic.severity = .warning
        report(diagnostic)
      }
    }
  }

  private func runAll(_ inputs: [LaunchInput]) {
    if let problem = LaunchInput.problem(in: inputs) { return fail(problem) }
    for input in inputs {
      guard !isLeaving, status == .done || launch.continuesAfterErrors else { return }
      do throws(Failure) { run(try open(input)) } catch { fail(error) }
    }
  }

  private func open(_ input: LaunchInput) throws(Failure) -> ScriptInput {
    switch input {
    case .script(let path): return try services.openScript(path)
    case .text(let text):
      var script = ScriptInput(Array(text.utf8))
      script.isWhole = true
      return script
    }
  }
}

/// A script or text of a command line.
private enum LaunchInput {
  /// `-f report.kura`
  case script(String)
  /// `'count MemoDate'`
  case text(String)
}

extension LaunchInput {
  /// Returns a failure for a word that was meant as part of a statement, or a script without its
  /// option.
  static func problem(in inputs: [LaunchInput]) -> Failure? {
    for (place, input) in inputs.enumerated() {
      guard case .text(let text) = input, !text.contains(where: \.isWhitespace) else { continue }
      if text.hasSuffix(".kura") {
        return Failure(LaunchProblem.scriptWithoutOption(text), status: .wrongCommandLine)
      }
      if place < inputs.count - 1, wordBeginning(text) != nil, !Session.isComplete(text) {
        return Failure(LaunchProblem.unquotedStatement(text), status: .wrongCommandLine)
      }
    }
    return nil
  }

  /// Returns the word of a statement or setting with which a text begins; nil for any other text.
  static func wordBeginning(_ text: String) -> String? {
    let word = String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace && $0 != ";" })
    let isSetting = Setting.all.contains { "." + $0.name == word.lowercased() }
    return isSetting || StatementCatalog.syntax(beginning: word) != nil ? word : nil
  }
}
