import CThreads

/// A stack that goes on where a thread's own ends.
///
/// What walks over a tree goes as deep as the tree, and a tree that a program has built may be of
/// any height, on a thread that may have little stack. So whatever calls itself for a part of what
/// it was given passes through `run`, which is a comparison as long as there is room, and else a
/// thread that is waited for. A hundred thousand levels are some of them.
package enum DeepStack {
  /// Whether what calls itself had better go on elsewhere.
  @inline(__always)
  package static var isShort: Bool { kura_stack_is_short() }

  /// Runs a body here if there is room, else on a new stack.
  @inline(__always)
  package static func run<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    isShort ? try elsewhere(body) : try body()
  }
}

extension DeepStack {
  /// Runs a body on a new stack in any case: for what walks in many places over what is as high as
  /// a statement may be.
  package static func runOnItsOwn<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try elsewhere(body)
  }

  /// The sizes that are tried, in bytes; memory is taken only for what is used of them.
  private static let sizes = [256 << 20, 32 << 20, 4 << 20]

  /// Where no thread can be had, what is left of this stack must do.
  @inline(never)
  private static func elsewhere<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    var outcome: Result<Answer, Failure>?
    withoutActuallyEscaping(body) { body in
      let errand = Errand {
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
private final class Errand {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Runs it and waits; false if there is no thread with such a stack.
  func isRun(withStack size: Int) -> Bool {
    kura_run_with_stack(
      size, { Unmanaged<Errand>.fromOpaque($0).takeUnretainedValue().body() },
      Unmanaged.passUnretained(self).toOpaque())
  }
}
