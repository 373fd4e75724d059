import Foundation

/// `--color auto|always|never`
package enum ColorChoice: String, Sendable, CaseIterable {
  case automatic = "auto"
  case always, never
}

extension ColorChoice {
  /// Whether messages are coloured: on a terminal that can, unless somebody said otherwise.
  package func colors(
    onTerminal isTerminal: Bool,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .automatic:
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}
