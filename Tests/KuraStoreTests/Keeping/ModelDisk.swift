@testable import KuraStore

/// A file system in memory that loses power.
///
/// Writes that were not synced may be on the disk or not, sector by sector, size separately from
/// content, and name by name, in any order. Any operation may be made to fail.
final class ModelDisk: @unchecked Sendable {
  private(set) var state = DiskState() { didSet { version += 1 } }
  /// Changes with each change of the disk.
  private(set) var version = 0
  /// The number of operations.
  private(set) var count = 0
  /// The numbers of the operations that changed nothing.
  private(set) var lookedAt: Set<Int> = []
  /// The number of the operation that fails, and its error.
  var failing: (number: Int, error: Int32)?
  /// Returns whether a file cannot take a byte more.
  var failsToWrite: (String) -> Bool = { _ in false }
  /// Called while a program waits, to simulate others.
  var onPause: () -> Void = {}
  /// Called once before a document is put in place.
  var beforeRename: ((ModelDisk) -> Void)?
  /// Called before a name is removed.
  var beforeRemoval: (String) -> Void = { _ in }
  /// The rights of the document that a new file can get.
  var rights = CopiedRights()
  /// The kinds of the names that are not files.
  var kinds: [String: FileKind] = [:]
  /// The number of names of a file, by one of them.
  var links: [String: Int] = [:]
  /// Whether files can be exchanged in one step.
  var exchanges = true
  /// Returns whether an operation is silently omitted, to verify that the tests would notice.
  var ignored: (DiskOperation) -> Bool = { _ in false }
  /// Called after each operation.
  var observe: () -> Void = {}
  private var descriptors: [Int32: UInt64] = [:]
  private var nextDescriptor: Int32 = 3
  private var locks: [UInt64: Int32] = [:]
  private var marks: [UInt64: String] = [:]

  init(_ files: [String: [UInt8]] = [:]) {
    for (name, bytes) in files {
      let inode = state.make()
      state.nodes[inode]?.durable = bytes
      state.nodes[inode]?.content = bytes
      state.names[name] = inode
    }
    state.durableNames = state.names
  }
}

enum DiskOperation: Equatable {
  case write(String), truncate(String), sync(String), syncFolder, rename, remove(String), look
}

/// The present state, as programs see it and as the disk has it.
struct DiskState {
  var nodes: [UInt64: DiskNode] = [:]
  var names: [String: UInt64] = [:]
  var durableNames: [String: UInt64] = [:]
  /// Names that were set since the last sync; nil if removed. Each entry is applied completely or not at all.
  var pendingNames: [[String: UInt64?]] = []
  var clock: Int64 = 0

  mutating func make() -> UInt64 {
    let inode = UInt64(nodes.count + 1)
    nodes[inode] = DiskNode()
    return inode
  }

  mutating func name(_ changes: [String: UInt64?]) {
    pendingNames.append(changes)
    names.apply(changes)
  }

  func name(of inode: UInt64) -> String { names.first { $0.value == inode }?.key ?? "?" }
}

struct DiskNode {
  var content: [UInt8] = []
  var durable: [UInt8] = []
  var edits: [DiskEdit] = []
  var changed: Int64 = 0
}

/// A change of a file that may or may not reach the disk.
struct DiskEdit {
  enum Change {
    case size(Int)
    case bytes([UInt8], at: Int)
  }
  var change: Change
  /// Whether a sync has succeeded since.
  var isSure = false
  /// Whether a sync has failed since: later ones do not write it again.
  var isLost = false
}

extension [String: UInt64] {
  mutating func apply(_ changes: [String: UInt64?]) {
    for (name, inode) in changes { self[name] = inode }
  }
}

extension [UInt8] {
  mutating func apply(_ edit: DiskEdit.Change) {
    switch edit {
    case .size(let size) where size < count: removeLast(count - size)
    case .size(let size): self += [UInt8](repeating: 0, count: size - count)
    case .bytes(let bytes, let place):
      for (i, byte) in bytes.enumerated() where place + i < count { self[place + i] = byte }
    }
  }
}

extension ModelDisk {
  private func step(
    _ operation: DiskOperation, _ kind: FileError.Operation, partly: () -> Void = {},
    _ act: () -> Void
  ) throws(FileError) {
    count += 1
    if operation == .look { lookedAt.insert(count) }
    defer { observe() }
    if let failing, failing.number == count {
      partly()
      throw FileError(kind, failing.error)
    }
    if !ignored(operation) { act() }
  }

  private func node(_ descriptor: Int32) -> UInt64 { descriptors[descriptor] ?? 0 }

  private func edit(_ inode: UInt64, _ changes: [DiskEdit.Change]) {
    let now = state.clock + 1
    state.clock = now
    for change in changes {
      state.nodes[inode]?.content.apply(change)
      state.nodes[inode]?.edits.append(DiskEdit(change: change))
    }
    state.nodes[inode]?.changed = now
  }

