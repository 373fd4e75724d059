import Foundation

/// Named values that a file system stores with a file.
enum ExtendedAttributes {
  /// The attribute in which Linux stores an access control list.
  static let accessList = "system.posix_acl_access"
  /// The attribute with the name of the document that Kura wrote into a file.
  static let mark = "user.kura.document"
}

#if canImport(Darwin)
  extension ExtendedAttributes {
    /// Copies all attributes including access control lists; the times are the new file's own.
    static func copy(_ from: Int32, _ to: Int32) {
      _ = fcopyfile(from, to, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR))
    }

    static func get(_ file: Int32, _ name: String) -> [UInt8]? { nil }

    static func set(_ file: Int32, _ name: String, _ value: [UInt8]) -> Bool { false }

    static func remove(_ file: Int32, _ name: String) {}
  }
#else
  private typealias ListAttributes =
    @convention(c) (Int32, UnsafeMutablePointer<CChar>?, Int) -> Int
  private typealias GetAttribute =
    @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
  private typealias SetAttribute =
    @convention(c) (Int32, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32) -> Int32
  private typealias RemoveAttribute = @convention(c) (Int32, UnsafePointer<CChar>) -> Int32

  extension ExtendedAttributes {
    /// Copies all attributes except the access control list, which depends on the new file's owner,
    /// and the mark, which names the content.
    static func copy(_ from: Int32, _ to: Int32) {
      for name in names(from) where name != accessList && name != mark {
        if let value = get(from, name) { _ = set(to, name, value) }
      }
    }

    /// Returns nil if the file does not have the attribute, or the file system supports none.
    static func get(_ file: Int32, _ name: String) -> [UInt8]? {
      guard let get = look("fgetxattr", as: GetAttribute.self) else { return nil }
      let size = get(file, name, nil, 0)
      guard size >= 0 else { return nil }
      var value = [UInt8](repeating: 0, count: size)
      let count = get(file, name, &value, size)
      return count < 0 ? nil : Array(value[..<count])
    }

    static func set(_ file: Int32, _ name: String, _ value: [UInt8]) -> Bool {
      look("fsetxattr", as: SetAttribute.self)?(file, name, value, value.count, 0) == 0
    }

    static func remove(_ file: Int32, _ name: String) {
      _ = look("fremovexattr", as: RemoveAttribute.self)?(file, name)
    }

    private static func names(_ file: Int32) -> [String] {
      guard let list = look("flistxattr", as: ListAttributes.self) else { return [] }
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
