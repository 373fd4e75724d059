import KuraDiagnostics

/// Why a fetch has no result.
package enum FetchFacts: Sendable {
  /// Somebody stopped it.
  case stopped
}
