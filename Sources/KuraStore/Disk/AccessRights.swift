import Foundation

/// The access rights of a file: a POSIX access control list, or a mode as its shortest form.
///
///     AccessRights(mode: 0o640)          // the owner rw, the group r
///     AccessRights(bytes: attribute)     // the value of system.posix_acl_access
struct AccessRights: Equatable {
  struct Entry: Equatable {
    var tag: Tag
    /// 4: read, 2: write, 1: execute
    var rights: UInt16
    /// The number of a named user or group; unused for other tags.
    var number: UInt32 = .max
  }

  enum Tag: UInt16 {
    case owner = 1
    case user = 2
    case owningGroup = 4
    case group = 8
    case mask = 16
    case other = 32
  }

  private(set) var entries: [Entry]
}

extension AccessRights {
  init(mode: UInt32) {
    func rights(_ shift: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: mode >> shift & 7) }
    entries = [
      Entry(tag: .owner, rights: rights(6)), Entry(tag: .owningGroup, rights: rights(3)),
      Entry(tag: .other, rights: rights(0)),
    ]
  }

  /// Returns nil unless the bytes are a version of four bytes, followed by the tag, rights and number of each entry.
  init?(bytes: [UInt8]) {
    guard bytes.count >= 4, bytes.count % 8 == 4, bytes.number(at: 0, bytes: 4) == 2 else {
      return nil
    }
    entries = []
    for place in stride(from: 4, to: bytes.count, by: 8) {
      guard let tag = Tag(rawValue: UInt16(bytes.number(at: place, bytes: 2))) else { return nil }
      entries.append(
        Entry(
          tag: tag, rights: UInt16(bytes.number(at: place + 2, bytes: 2)),
          number: bytes.number(at: place + 4, bytes: 4)))
    }
  }

  /// The value of `system.posix_acl_access`.
  var bytes: [UInt8] {
    var bytes: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      bytes.append(UInt32(entry.tag.rawValue), bytes: 2)
      bytes.append(UInt32(entry.rights), bytes: 2)
      bytes.append(entry.number, bytes: 4)
    }
    return bytes
  }

  /// The bits of a mode; if users or groups are named, the group's bits are the mask.
  var mode: UInt32 {
    UInt32(self[.owner]) << 6 | UInt32(rights(of: .mask) ?? self[.owningGroup]) << 3
      | UInt32(self[.other])
  }

  /// Whether a mode expresses all rights.
  var isPlain: Bool { entries.allSatisfy { ![.user, .group, .mask].contains($0.tag) } }

  subscript(tag: Tag) -> UInt16 { rights(of: tag) ?? 0 }

  private func rights(of tag: Tag) -> UInt16? { entries.first { $0.tag == tag }?.rights }

  /// Returns the same rights for a file of another owner or group: the former owner or group
  /// becomes a named entry, and no user gets new rights.
  ///
  /// Nil means that the owner or group stays the same.
  func moved(from owner: UInt32?, _ group: UInt32?) -> AccessRights {
    if owner == nil, group == nil { return self }
    let mask = rights(of: .mask) ?? 7
    var named = entries.filter { $0.tag == .user || $0.tag == .group }
    for i in named.indices { named[i].rights &= mask }
    var own = self[.owner]
    var ofGroup = self[.owningGroup] & mask
    if let owner {
      named.append(Entry(tag: .user, rights: own, number: owner))
      // A user who can write a store may do so, and continues with the file that now belongs to them.
      own |= 6
    }
    if let group {
      named.append(Entry(tag: .group, rights: ofGroup, number: group))
      ofGroup = named.filter { $0.tag == .group }.reduce(self[.other]) { $0 & $1.rights }
    }
    return AccessRights(own, ofGroup, self[.other], named: named)
  }

  /// Returns the same rights as a mode alone; rights that a user loses are not given elsewhere.
  func movedPlainly(from owner: UInt32?, _ group: UInt32?) -> AccessRights {
    let own = owner == nil ? self[.owner] : self[.owner] | 6
    let ofGroup = isPlain ? self[.owningGroup] : entries.filter { $0.tag.isGroup }.commonRights
    let other = group == nil ? self[.other] : self[.other] & ofGroup
    return AccessRights(own, group == nil ? ofGroup : other, other, named: [])
  }

  private init(_ own: UInt16, _ group: UInt16, _ other: UInt16, named: [Entry]) {
    let users = named.filter { $0.tag == .user }.sorted { $0.number < $1.number }
    let groups = named.filter { $0.tag == .group }.sorted { $0.number < $1.number }
    entries =
      [Entry(tag: .owner, rights: own)] + users + [Entry(tag: .owningGroup, rights: group)] + groups
    if !named.isEmpty {
      entries.append(
        Entry(tag: .mask, rights: named.reduce(group) { $0 | $1.rights }))
    }
    entries.append(Entry(tag: .other, rights: other))
  }
}

