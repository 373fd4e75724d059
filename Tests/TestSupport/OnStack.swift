import CThreads

/// Runs a body on a thread with a stack of this many bytes, and waits for it.
package func onStack<Answer>(of size: Int, _ body: () throws -> Answer) throws -> Answer {
  var outcome: Result<Answer, any Error>?
  withoutActuallyEscaping(body) { body in
    let errand = ThreadBody { outcome = Result { try body() } }
    _ = kura_run_with_stack(
      size, { Unmanaged<ThreadBody>.fromOpaque($0).takeUnretainedValue().body() },
      Unmanaged.passUnretained(errand).toOpaque())
  }
  guard let outcome else { throw NoThread() }
  return try outcome.get()
}

/// Typical stack sizes of threads: a small one, a library's, a worker's, the main thread's.
package let stackSizes = [256 << 10, 512 << 10, 2 << 20, 8 << 20]

private struct NoThread: Error {}

private final class ThreadBody {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }
}
