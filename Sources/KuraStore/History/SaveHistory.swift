import Foundation
import KuraJSON

/// `STORE.history`: the saves of a store, a line for each, as many as were asked for.
///
/// No save depends on it: it is written behind a save that is kept, and a line that is not whole is
/// left out.
package struct SaveHistory: Sendable {
  private let place: StorePlace

  init(_ place: StorePlace) { self.place = place }

  /// What the system refused.
  package struct Refusal: Error {
    package let reason: String

    init() { reason = String(cString: strerror(errno)).lowercased() }
  }

  /// What is kept.
  package struct Contents: Sendable {
    /// How many saves are kept.
    package var limit: Int
    /// The first is the oldest.
    package var saves: [SaveEntry] = []
    /// How many lines are not as they were written.
    package var damaged = 0
  }
}

extension StoreKeeper {
  /// The saves that are kept beside the store.
  package var history: SaveHistory { SaveHistory(keeper.place) }
}

// Reading
extension SaveHistory {
  /// Nil where no history is kept.
  package func read() throws(Refusal) -> Contents? {
    guard let file = try open(O_RDONLY) else { return nil }
    defer { close(file) }
    return Contents(reading: try bytes(of: file))
  }

  private func open(_ flags: Int32) throws(Refusal) -> Int32? {
    let file = openat(
      place.folder, place.history, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else { throw Refusal() }
    return file
  }

  private func bytes(of file: Int32) throws(Refusal) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(file, &piece, piece.count, off_t(bytes.count))
      guard count >= 0 else { throw Refusal() }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }
}

extension SaveHistory.Contents {
  init(reading bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    limit = SaveHistory.limit(inHead: lines.first ?? [])
    for line in lines.dropFirst() {
      guard let save = SaveEntry(line: line) else {
        damaged += 1
        continue
      }
      saves.append(save)
    }
    // A few more are there until the file is written anew.
    saves = saves.suffix(limit)
  }
}

// Writing
extension SaveHistory {
  static let usualLimit = 1000

  static func head(_ limit: Int) -> [UInt8] { Array("{\"history\": 1, \"keep\": \(limit)}\n".utf8) }

  static func limit(inHead line: ArraySlice<UInt8>) -> Int {
    guard let node = try? JSONNode(reading: Array(line)),
      case .number(let digits)? = node["keep"]?.kind
    else { return usualLimit }
    return Int(digits) ?? usualLimit
  }

  /// Begins to keep saves, or keeps another number of them.
  package func keep(_ limit: Int) throws(Refusal) {
    try withFile(creating: true) { file, bytes throws(Refusal) in
      let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst()
      try rewrite(lines.suffix(limit), limit)
    }
  }

  /// Takes the history away.
  package func forget() throws(Refusal) {
    if unlinkat(place.folder, place.history, 0) != 0, errno != ENOENT { throw Refusal() }
  }

  /// Adds a save with the next number; false where no history is kept.
  package func add(_ save: SaveEntry) throws(Refusal) -> Bool {
    try withFile(creating: false) { file, bytes throws(Refusal) in
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      let limit = Self.limit(inHead: lines.first ?? [])
      var save = save
      // The last line may be cut, and its number with it.
      save.number = (lines.compactMap { SaveEntry.number(ofLine: $0) }.max() ?? 0) + 1
      // Now and then, and not at each save, the oldest go.
      if lines.count > limit + limit / 4 + 16 {
        return try rewrite(lines.dropFirst().suffix(limit - 1) + [save.line[...]], limit)
      }
      let isCut = bytes.last != UInt8(ascii: "\n")
      try write((isCut ? [UInt8(ascii: "\n")] : []) + save.line + [UInt8(ascii: "\n")], to: file)
    }
  }

  /// Runs while nobody else writes; false where there is no file.
  @discardableResult
  private func withFile(
    creating: Bool, _ body: (Int32, [UInt8]) throws(Refusal) -> Void
  ) throws(Refusal) -> Bool {
    for _ in 0..<100 {
      guard let file = try open(O_RDWR | O_APPEND | (creating ? O_CREAT : 0)) else { return false }
      defer { close(file) }
      guard flock(file, LOCK_EX) == 0 else { throw Refusal() }
      // Somebody may have put another one in its place meanwhile.
      guard isNamed(file) else { continue }
      try body(file, try bytes(of: file))
      return true
    }
    return false
  }

  private func isNamed(_ file: Int32) -> Bool {
    var (here, there) = (stat(), stat())
    return fstat(file, &here) == 0
      && fstatat(place.folder, place.history, &there, AT_SYMLINK_NOFOLLOW) == 0
      && here.st_ino == there.st_ino && here.st_dev == there.st_dev
  }

  /// A new file in the place of the old one.
  private func rewrite(
    _ lines: some Sequence<ArraySlice<UInt8>>, _ limit: Int
  ) throws(Refusal) {
    let name = place.history + ".new"
    unlinkat(place.folder, name, 0)
    let file = openat(
      place.folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Refusal() }
    defer { close(file) }
    giveRights(to: file)
    var bytes = Self.head(limit)
    for line in lines { bytes += line + [UInt8(ascii: "\n")] }
    try write(bytes, to: file)
    guard fsync(file) == 0 else { throw Refusal() }
    guard renameat(place.folder, name, place.folder, place.history) == 0 else { throw Refusal() }
  }

  /// Who may read and write the document may read and write its history.
  private func giveRights(to file: Int32) {
    var status = stat()
    guard fstatat(place.folder, place.document, &status, 0) == 0 else { return }
    if fchown(file, status.st_uid, status.st_gid) == 0 || status.st_uid == geteuid() {
      _ = fchmod(file, status.st_mode & 0o777)
    }
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(Refusal) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Refusal() }
      rest = rest.dropFirst(count)
    }
  }
}
