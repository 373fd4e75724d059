/// The reason why a history or a recovery file was not read or written, as a clause.
package struct SidecarProblem: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension SidecarProblem {
  /// Calls `body`, and converts its errors; `path` is the store's.
  static func convertingErrors<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(SidecarProblem) -> Result {
    do { return try body() } catch {
      if let problem = error as? SidecarProblem { throw problem }
      let failure = error as? KeepingFailure
      throw SidecarProblem(failure?.reason(path) ?? "\(error)")
    }
  }
}
