import Foundation
package import KuraGraph

/// `STORE.cache-NAME`: the orders of requests that are kept beside a store, a file for each name.
///
/// Each belongs to one state of the store and to one request; nothing depends on them, and they may be
/// deleted at any moment.
package struct OrderFiles: Sendable {
  private let place: StorePlace
  private let files: FileOperations
  /// Nil: they are only removed.
  private let state: String?
  private let program: String
  /// Whether files may be written here.
  private let writes: Bool

  fileprivate init(
    _ keeper: JournaledDocument<StoreContents>, state: String?, program: String, writes: Bool
  ) {
    (place, files) = (keeper.place, keeper.files)
    (self.state, self.program, self.writes) = (state, program, writes)
  }
}

extension StoreKeeper {
  /// Where orders are kept for what is on the disk now, which the first who asks reads once for its name;
  /// nil where that is not known, as of a document that somebody writes.
  package func orders(program: String, writes: Bool) -> OrderFiles? {
    guard let state = keeper.stateName else { return nil }
    return OrderFiles(keeper, state: state, program: program, writes: writes)
  }

  /// Where they are, to remove them.
  package var orderFiles: OrderFiles {
    OrderFiles(keeper, state: nil, program: "", writes: false)
  }
}

extension JournaledDocument {
  /// What names the state that was read or saved last: the document's content and the last record.
  fileprivate var stateName: String? {
    guard !mustFold, let name = try? documentName(&known) else { return nil }
    let journal = known.journal.map { "\($0.lastNumber) \($0.lastCheck.hexadecimal)" }
    return "\(name.hash.text) \(name.size) \(journal ?? "0")"
  }
}

extension OrderFiles: OrderCache {
  package func order(_ name: String, of request: String) -> KeptOrderFound {
    guard let file = read(fileName(name)) else { return .nothing }
    guard let kept = try? OrderFile(file), kept.name == name, kept.state == state,
      kept.request == OrderFile.request(request, of: program)
    else { return .another }
    return .order(kept.order)
  }

  package func keep(_ order: KeptOrder, _ name: String, of request: String) {
    guard writes, let state, mayWrite(fileName(name)) else { return }
    let request = OrderFile.request(request, of: program)
    let file = OrderFile(name: name, state: state, request: request, order: order)
    write(file.bytes, fileName(name))
  }
}

// Removing
extension OrderFiles {
  /// Removes what is kept under a name; false where nothing was.
  package func remove(_ name: String) -> Bool {
    let file = fileName(name)
    return isOurs(file) && remove(file: file)
  }

  /// Removes all, and says what they were called.
  package func removeAll() -> [String] {
    names.filter { remove(file: fileName($0)) }
  }

  /// The names under which something is kept.
  package var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folderPath)) ?? []
    return files.filter { $0.hasPrefix(prefix) }.compactMap { file in
      read(file).flatMap { try? OrderFile($0) }.flatMap { kept in
        fileName(kept.name) == file ? kept.name : nil
      }
    }.sorted()
  }

  private var folderPath: String {
    let folder = URL(fileURLWithPath: StorePlace.resolved(place.path)).deletingLastPathComponent()
    return folder.path
  }

  private var prefix: String { place.document + ".cache-" }

  /// A name of letters, digits, `-` and `_` is that of its file; another one has a hash of it.
  private func fileName(_ name: String) -> String {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    if isPlain, (1...80).contains(name.utf8.count) { return prefix + name }
    return prefix + "." + UInt64(checksumOf: name.utf8).hexadecimal
  }
}

// The files
extension OrderFiles {
  /// What stands in a file of ours that nobody else can have written.
  private func read(_ name: String) -> [UInt8]? {
    guard let descriptor = try? files.open(place.folder, name, .reading, 0) else { return nil }
    let file = OpenFile(descriptor, files)
    guard let status = try? files.status(file.descriptor), status.kind == .file,
      status.owner == geteuid(), status.mode & 0o022 == 0
    else { return nil }
    return try? files.readAll(file.descriptor)
  }

  private func isOurs(_ name: String) -> Bool { read(name).map(OrderFile.isOne) ?? false }

  /// Somebody's file that happens to have the name stays.
  private func mayWrite(_ name: String) -> Bool {
    (try? files.statusOfName(place.folder, name)) == nil || isOurs(name)
  }

  /// Under another name first: what was cut off stands there. Two who write at once may leave what is not
  /// whole, which nobody believes. What cannot be written is not, and nothing waits for the disk.
  private func write(_ bytes: [UInt8], _ name: String) {
    let temporary = prefix + ".new"
    if (try? files.statusOfName(place.folder, temporary))?.kind == .file { remove(file: temporary) }
    guard let descriptor = try? files.open(place.folder, temporary, .fresh, 0o600) else { return }
    let file = OpenFile(descriptor, files)
    do throws(FileError) {
      try files.writeAll(file.descriptor, bytes, at: 0)
      try files.rename(place.folder, temporary, name)
    } catch {
      remove(file: temporary)
    }
  }

  @discardableResult
  private func remove(file name: String) -> Bool {
    (try? files.remove(place.folder, name)) != nil
  }
}
