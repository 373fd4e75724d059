/// Who may do what with a file: an access control list of POSIX, or a mode as the smallest of them.
///
///     AccessRights(mode: 0o640)          // the owner rw, the group r
///     AccessRights(bytes: attribute)     // the value of system.posix_acl_access
struct AccessRights: Equatable {
  struct Entry: Equatable {
    var tag: Tag
    /// 4: read, 2: write, 1: execute
    var rights: UInt16
    /// Of a user or group that is named; else nothing.
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

  /// Nil for what has another form: a version in four bytes, then a tag, rights and a number each.
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

  /// The bits of a mode; where users or groups are named, those of the group are the mask.
  var mode: UInt32 {
    UInt32(self[.owner]) << 6 | UInt32(rights(of: .mask) ?? self[.owningGroup]) << 3
      | UInt32(self[.other])
  }

  /// Whether a mode says all of it.
  var isPlain: Bool { entries.allSatisfy { ![.user, .group, .mask].contains($0.tag) } }

  subscript(tag: Tag) -> UInt16 { rights(of: tag) ?? 0 }

  private func rights(of tag: Tag) -> UInt16? { entries.first { $0.tag == tag }?.rights }
}

extension AccessRights {
  /// The same rights in a file of another owner or another group, without more for anybody: who had
  /// them as its owner or as one of its group is named.
  ///
  /// Nil stands for an owner or group that stays.
  func moved(from owner: UInt32?, _ group: UInt32?) -> AccessRights {
    if owner == nil, group == nil { return self }
    let mask = rights(of: .mask) ?? 7
    var named = entries.filter { $0.tag == .user || $0.tag == .group }
    for i in named.indices { named[i].rights &= mask }
    var own = self[.owner]
    var ofGroup = self[.owningGroup] & mask
    if let owner {
      named.append(Entry(tag: .user, rights: own, number: owner))
      // Whoever writes a store may do so, and goes on with the file that is now theirs.
      own |= 6
    }
    if let group {
      named.append(Entry(tag: .group, rights: ofGroup, number: group))
      ofGroup = named.filter { $0.tag == .group }.reduce(self[.other]) { $0 & $1.rights }
    }
    return AccessRights(own, ofGroup, self[.other], named: named)
  }

  /// The same with a mode alone: who loses something by it is not given it elsewhere.
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
  /// Little-endian, as the kernel has them everywhere.
  fileprivate func number(at place: Int, bytes: Int) -> UInt32 {
    (0..<bytes).reduce(0) { $0 | UInt32(self[place + $1]) << UInt32(8 * $1) }
  }

  fileprivate mutating func append(_ number: UInt32, bytes: Int) {
    for i in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> UInt32(8 * i))) }
  }
}
