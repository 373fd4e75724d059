import KuraDiagnostics
import KuraSentences
import KuraStore

/// Access to something outside the store, which `--safe` refuses.
enum ExternalAccess: CaseIterable {
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

extension ExternalAccess: DiagnosticFacts {
  var sentence: String {
    switch self {
    case .reading: localized("--safe does not allow reading other files")
    case .opening: localized("--safe does not allow opening other stores")
    case .saving: localized("--safe allows saving only to this store")
    case .writing: localized("--safe allows results only on standard output")
    case .running: localized("--safe does not allow running commands")
    }
  }

  var help: String? { localized("if you trust the script, run it without --safe") }
}

extension Session {
  /// Throws under `--safe`.
  func checkSafe(_ reach: ExternalAccess, at span: SourceSpan?) throws(Failure) {
    if launch.isSafe { throw Failure(reach, at: span) }
  }
}

/// The reasons why the files of a store must not be changed.
enum ProtectedFilesProblem: DiagnosticFacts {
  /// `.history forget` under `--read-only`
  case readOnly
  /// `.recover drop` in a dry run
  case dryRun

  var sentence: String {
    switch self {
    case .readOnly: localized("with --read-only, the store and its files cannot be changed")
    case .dryRun: localized("a dry run does not write or remove files")
    }
  }

  var help: String? {
    switch self {
    case .readOnly: localized("open it without --read-only")
    case .dryRun: nil
    }
  }
}

extension Session {
  /// Throws if the files of the store must not be changed: under `--read-only`, and in a dry run.
  func checkMayChangeFiles(at span: SourceSpan?) throws(Failure) {
    if store.isReadOnly { throw Failure(ProtectedFilesProblem.readOnly, at: span) }
    if launch.isDryRun { throw Failure(ProtectedFilesProblem.dryRun, at: span) }
  }
}

extension SystemServices {
  /// Returns surroundings without any access outside the store and the scripts of the command line,
  /// in case a statement does not check for `--safe`.
  func safe(for launch: Launch) -> SystemServices {
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
      guard launch.scripts.contains(path) else { throw Failure(ExternalAccess.reading) }
      return try open.openScript(path)
    }
    safe.readFile = { _ throws(Failure) in throw Failure(ExternalAccess.reading) }
    safe.readSettingsFile = { _ throws(Failure) in throw Failure(ExternalAccess.reading) }
    safe.listFiles = { _ in [] }
    safe.edit = { _ throws(Failure) in throw Failure(ExternalAccess.running) }
    safe.recoveryFiles = nil
    safe.cache?.writes = false
    safe.progressFile = nil
    safe.replaceFile = { _, _ throws(Failure) in throw Failure(ExternalAccess.writing) }
    safe.openOutput = { place throws(Failure) in throw Failure(place.reach) }
    return safe
  }
}

extension OutputPlace {
  var reach: ExternalAccess {
    switch self {
    case .file: .writing
    case .command, .commandOnce, .pager: .running
    }
  }
}

extension StoreProblems {
  fileprivate init(unsafe reach: ExternalAccess) { self.init([Diagnostic(reach)]) }
}
