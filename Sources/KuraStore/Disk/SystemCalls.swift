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

  /// As far as we have the right to: who may read the old file may read the new one.
  static func copyAttributes(_ from: Int32, _ to: Int32) {
    #if canImport(Darwin)
      // All of the above, access control lists too; the times are the new file's own.
      _ = fcopyfile(from, to, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR))
    #else
      copyExtended(from, to)
    #endif
    var status = stat()
    guard fstat(from, &status) == 0 else { return }
    _ = fchown(to, status.st_uid, status.st_gid)
    _ = fchmod(to, status.st_mode & 0o7777)
  }
}

#if !canImport(Darwin)
  private typealias Renameat2 =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
  private typealias ListAttributes =
    @convention(c) (Int32, UnsafeMutablePointer<CChar>?, Int) -> Int
  private typealias GetAttribute =
    @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
  private typealias SetAttribute =
    @convention(c) (Int32, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32) -> Int32

  /// A function of the C library by its name.
  private func look<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let library = dlopen(nil, RTLD_NOW), let place = dlsym(library, name) else { return nil }
    return unsafeBitCast(place, to: type)
  }

  extension SystemCalls {
    fileprivate static func copyExtended(_ from: Int32, _ to: Int32) {
      guard let list = look("flistxattr", as: ListAttributes.self),
        let get = look("fgetxattr", as: GetAttribute.self),
        let set = look("fsetxattr", as: SetAttribute.self)
      else { return }
      for name in names(from, list) {
        let size = get(from, name, nil, 0)
        guard size >= 0 else { continue }
        var value = [UInt8](repeating: 0, count: size)
        let count = get(from, name, &value, size)
        if count >= 0 { _ = set(to, name, value, count, 0) }
      }
    }

    private static func names(_ file: Int32, _ list: ListAttributes) -> [String] {
      let size = list(file, nil, 0)
      guard size > 0 else { return [] }
      var bytes = [CChar](repeating: 0, count: size)
      let count = list(file, &bytes, size)
      guard count > 0 else { return [] }
      return bytes[..<count].split(separator: 0).map { name in
        String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
  }
#endif
