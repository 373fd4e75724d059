import KuraDiagnostics
import KuraStore

/// Where a statement would reach past the store, which `--safe` refuses.
package enum Reach: Sendable, CaseIterable {
  /// `.read FILE`
  case reading
  /// `.open FILE`
  case opening
  /// `save "FILE"`
  case saving
  /// `.output FILE`, `.once FILE`
  case writing
  /// `.output | COMMAND`, `.once | COMMAND`
  case running
}

/// Why a person's own file is not trusted.
package enum OwnFileFault: Sendable {
  case isOthers, isWritable, isNoFile
}

extension Session {
  /// Throws under `--safe`.
  func checkSafe(_ reach: Reach, at span: SourceSpan?) throws(Failure) {
    if state.isSafe { throw Failure(ShellFacts.unsafe(reach), at: span) }
  }
}

extension Surroundings {
  /// The same with every door shut that leads past the store and the scripts of a command line: a
  /// statement that forgot to ask finds it so.
  func safe(for launch: Launch) -> Surroundings {
    let open = self
    var safe = self
    safe.openStore = { source, options, progress throws(StoreProblems) in
      guard source == launch.store else { throw StoreProblems(unsafe: .opening) }
      return try open.openStore(source, options, progress)
    }
    safe.makeStore = { store, target, options, waiting throws(StoreProblems) in
      guard launch.store == .file(target.path) else { throw StoreProblems(unsafe: .saving) }
      return try open.makeStore(store, target, options, waiting)
    }
    safe.openScript = { path throws(Failure) in
      guard launch.scripts.contains(path) else { throw Failure(ShellFacts.unsafe(.reading)) }
      return try open.openScript(path)
    }
    safe.readFile = { _ throws(Failure) in throw Failure(ShellFacts.unsafe(.reading)) }
    safe.readOwnFile = { _ throws(Failure) in throw Failure(ShellFacts.unsafe(.reading)) }
    safe.openOutput = { place throws(Failure) in throw Failure(ShellFacts.unsafe(place.reach)) }
    return safe
  }
}

extension OutputPlace {
  var reach: Reach {
    switch self {
    case .file: .writing
    case .command: .running
    }
  }
}

extension StoreProblems {
  fileprivate init(unsafe reach: Reach) { self.init([Diagnostic(ShellFacts.unsafe(reach))]) }
}
