import CThreads

/// A way to continue a deep recursion on a larger stack.
///
/// Functions that walk a tree recurse as deep as the tree. A program can build a tree of any
/// height, and its thread can have a small stack. Every recursive function therefore calls `run`,
/// which costs one comparison while there is room; otherwise it runs the body on another thread and
/// waits for it. A hundred thousand levels need several such threads.
package enum DeepStack {
  /// Whether a recursive function should continue on another stack.
  @inline(__always)
  package static var isShort: Bool { kura_stack_is_short() }

  /// Runs a body here if there is enough stack, otherwise on a new stack.
  @inline(__always)
  package static func run<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    isShort ? try elsewhere(body) : try body()
  }
}

extension DeepStack {
  /// Runs a body always on a new stack, for code that recurses at many places over a tree as high
  /// as a statement allows.
  package static func runOnItsOwn<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try elsewhere(body)
  }

  /// The stack sizes to try, in bytes; only the used part takes memory.
  private static let sizes = [256 << 20, 32 << 20, 4 << 20]

  /// Runs a body on another thread. If none is available, the rest of this stack must suffice.
  @inline(never)
  private static func elsewhere<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    var outcome: Result<Answer, Failure>?
    withoutActuallyEscaping(body) { body in
      let errand = ThreadBody {
        do throws(Failure) {
          outcome = .success(try body())
        } catch { outcome = .failure(error) }
      }
      _ = sizes.contains { errand.isRun(withStack: $0) }
    }
    guard let outcome else { return try body() }
    return try outcome.get()
  }
}

/// A body for another thread.
private final class ThreadBody {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Runs the body on another thread and waits; returns false if no thread with this stack size is
  /// available.
  func isRun(withStack size: Int) -> Bool {
    kura_run_with_stack(
      size, { Unmanaged<ThreadBody>.fromOpaque($0).takeUnretainedValue().body() },
      Unmanaged.passUnretained(self).toOpaque())
  }
}
