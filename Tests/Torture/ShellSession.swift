import Foundation
import KuraDiagnostics
package import KuraGraph
import KuraShell
package import KuraValues

/// A session in this process, with a store on a ground: it runs statements, and collects the
/// output.
package final class ShellSession {
  private let session: Session
  private let said: Said
  private let results: ResultStream
  /// The output when the store was opened: warnings.
  package let greeting: String

  /// The output so far, shared with the session's closures.
  private final class Said { var text = "" }

  /// Creates a store, or opens an existing one.
  package init(
    _ ground: TrialFolder, _ store: String, zone: String = "UTC", isReadOnly: Bool = false,
    exists: Bool = false
  ) throws {
    let said = Said()
    var services = SystemServices.live(style: .plain)
    results = ResultStream(write: { said.text += String(decoding: $0, as: UTF8.self) })
    services.results = results
    services.report = { said.text += $0 }
    services.systemTimeZone = { zone }
    services.systemLocale = { Locale(identifier: "en_US_POSIX") }
    var launch = Launch()
    launch.store = .file(ground.file(store))
    launch.creates = !isReadOnly && !exists
    launch.isReadOnly = isReadOnly
    do { session = try Session(launch, services) } catch {
      throw Finding("cannot be opened: \(error.rendered(in: nil, style: .plain))")
    }
    self.said = said
    greeting = said.text
  }

  package var context: GraphContext { session.context }
  package var graph: Graph { context.graph }
  package var zone: ZoneRules { session.zone }
}

extension ShellSession {
  /// Runs statements; returns whether they succeeded, and their output.
  @discardableResult
  package func run(_ text: String) -> (isDone: Bool, said: String) {
    said.text = ""
    session.isLeaving = false
    let isDone = session.run(text + "\n")
    results.flushQuietly()
    return (isDone, said.text)
  }

  /// Runs statements that must succeed.
  @discardableResult
  package func must(_ text: String) throws -> String {
    let (isDone, said) = run(text)
    try hold(isDone, "\(text)\n\(said)")
    return said
  }
}
