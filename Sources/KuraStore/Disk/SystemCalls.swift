import Foundation

/// Calls of the system that Swift's overlay of the C library does not show on Linux: they are
/// looked up by name, and where they are missing there is a way without them.
enum SystemCalls {
  static func exchange(_ folder: Int32, _ from: String, _ to: String) throws(FileError) -> Bool {
    #if canImport(Darwin)
      let result = renameatx_np(folder, from, folder, to, UInt32(RENAME_SWAP))
    #else
      guard let renameat2 = look("renameat2", as: Renameat2.self) else { return false }
      let exchange: UInt32 = 2  // RENAME_EXCHANGE
      let result = renameat2(folder, from, folder, to, exchange)
    #endif
    if result == 0 { return true }
    switch errno {
    case EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP: return false
    default: throw FileError(.rename, errno)
    }
  }
}

#if !canImport(Darwin)
  private typealias Renameat2 =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  /// A function of the C library by its name.
  func look<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let library = dlopen(nil, RTLD_NOW), let place = dlsym(library, name) else { return nil }
    return unsafeBitCast(place, to: type)
  }
#endif
