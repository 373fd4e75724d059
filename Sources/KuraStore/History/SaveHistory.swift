import Foundation
import KuraBytes
import KuraDiagnostics
import KuraJSON
import KuraSentences

/// `STORE.history`: the saves of a store, one per line, up to a chosen number.
///
/// No save depends on it. It is written after a save is on the disk, while the store is still
/// locked; an incomplete line is skipped.
package struct SaveHistory: Sendable {
  private let place: StorePlace
  private let files: FileOperations
  private let cancel: CancelFlag

  init(_ place: StorePlace, _ files: FileOperations, _ cancel: CancelFlag) {
    (self.place, self.files, self.cancel) = (place, files, cancel)
  }

  /// The reason why the history was not read or written.
  package struct Refusal: Error {
    package let reason: String

    /// Uses the system's error message.
    init() { reason = String(cString: strerror(errno)).lowercased() }

    init(_ reason: String) { self.reason = reason }

    fileprivate init(_ failure: KeepingFailure, _ place: StorePlace) {
      let problems = StoreProblems(keeping: failure, path: place.path)
      reason = problems?.diagnostics.first?.facts.sentence ?? ""
    }
  }

  package struct Contents: Sendable {
    /// The greatest number of recorded saves.
    package var limit: Int
    /// The saves, the oldest first.
    package var saves: [SaveEntry] = []
    /// The number of damaged lines.
    package var damaged = 0
    /// The name of the store's state after the last save; nil if not known.
    package var state: String?
    /// Whether a damaged line follows the last save.
    package var endsInGap = false
  }
}

extension StoreKeeper {
  package var history: SaveHistory { keeper.history }

  /// Begins to record saves, or changes how many are recorded.
  package func keepHistory(_ limit: Int) throws(SaveHistory.Refusal) {
    try history.keep(limit, state: state)
  }
}

extension JournaledDocument {
  var history: SaveHistory { SaveHistory(place, files, options.cancel) }
}

// Reading
extension SaveHistory {
  /// Whether there is a history; costs one system call.
  var isKept: Bool { ((try? files.statusOfName(place.folder, place.history)) ?? nil) != nil }

  /// Reads the history; nil if there is none.
  package func read() throws(Refusal) -> Contents? {
    guard let file = try open(O_RDONLY) else { return nil }
    defer { close(file) }
    return try Contents(reading: try bytes(of: file), cancel)
  }

  private func open(_ flags: Int32) throws(Refusal) -> Int32? {
    try check(.history, for: flags & O_RDWR == 0 ? .reading : .writing)
    let file = openat(
      place.folder, place.history, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else { throw Refusal() }
    return file
  }

  /// Throws if the file exists and Kura did not write it as this kind.
  private func check(_ file: StoreFile, for kind: OpenKind = .writing) throws(Refusal) {
    do throws(KeepingFailure) {
      try place.check(place.name(of: file), as: file, files, for: kind)
    } catch {
      throw Refusal(error, place)
    }
  }

  private func bytes(of file: Int32) throws(Refusal) -> [UInt8] {
    let read = try FileLimit.history.read(size: try size(of: file), cancel) {
      (window, place) throws(Refusal) in
      let count = pread(file, window.baseAddress, window.count, off_t(place))
      guard count >= 0 else { throw Refusal() }
      return count
    }
    switch read {
    case .whole(let bytes): return bytes
    case .tooLarge: throw .tooLarge
    case .stopped: throw .stopped
    }
  }

  private func size(of file: Int32) throws(Refusal) -> Int64 {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Refusal() }
    guard status.st_size <= FileLimit.history.bytes else { throw .tooLarge }
    return Int64(status.st_size)
  }
}

extension SaveHistory.Refusal {
  static var tooLarge: Self {
    Self(localized("it is larger than \(FileLimit.history.megabytes) MB"))
  }

  static var stopped: Self { Self(localized("it was interrupted")) }
}

// Writing
extension SaveHistory {
  /// Begins to record saves, or changes how many are recorded; `state` names the store's current state.
  func keep(_ limit: Int, state: String? = nil) throws(Refusal) {
    try withFile(creating: true) { file throws(Refusal) in
      let lines = try bytes(of: file).split(separator: UInt8(ascii: "\n"))
      let state = lines.isEmpty ? state : HistoryHead(lines[0]).state
      try rewrite(lines.dropFirst(), HistoryHead(limit: limit, state: state))
    }
  }

  /// Removes the history.
  package func forget() throws(Refusal) {
    try check(.history)
    if unlinkat(place.folder, place.history, 0) != 0, errno != ENOENT { throw Refusal() }
  }

