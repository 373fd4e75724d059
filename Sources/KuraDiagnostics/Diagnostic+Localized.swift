public import Foundation

extension Diagnostic: LocalizedError {
  /// The sentence, without its place: for alerts and logs; `description` has the place and the way on too.
  /// Linear in it.
  public var errorDescription: String? { facts.sentence }

  /// What could be done, in one line; nil where nothing comes to mind. Linear in it.
  public var recoverySuggestion: String? { facts.help }
}
