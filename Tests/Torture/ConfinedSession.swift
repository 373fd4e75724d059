import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraRendering
import KuraShell
import KuraStore
import KuraValues

/// A session in this process, which can only access the files of its ground.
final class ConfinedSession {
  /// The result of a text.
  struct Outcome {
    var succeeded: Bool
    var output: String
    var reports: String
  }

  private let ground: TrialFolder
  private var session: Session?
  private var output: [UInt8] = []
  private var reports = ""
  private let cancel = CancelFlag()
  /// The time limit of a statement on a few objects.
  private static let patience = 30.0

  /// Opens a file of the ground, or begins in memory.
  init(_ ground: TrialFolder, store: String? = nil, isReadOnly: Bool = false) throws {
    self.ground = ground
    var launch = Launch()
    launch.store = store.map { .file(ground.file($0)) }
    launch.isReadOnly = isReadOnly
    session = try Session(launch, services)
  }

  var model: Model { session?.context.graph.model ?? Model() }

  /// Shows dates as another room does.
  func keepTime(of other: ConfinedSession) { session?.settings.chosenZone = other.session?.zone }

  /// Runs statements; if they take too long they are ended, which is a finding.
  @discardableResult
  func run(_ text: String, as format: String? = nil) throws -> Outcome {
    (output, reports) = ([], "")
    let before = session?.settings.format
    if let format, let format = OutputFormat.named(format) { session?.settings.format = format }
    let succeeded = try inTime(text) { session?.run(text + "\n\n") ?? false }
    session?.isLeaving = false
    if format != nil, let before { session?.settings.format = before }
    return Outcome(
      succeeded: succeeded, output: String(decoding: output, as: UTF8.self), reports: reports)
  }

  private func inTime(_ text: String, _ body: () -> Bool) throws -> Bool {
    cancel.reset()
    let watch = DispatchWorkItem { [cancel] in cancel.request() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: watch)
    defer { watch.cancel() }
    let succeeded = body()
    try hold(!cancel.isRequested, "this took more than \(Self.patience) s: \(text)")
    return succeeded
  }
}

extension ConfinedSession {
  private var services: SystemServices {
    var result = SystemServices.live(style: .plain)
    result.results = ResultStream(write: { [unowned self] in output.append(contentsOf: $0) })
    result.report = { [unowned self] in reports += $0 }
    result.readInput = { () throws(Failure) in nil }
    result.readFile = { (_) throws(Failure) in Array("count X\n".utf8) }
    result.openOutput = { (_) throws(Failure) in ResultStream(write: { _ in }) }
    result.cancel = cancel
    result.now = { Timestamp(microseconds: 1_700_000_000_000_000) }
    result.systemTimeZone = { "Asia/Tokyo" }
    result.systemLocale = { Locale(identifier: "en_US_POSIX") }
    let (open, make, folder) = (result.openStore, result.makeStore, ground.path)
    result.openStore = { source, options, progress throws(StoreProblems) in
      guard case .file(let path) = source, path.hasPrefix(folder) else { throw StoreProblems([]) }
      return try open(source, options, progress)
    }
    result.makeStore = { store, target, options, waiting throws(StoreProblems) in
      guard target.path.hasPrefix(folder) else { throw StoreProblems([]) }
      return try make(store, target, options, waiting)
    }
    return result
  }
}