  /// Adds a save with the next number; returns false if there is no history. Linear in this save
  /// and the previous one; the oldest saves are removed only from time to time.
  func add(_ save: SaveEntry) throws(Refusal) -> Bool {
    try withFile(creating: false) { file throws(Refusal) in
      let end = try HistoryEnd(of: file, size: try size(of: file), cancel)
      var save = save
      save.number = end.nextNumber
      guard SaveEntry.numbers.contains(save.number) else {
        throw Refusal(localized("the last save has the highest number allowed"))
      }
      let head = try self.head(of: file)
      try append(save.line, end, to: file)
      guard save.number - head.first >= Int64(head.head.limit + head.head.limit / 4 + 16) else {
        return
      }
      let lines = try bytes(of: file).split(separator: UInt8(ascii: "\n"))
      try rewrite(lines.dropFirst(), HistoryHead(limit: head.head.limit, state: head.head.state))
    }
  }

  /// Records that the same content has another name now.
  func noteFold(from before: String, to after: String) throws(Refusal) {
    try withFile(creating: false) { file throws(Refusal) in
      let end = try HistoryEnd(of: file, size: try size(of: file), cancel)
      try append(HistoryLine.fold(before, after), end, to: file)
    }
  }

  /// Returns the first line, and the number of the first save.
  private func head(of file: Int32) throws(Refusal) -> (head: HistoryHead, first: Int64) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(file, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Refusal() }
    let lines = bytes[..<count].split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    let first = lines.count > 1 ? SaveEntry.number(ofLine: lines[1]) : nil
    return (HistoryHead(lines.first ?? []), first ?? 1)
  }

  private func append(_ line: [UInt8], _ end: HistoryEnd, to file: Int32) throws(Refusal) {
    if end.isEmpty, ftruncate(file, 0) != 0 { throw Refusal() }
    let start =
      end.isEmpty ? HistoryHead([]).bytes : end.isTorn ? [UInt8(ascii: "\n")] : []
    try write(start + line + [UInt8(ascii: "\n")], to: file)
  }

  /// Runs `body` while no other process writes; returns false if there is no file.
  @discardableResult
  private func withFile(
    creating: Bool, _ body: (Int32) throws(Refusal) -> Void
  ) throws(Refusal) -> Bool {
    for _ in 0..<100 {
      guard let file = try open(O_RDWR | O_APPEND | (creating ? O_CREAT : 0)) else { return false }
      defer { close(file) }
      guard flock(file, LOCK_EX) == 0 else { throw Refusal() }
      // Another process may have replaced the file meanwhile.
      guard isNamed(file) else { continue }
      try body(file)
      return true
    }
    return false
  }

  /// Returns the name of the state after the last removed save. With it, a change between that save
  /// and the first remaining one stays a gap. Returns nil after a damaged line.
  private func stateAfter(_ lines: ArraySlice<ArraySlice<UInt8>>) throws(Refusal) -> String? {
    var removed = Contents(limit: 1)
    for line in lines where !line.isEmpty { removed.add(HistoryLine(line, cancel)) }
    if cancel.isRequested { throw .stopped }
    return removed.endsInGap ? "" : removed.state
  }

  private func isNamed(_ file: Int32) -> Bool {
    var (here, there) = (stat(), stat())
    return fstat(file, &here) == 0
      && fstatat(place.folder, place.history, &there, AT_SYMLINK_NOFOLLOW) == 0
      && here.st_ino == there.st_ino && here.st_dev == there.st_dev
  }

  /// Replaces the file with a new one that has the newest saves.
  private func rewrite(
    _ lines: ArraySlice<ArraySlice<UInt8>>, _ head: HistoryHead
  ) throws(Refusal) {
    let saves = lines.indices.filter { SaveEntry.number(ofLine: lines[$0]) != nil }
    let kept = saves.count > head.limit ? lines[saves[saves.count - head.limit]...] : lines
    var head = head
    if kept.count < lines.count {
      let last = saves[saves.count - head.limit - 1]
      head.state = try stateAfter(lines[last..<kept.startIndex])
    }
    let name = place.name(of: .newHistory)
    try check(.newHistory)
    unlinkat(place.folder, name, 0)
    let file = openat(
      place.folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Refusal() }
    defer { close(file) }
    giveRights(to: file)
    try write(head.bytes, to: file)
    for line in kept { try write(line + [UInt8(ascii: "\n")], to: file) }
    guard fsync(file) == 0 else { throw Refusal() }
    guard renameat(place.folder, name, place.folder, place.history) == 0 else { throw Refusal() }
  }

  /// Sets the history's owner and mode to the document's.
  private func giveRights(to file: Int32) {
    var status = stat()
    guard fstatat(place.folder, place.document, &status, 0) == 0 else { return }
    if fchown(file, status.st_uid, status.st_gid) == 0 || status.st_uid == geteuid() {
      _ = fchmod(file, status.st_mode & 0o777)
    }
  }

  private func write(_ bytes: some Collection<UInt8>, to file: Int32) throws(Refusal) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Refusal() }
      rest = rest.dropFirst(count)
    }
  }
}

