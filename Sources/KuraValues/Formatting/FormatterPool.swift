import Synchronization

/// Formatters that were made once, each lent to one at a time: they may not be used by two.
final class FormatterPool<Formatter>: Sendable {
  private let idle = Mutex(Idle())

  private struct Idle: @unchecked Sendable {
    var formatters: [Formatter] = []
  }

  /// Runs something with a formatter, which is made if all are lent.
  func with<Result>(
    _ make: () throws(FormatProblem) -> Formatter, _ body: (Formatter) -> Result
  ) throws(FormatProblem) -> Result {
    let known = idle.withLock { $0.formatters.popLast() }
    let formatter: Formatter
    if let known { formatter = known } else { formatter = try make() }
    defer { giveBack(formatter) }
    return body(formatter)
  }

  private func giveBack(_ formatter: Formatter) {
    let lent = Idle(formatters: [formatter])
    idle.withLock { $0.formatters += lent.formatters }
  }
}

/// The pools of all patterns that were asked for lately.
final class FormatterPools<Key: Hashable & Sendable, Formatter>: Sendable {
  private let pools = Mutex<[Key: FormatterPool<Formatter>]>([:])
  /// More patterns than a statement has; they may be computed for each row.
  private static var limit: Int { 64 }

  func pool(_ key: Key) -> FormatterPool<Formatter> {
    pools.withLock { pools in
      if let pool = pools[key] { return pool }
      if pools.count >= Self.limit { pools.removeAll() }
      let pool = FormatterPool<Formatter>()
      pools[key] = pool
      return pool
    }
  }
}
