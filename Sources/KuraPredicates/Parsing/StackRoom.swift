import Foundation

/// What a parser may take of its thread's stack.
///
/// How many brackets fit depends on the build, on what stands in them, and on the thread, which may
/// have little: a limit of brackets alone would be too high for one, and too low for another.
struct StackRoom: Sendable {
  /// Where the stack was when the parser was made.
  private let start: UInt
  /// How much the thread has.
  private let size: UInt

  init() {
    start = Self.here
    size = Self.sizeOfStack
  }

  /// Whether three quarters are used; the rest is for whoever called, and for the message.
  var isShort: Bool {
    let here = Self.here
    guard here < start else { return false }
    let used = start - here
    // Further away is another thread's stack.
    return used > size / 4 * 3 && used <= size
  }

  @inline(never)
  private static var here: UInt {
    var byte: UInt8 = 0
    return withUnsafeMutablePointer(to: &byte) { UInt(bitPattern: $0) }
  }

  #if canImport(Darwin)
    private static var sizeOfStack: UInt { UInt(pthread_get_stacksize_np(pthread_self())) }
  #else
    /// What every thread gets that asks for nothing else; without a limit that is little.
    private static let sizeOfStack: UInt = {
      var limit = rlimit()
      let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0
      return isKnown && limit.rlim_cur < 1 << 40 ? UInt(limit.rlim_cur) : 2 << 20
    }()
  #endif
}
