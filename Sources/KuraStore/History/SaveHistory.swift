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
  private let cancel: CancelFlag

  init(_ place: StorePlace, _ cancel: CancelFlag) { (self.place, self.cancel) = (place, cancel) }

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
  package func keepHistory(_ limit: Int) throws(SidecarProblem) {
    try history.keep(limit, state: state)
  }
}

extension JournaledDocument {
  var history: SaveHistory { SaveHistory(place, options.cancel) }
}

extension SaveHistory {
  /// Whether there is a history; costs one system call.
  var isKept: Bool { ((try? place.status(of: .history)) ?? nil) != nil }

  /// Reads the history; nil if there is none.
  package func read() throws(SidecarProblem) -> Contents? {
    try SidecarProblem.convertingErrors(place.path) {
      guard try place.has(.history, for: .reading) else { return nil }
      return try Contents(reading: place.open(.history, .reading).readAll(cancel), cancel)
    }
  }

  /// Begins to record saves, or changes how many are recorded; `state` names the store's current state.
  func keep(_ limit: Int, state: String? = nil) throws(SidecarProblem) {
    try withFile(creating: true) { file in
      let lines = try lines(of: file)
      let state = lines.isEmpty ? state : HistoryHead(lines[0]).state
      try rewrite(lines.dropFirst(), HistoryHead(limit: limit, state: state))
    }
  }

  /// Removes the history.
  package func forget() throws(SidecarProblem) {
    try SidecarProblem.convertingErrors(place.path) { _ = try place.removeIfThere(.history) }
  }

  /// Adds a save with the next number; returns false if there is no history. Linear in this save
  /// and the previous one; the oldest saves are removed only from time to time.
  func add(_ save: SaveEntry) throws(SidecarProblem) -> Bool {
    try withFile(creating: false) { file in
      let end = try HistoryEnd(of: file, cancel)
      var save = save
      save.number = end.nextNumber
      guard SaveEntry.numbers.contains(save.number) else {
        throw SidecarProblem(localized("the last save has the highest number allowed"))
      }
      let (head, first) = try head(of: file)
      try append(save.line, end, to: file)
      guard save.number - first >= Int64(head.limit + head.limit / 4 + 16) else { return }
      try rewrite(lines(of: file).dropFirst(), head)
    }
  }

  /// Records that the same content has another name now.
  func noteFold(from before: String, to after: String) throws(SidecarProblem) {
    try withFile(creating: false) { file in
      try append(HistoryLine.fold(before, after), HistoryEnd(of: file, cancel), to: file)
    }
  }

  /// Runs `body` while no other process writes; returns false if there is no file.
  @discardableResult
  private func withFile(
    creating: Bool, _ body: (OpenFile) throws -> Void
  ) throws(SidecarProblem) -> Bool {
    try SidecarProblem.convertingErrors(place.path) {
      do {
        let file = try place.locked { () throws(KeepingFailure) in
          try place.open(.history, creating ? .creating : .writing, mode: 0o600)
        }
        try body(file)
        return true
      } catch KeepingFailure.file(let error, .history) where error.number == ENOENT {
        return false
      }
    }
  }
}

// The lines of the file
extension SaveHistory {
  private func lines(of file: OpenFile) throws(KeepingFailure) -> [ArraySlice<UInt8>] {
    try file.readAll(cancel).split(separator: UInt8(ascii: "\n"))
  }

  /// Returns the first line, and the number of the first save.
  private func head(of file: OpenFile) throws(KeepingFailure) -> (HistoryHead, first: Int64) {
    let lines = try file.read(at: 0, upTo: 4096).split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    let first = lines.count > 1 ? SaveEntry.number(ofLine: lines[1]) : nil
    return (HistoryHead(lines.first ?? []), first ?? 1)
  }

