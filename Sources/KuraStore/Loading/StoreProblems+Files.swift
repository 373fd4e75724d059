import Foundation
import KuraDiagnostics

extension StoreProblems {
  /// Whether a file that was to be new is there already.
  package var isFileThere: Bool {
    facts.contains { if case .exists = $0 { true } else { false } }
  }

  /// Whether there is no such file, or could be none of that name.
  package var isFileMissing: Bool {
    facts.contains {
      if case .noFolder = $0 { return true }
      guard case .cannotOpen(_, let number) = $0 else { return false }
      return number == ENOENT || number == ENOTDIR || number == ENAMETOOLONG
    }
  }

  private var facts: [StoreFacts] { diagnostics.compactMap { $0.facts as? StoreFacts } }
}
