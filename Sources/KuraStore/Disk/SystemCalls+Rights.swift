import Foundation

extension SystemCalls {
  /// Gives a new file, which nobody else can read yet, what another has.
  ///
  /// What the system does not let us give goes to nobody: where the owner or the group cannot be
  /// kept, who had rights as such is named in an access control list, and else has none.
  static func copyAttributes(_ from: Int32, _ to: Int32) -> KeptRights {
    ExtendedAttributes.copy(from, to)
    var kept = KeptRights()
    guard let old = status(from), let new = giveOwner(of: old, to) else { return kept }
    kept.keepsOwner = new.st_uid == old.st_uid
    kept.keepsGroup = new.st_gid == old.st_gid
    let owner = kept.keepsOwner ? nil : old.st_uid
    let group = kept.keepsGroup ? nil : old.st_gid
    let rights =
      ExtendedAttributes.get(from, ExtendedAttributes.accessList).flatMap(AccessRights.init(bytes:))
      ?? AccessRights(mode: UInt32(old.st_mode))
    let special = owner == nil && group == nil ? UInt32(old.st_mode) & 0o7000 : 0
    kept.keepsAccess = give(rights, from: owner, group, of: old, to, special)
    return kept
  }

  private static func status(_ file: Int32) -> stat? {
    var status = stat()
    return fstat(file, &status) == 0 ? status : nil
  }

  /// Owner and group, or one of the two; what the file has then.
  private static func giveOwner(of old: stat, _ file: Int32) -> stat? {
    guard let new = status(file) else { return nil }
    if new.st_uid == old.st_uid, new.st_gid == old.st_gid { return new }
    if fchown(file, old.st_uid, old.st_gid) != 0 {
      // A number of all ones leaves what is there.
      _ = fchown(file, uid_t.max, old.st_gid)
    }
    return status(file)
  }

  /// Whether everybody has the same rights as before.
  private static func give(
    _ rights: AccessRights, from owner: uid_t?, _ group: gid_t?, of old: stat, _ file: Int32,
    _ special: UInt32
  ) -> Bool {
    let plain = rights.movedPlainly(from: owner, group)
    let isEnough = rights.isPlain && hasAll(rights, in: plain, owner, group, of: old)
    let whole = isEnough ? plain : rights.moved(from: owner, group)
    // A folder may have given it a list of its own.
    ExtendedAttributes.remove(file, ExtendedAttributes.accessList)
    let isGiven = setMode(file, plain.mode | special)
    guard !isEnough, !whole.isPlain else { return isEnough && isGiven }
    return ExtendedAttributes.set(file, ExtendedAttributes.accessList, whole.bytes)
  }

  private static func setMode(_ file: Int32, _ mode: UInt32) -> Bool {
    fchmod(file, mode_t(truncatingIfNeeded: mode)) == 0
  }

  /// Whether a mode alone leaves the owner and the group of before what they had.
  private static func hasAll(
    _ rights: AccessRights, in plain: AccessRights, _ owner: uid_t?, _ group: gid_t?, of old: stat
  ) -> Bool {
    if group != nil, rights[.owningGroup] & ~plain[.other] != 0 { return false }
    guard let owner, owner != 0 else { return true }
    let isInGroup = group == nil && SystemCalls.isMember(owner, of: old.st_gid)
    return rights[.owner] & ~plain[isInGroup ? .owningGroup : .other] == 0
  }
}

extension SystemCalls {
  /// The name of a user, or the number where it has none.
  static func userName(_ user: UInt32) -> String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
  }

  /// Whether a user is in a group; false where that cannot be told.
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
