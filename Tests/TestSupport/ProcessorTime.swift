import Foundation

/// The processor time of a thread.
///
/// A test for endless work has to ignore how long its thread waits for a core, which a time limit of a
/// test counts: on a busy machine, hundreds of tests wait for two cores.
public enum ProcessorTime {
  /// Returns the seconds of processor time that a body uses on the calling thread.
  public static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = used()
    try body()
    return used() - start
  }

  private static func used() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