extension SaveHistory.Contents {
  init(reading bytes: [UInt8], _ cancel: CancelFlag) throws(SaveHistory.Refusal) {
    var rest = bytes[...].drop { $0 == UInt8(ascii: "\n") }
    let head = HistoryHead(rest.takeLine())
    (limit, state) = (head.limit, head.state)
    while !rest.isEmpty {
      let line = rest.takeLine()
      if line.isEmpty { continue }
      let read = HistoryLine(line, cancel)
      // A line is not damaged if its reading was cancelled.
      if cancel.isRequested { throw .stopped }
      add(read)
    }
    // The file may have more saves than the limit until it is rewritten.
    saves = saves.suffix(limit)
  }

  /// Adds the next line; nil for a damaged one.
  fileprivate mutating func add(_ line: HistoryLine?) {
    switch line {
    case .save(var save) where save.number > saves.last?.number ?? 0:
      let isOther = state != nil && save.before != nil && state != save.before
      let isNext = saves.last.map { $0.number + 1 == save.number } ?? true
      save.followsGap = endsInGap || isOther || !isNext
      saves.append(save)
      (state, endsInGap) = (save.after, false)
    case .fold(let before, let after):
      if state == before || state == nil { state = after }
    case .save, nil:
      damaged += 1
      endsInGap = true
    }
  }
}

extension ArraySlice<UInt8> {
  /// Removes the first line and its line feed, and returns the line.
  fileprivate mutating func takeLine() -> ArraySlice<UInt8> {
    let end = firstIndex(of: UInt8(ascii: "\n")) ?? endIndex
    let line = self[..<end]
    self = self[end...].dropFirst()
    return line
  }
}

/// The first line: `{"history": 1, "keep": 1000, "state": "…"}`
struct HistoryHead {
  var limit = 1000
  /// The name of the store's state before the first save; nil if not known.
  var state: String?

  static let limits = 1...1_000_000

  init(limit: Int, state: String?) {
    self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    self.state = state
  }

  /// A damaged line gives the default values.
  init(_ line: ArraySlice<UInt8>) {
    guard let members = try? RecordMembers(reading: line) else { return }
    if let keep = members["keep"]?.integer.flatMap(Int.init(exactly:)), Self.limits.contains(keep) {
      limit = keep
    }
    state = members["state"]?.string
  }

  var bytes: [UInt8] {
    var bytes = Array("{\"history\": 1, \"keep\": \(limit)".utf8)
    if let state {
      bytes += Array(#", "state": "#.utf8)
      JSONWriter.append(state, to: &bytes)
    }
    return bytes + Array("}\n".utf8)
  }
}

/// The state at the end of a history that the next line needs, found without reading the rest.
struct HistoryEnd {
  private(set) var nextNumber: Int64 = 1
  private(set) var isEmpty: Bool
  /// Whether the last line is incomplete, and its save is lost.
  private(set) var isTorn = false

  private static let window = 1 << 16
  /// `\n{"save": 9007199254740992,`
  private static let longestStart = 32

  init(of file: Int32, size: Int64, _ cancel: CancelFlag) throws(SaveHistory.Refusal) {
    isEmpty = size == 0
    guard !isEmpty else { return }
    isTorn = try Self.read(file, size - 1, 1) != [UInt8(ascii: "\n")]
    var end = size
    var isLastLine = true
    while end > 0 {
      if cancel.isRequested { throw .stopped }
      let start = max(0, end - Int64(Self.window))
      let bytes = try Self.read(file, start, Int(end - start) + Self.longestStart)
      let inWindow = min(bytes.count, Int(end - start))
      for i in stride(from: inWindow - 1, through: 0, by: -1) where bytes[i] == UInt8(ascii: "\n") {
        guard start + Int64(i) + 1 < size else { continue }
        if let number = SaveEntry.number(ofLine: bytes[(i + 1)...]) {
          // An incomplete line without a number was the save after that one.
          nextNumber = number + (isTorn && !isLastLine ? 2 : 1)
          return
        }
        isLastLine = false
      }
      end = start
    }
    // An incomplete first line has no meaning.
    if isTorn, isLastLine { isEmpty = true }
  }

  private static func read(
    _ file: Int32, _ place: Int64, _ count: Int
  ) throws(SaveHistory.Refusal) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(file, &bytes, count, off_t(place))
    guard got >= 0 else { throw SaveHistory.Refusal() }
    return Array(bytes[..<got])
  }
}