  /// Returns a write as its sectors, each with the size that it gives the file.
  private func sectors(_ bytes: [UInt8], at place: Int, size: Int) -> [DiskEdit.Change] {
    var changes: [DiskEdit.Change] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + 512 - (place + start) % 512, bytes.count)
      if place + end > size { changes.append(.size(place + end)) }
      changes.append(.bytes(Array(bytes[start..<end]), at: place + start))
      start = end
    }
    return changes
  }

  private func sync(_ inode: UInt64, succeeds: Bool) {
    guard let edits = state.nodes[inode]?.edits.indices else { return }
    for i in edits where state.nodes[inode]?.edits[i].isLost == false {
      if succeeds { state.nodes[inode]?.edits[i].isSure = true }
      if !succeeds, state.nodes[inode]?.edits[i].isSure == false {
        state.nodes[inode]?.edits[i].isLost = true
      }
    }
    while let first = state.nodes[inode]?.edits.first, first.isSure {
      state.nodes[inode]?.durable.apply(first.change)
      state.nodes[inode]?.edits.removeFirst()
    }
  }

  private func syncNode(_ file: Int32) throws(FileError) {
    let inode = node(file)
    try step(.sync(state.name(of: inode)), .sync, partly: { sync(inode, succeeds: false) }) {
      sync(inode, succeeds: true)
    }
  }

  private func open(_ name: String, _ kind: OpenKind) throws(FileError) -> Int32 {
    var inode = state.names[name]
    try step(.look, .open) {
      if inode == nil, kind == .creating || kind == .fresh {
        let made = state.make()
        state.name([name: made])
        inode = made
      } else if kind == .fresh {
        inode = nil
      }
    }
    guard let inode else { throw FileError(.open, kind == .fresh ? 17 : 2) }
    nextDescriptor += 1
    descriptors[nextDescriptor] = inode
    return nextDescriptor
  }

  private func status(_ inode: UInt64) -> FileStatus {
    var status = FileStatus(inode: inode, size: Int64(state.nodes[inode]?.content.count ?? 0))
    let name = state.name(of: inode)
    status.kind = kinds[name] ?? .file
    status.links = links[name] ?? 1
    status.nanoseconds = state.nodes[inode]?.changed ?? 0
    return status
  }
}

extension ModelDisk {
  /// The operations of this disk; its only folder is 1.
  var files: FileOperations {
    FileOperations(
      openFolder: { _ in 1 },
      open: { [self] _, name, kind, _ throws(FileError) in try open(name, kind) },
      close: { [self] descriptor in
        descriptors[descriptor] = nil
        for (inode, holder) in locks where holder == descriptor { locks[inode] = nil }
      },
      read: { [self] file, buffer, place throws(FileError) in
        try step(.look, .read) {}
        let rest = state.nodes[node(file)]?.content.dropFirst(Int(place)).prefix(buffer.count) ?? []
        buffer.copyBytes(from: rest)
        return rest.count
      },
      write: { [self] file, bytes, place throws(FileError) in
        let inode = node(file)
        if failsToWrite(state.name(of: inode)) { throw FileError(.write, 28) }
        let size = state.nodes[inode]?.content.count ?? 0
        let changes = sectors(Array(bytes), at: Int(place), size: size)
        try step(
          .write(state.name(of: inode)), .write,
          partly: { edit(inode, Array(changes.prefix(changes.count / 2))) },
          { edit(inode, changes) })
        return bytes.count
      },
      truncate: { [self] file, size throws(FileError) in
        let inode = node(file)
        try step(.truncate(state.name(of: inode)), .truncate) { edit(inode, [.size(Int(size))]) }
      },
      sync: { [self] file throws(FileError) in try syncNode(file) },
      syncWhole: { [self] file throws(FileError) in try syncNode(file) },
      syncFolder: { [self] _ throws(FileError) in
        try step(.syncFolder, .syncFolder) {
          for change in state.pendingNames { state.durableNames.apply(change) }
          state.pendingNames = []
        }
      },
      rename: { [self] _, from, to throws(FileError) in
        try step(.rename, .rename) { state.name([to: state.names[from], from: UInt64?.none]) }
      },
      exchange: { [self] _, a, b throws(FileError) in
        beforeRename?(self)
        beforeRename = nil
        guard exchanges else { return false }
        try step(.rename, .rename) { state.name([a: state.names[b], b: state.names[a]]) }
        return true
      },
      remove: { [self] _, name throws(FileError) in
        guard state.names[name] != nil else { throw FileError(.remove, 2) }
        beforeRemoval(name)
        try step(.remove(name), .remove) { state.name([name: UInt64?.none]) }
      },
      status: { [self] file throws(FileError) in
        try step(.look, .status) {}
        return status(node(file))
      },
      statusOfName: { [self] _, name throws(FileError) in
        try step(.look, .status) {}
        return state.names[name].map(status)
      },
      checkWritable: { _, _ in },
      copyAttributes: { [self] _, _ in rights },
      setMark: { [self] file, mark in marks[node(file)] = mark },
      mark: { [self] file in marks[node(file)] },
      lock: { [self] file throws(FileError) in
        try step(.look, .lock) {}
        if let holder = locks[node(file)], holder != file { return false }
        locks[node(file)] = file
        return true
      },
      checkLocks: { _ in },
      pause: { [self] in onPause() },
      holder: { LockHolder(process: 1, user: "u", host: "h") })
  }

  /// The place of the only document.
  var place: StorePlace { StorePlace(path: "s", folder: 1, document: "s", files) }

  /// Writes a file like a program that does not know journals.
  func put(_ name: String, _ bytes: [UInt8]) {
    let inode = state.make()
    edit(inode, [.size(bytes.count), .bytes(bytes, at: 0)])
    state.name([name: inode])
  }

  /// Changes the bytes of a file without a write.
  func rot(_ name: String, _ bytes: [UInt8]) {
    guard let inode = state.names[name] else { return }
    state.nodes[inode]?.content = bytes
  }

  /// Closes the files of a program that ended.
  func closeAll() {
    descriptors = [:]
    locks = [:]
  }
}
