import Foundation
import KuraDiagnostics
package import KuraGraph
import KuraShell
package import KuraValues

/// A session in this process at a store on a ground: statements go in, and what is said comes out.
package final class Sitting {
  private let session: Session
  private let said: Said
  private let results: ResultStream
  /// What was said when the store was opened: warnings.
  package let greeting: String

  /// What was said so far; the session's closures hold it too.
  private final class Said { var text = "" }

  /// Makes a store, or opens one that exists.
  package init(
    _ ground: Ground, _ store: String, zone: String = "UTC", isReadOnly: Bool = false,
    exists: Bool = false
  ) throws {
    let said = Said()
    var surroundings = Surroundings.live(style: .plain)
    results = ResultStream(write: { said.text += String(decoding: $0, as: UTF8.self) })
    surroundings.results = results
    surroundings.report = { said.text += $0 }
    surroundings.systemTimeZone = { zone }
    surroundings.systemLocale = { Locale(identifier: "en_US_POSIX") }
    var launch = Launch()
    launch.store = .file(ground.file(store))
    launch.creates = !isReadOnly && !exists
    launch.isReadOnly = isReadOnly
    do { session = try Session(launch, surroundings) } catch {
      throw Finding("cannot be opened: \(error.rendered(in: nil, style: .plain))")
    }
    self.said = said
    greeting = said.text
  }

  package var context: ManagedObjectContext { session.context }
  package var graph: Graph { context.graph }
  package var zone: ZoneRules { session.zone }
}

extension Sitting {
  /// Runs statements; whether they were done, and what they said.
  @discardableResult
  package func run(_ text: String) -> (isDone: Bool, said: String) {
    said.text = ""
    session.isLeaving = false
    let isDone = session.run(text + "\n")
    results.flushQuietly()
    return (isDone, said.text)
  }

  /// Runs statements that must be done.
  @discardableResult
  package func must(_ text: String) throws -> String {
    let (isDone, said) = run(text)
    try hold(isDone, "\(text)\n\(said)")
    return said
  }
}