  private func append(
    _ line: [UInt8], _ end: HistoryEnd, to file: OpenFile
  ) throws(KeepingFailure) {
    if end.isEmpty { try file.truncate(to: 0) }
    let start =
      end.isEmpty ? HistoryHead([]).bytes : end.isTorn ? [UInt8(ascii: "\n")] : []
    try file.write(start + line + [UInt8(ascii: "\n")], at: end.isEmpty ? 0 : end.size)
  }

  /// Replaces the file with a new one that has the newest saves.
  private func rewrite(_ lines: ArraySlice<ArraySlice<UInt8>>, _ head: HistoryHead) throws {
    let saves = lines.indices.filter { SaveEntry.number(ofLine: lines[$0]) != nil }
    let retained = saves.count > head.limit ? lines[saves[saves.count - head.limit]...] : lines
    var head = head
    if retained.count < lines.count {
      let last = saves[saves.count - head.limit - 1]
      head.state = try stateAfter(lines[last..<retained.startIndex])
    }
    var bytes = head.bytes
    for line in retained { bytes += line + [UInt8(ascii: "\n")] }
    let file = try newFile()
    try file.write(bytes, at: 0)
    try file.syncWhole()
    try place.rename(.newHistory, to: .history)
  }

  /// Creates a file with the access rights of the document, or for its owner alone if there is no document.
  private func newFile() throws(KeepingFailure) -> OpenFile {
    if let document = try? place.open(.document, .reading) {
      return try place.create(.newHistory, like: document).file
    }
    try place.removeIfThere(.newHistory)
    return try place.open(.newHistory, .fresh, mode: 0o600)
  }

  /// Returns the name of the state after the last removed save. With it, a change between that save
  /// and the first remaining one stays a gap. Returns nil after a damaged line.
  private func stateAfter(_ lines: ArraySlice<ArraySlice<UInt8>>) throws(KeepingFailure) -> String?
  {
    var removed = Contents(limit: 1)
    for line in lines where !line.isEmpty { removed.add(HistoryLine(line, cancel)) }
    if cancel.isRequested { throw .stopped(reading: .history) }
    return removed.endsInGap ? "" : removed.state
  }
}

extension SaveHistory.Contents {
  init(reading bytes: [UInt8], _ cancel: CancelFlag) throws(KeepingFailure) {
    var rest = bytes[...].drop { $0 == UInt8(ascii: "\n") }
    let head = HistoryHead(rest.takeLine())
    (limit, state) = (head.limit, head.state)
    while !rest.isEmpty {
      let line = rest.takeLine()
      if line.isEmpty { continue }
      let read = HistoryLine(line, cancel)
      // A line is not damaged if its reading was cancelled.
      if cancel.isRequested { throw .stopped(reading: .history) }
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
    let state = state.map { JSONNode($0) }
    let node = JSONNode(["history": JSONNode(1), "keep": JSONNode(limit), "state": state])
    return node.bytes + [UInt8(ascii: "\n")]
  }
}

/// The state at the end of a history that the next line needs, found without reading the rest.
struct HistoryEnd {
  let size: Int64
  private(set) var nextNumber: Int64 = 1
  private(set) var isEmpty: Bool
  /// Whether the last line is incomplete, and its save is lost.
  private(set) var isTorn = false

  private static let window = 1 << 16
  /// `\n{"save": 9007199254740992,`
  private static let longestStart = 32

  init(of file: OpenFile, _ cancel: CancelFlag) throws(KeepingFailure) {
    size = try file.status.size
    isEmpty = size == 0
    guard !isEmpty else { return }
    // No more is added to a history that could not be read.
    guard size <= FileLimit.history.bytes else { throw .file(FileError(.read, EFBIG), .history) }
    isTorn = try file.read(at: size - 1, upTo: 1) != [UInt8(ascii: "\n")]
    var end = size
    var isLastLine = true
    while end > 0 {
      if cancel.isRequested { throw .stopped(reading: .history) }
      let start = max(0, end - Int64(Self.window))
      let bytes = try file.read(at: start, upTo: Int(end - start) + Self.longestStart)
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
}