extension AccessRights.Tag {
  fileprivate var isGroup: Bool { self == .owningGroup || self == .group || self == .mask }
}

extension [AccessRights.Entry] {
  fileprivate var commonRights: UInt16 { reduce(7) { $0 & $1.rights } }
}

extension [UInt8] {
  /// Returns a little-endian number, as the kernel stores it on every machine.
  fileprivate func number(at place: Int, bytes: Int) -> UInt32 {
    (0..<bytes).reduce(0) { $0 | UInt32(self[place + $1]) << UInt32(8 * $1) }
  }

  fileprivate mutating func append(_ number: UInt32, bytes: Int) {
    for i in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> UInt32(8 * i))) }
  }
}

extension SystemCalls {
  /// Copies the attributes and rights of a file to a new file that no other user can read yet.
  ///
  /// Rights that the system does not let us set are dropped: if the owner or the group cannot be
  /// kept, an access control list names them if possible.
  static func copyAttributes(_ from: Int32, _ to: Int32) -> CopiedRights {
    ExtendedAttributes.copy(from, to)
    var copied = CopiedRights()
    guard let old = status(from), let new = giveOwner(of: old, to) else { return copied }
    copied.keepsOwner = new.st_uid == old.st_uid
    copied.keepsGroup = new.st_gid == old.st_gid
    let owner = copied.keepsOwner ? nil : old.st_uid
    let group = copied.keepsGroup ? nil : old.st_gid
    let rights =
      ExtendedAttributes.get(from, ExtendedAttributes.accessList).flatMap(AccessRights.init(bytes:))
      ?? AccessRights(mode: UInt32(old.st_mode))
    let special = owner == nil && group == nil ? UInt32(old.st_mode) & 0o7000 : 0
    copied.keepsAccess = give(rights, from: owner, group, of: old, to, special)
    return copied
  }

  private static func status(_ file: Int32) -> stat? {
    var status = stat()
    return fstat(file, &status) == 0 ? status : nil
  }

  /// Sets owner and group, or one of them; returns the file's status afterwards.
  private static func giveOwner(of old: stat, _ file: Int32) -> stat? {
    guard let new = status(file) else { return nil }
    if new.st_uid == old.st_uid, new.st_gid == old.st_gid { return new }
    if fchown(file, old.st_uid, old.st_gid) != 0 {
      // A number of all ones leaves the owner unchanged.
      _ = fchown(file, uid_t.max, old.st_gid)
    }
    return status(file)
  }

  /// Sets the rights of the old file; returns whether all users have the same rights as before.
  private static func give(
    _ rights: AccessRights, from owner: uid_t?, _ group: gid_t?, of old: stat, _ file: Int32,
    _ special: UInt32
  ) -> Bool {
    let plain = rights.movedPlainly(from: owner, group)
    let isEnough = rights.isPlain && hasAll(rights, in: plain, owner, group, of: old)
    let whole = isEnough ? plain : rights.moved(from: owner, group)
    // The folder may have given the file an access control list of its own.
    ExtendedAttributes.remove(file, ExtendedAttributes.accessList)
    let isGiven = setMode(file, plain.mode | special)
    guard !isEnough, !whole.isPlain else { return isEnough && isGiven }
    return ExtendedAttributes.set(file, ExtendedAttributes.accessList, whole.bytes)
  }

  private static func setMode(_ file: Int32, _ mode: UInt32) -> Bool {
    fchmod(file, mode_t(truncatingIfNeeded: mode)) == 0
  }

  /// Returns whether a mode alone preserves the rights of the former owner and group.
  private static func hasAll(
    _ rights: AccessRights, in plain: AccessRights, _ owner: uid_t?, _ group: gid_t?, of old: stat
  ) -> Bool {
    if group != nil, rights[.owningGroup] & ~plain[.other] != 0 { return false }
    guard let owner, owner != 0 else { return true }
    let isInGroup = group == nil && SystemCalls.isMember(owner, of: old.st_gid)
    return rights[.owner] & ~plain[isInGroup ? .owningGroup : .other] == 0
  }

  /// Returns the name of a user, or the number if there is no name.
  static func userName(_ user: UInt32) -> String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
  }

  /// Returns whether a user is in a group; false if that cannot be determined.
  private static func isMember(_ user: uid_t, of group: gid_t) -> Bool {
    guard let entry = getpwuid(user) else { return false }
    if entry.pointee.pw_gid == group { return true }
    guard let found = getgrgid(group), var member = found.pointee.gr_mem else { return false }
    while let name = member.pointee {
      if strcmp(name, entry.pointee.pw_name) == 0 { return true }
      member += 1
    }
    return false
  }
}

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
