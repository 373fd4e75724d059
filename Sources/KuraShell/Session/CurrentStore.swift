import Foundation
import KuraStore
import KuraValues

/// The open store of a session, or a graph without a store.
struct CurrentStore {
  /// The destination of `save`.
  enum Home: Hashable {
    /// None: the graph was created in memory, or the store came through a pipe.
    case memory
    /// None: the graph was read from plain JSON, in a file or a pipe.
    case plain(StoreSource)
    /// The store's file.
    case file(String)
  }

  var home: Home
  let zone: ZoneRules
  /// The zone's identifier in the document.
  var timeZoneID: String?
  /// The identifier of the zone for a new document, unless another is chosen: the machine's.
  private(set) var newTimeZoneID: String?
  var userInfo: String?
  /// Whether `--read-only` is set; the keeper knows other reasons.
  var isReadOnly = false
  /// Whether this session has saved to it.
  var hasSaved = false
  /// Saves to the file; nil if there is no file, or it is not a store.
  var keeper: StoreKeeper?
  /// The cache of its columns, to be called at changes and at the end.
  var cache: StoreCache?

  init(home: Home, zone: ZoneRules = .utc) {
    self.home = home
    self.zone = zone
  }

  /// Creates a graph without a file, with dates in a zone.
  init(inMemory zoneID: String) {
    self.init(home: .memory, zone: TimeZone(identifier: zoneID).map { ZoneRules($0) } ?? .utc)
    newTimeZoneID = zoneID
  }

  /// Creates the state for contents that were read from a source.
  init(_ opened: StoreContents, from source: StoreSource) {
    let zone = opened.zone
    switch source {
    case .file(let path) where opened.isStore: self.init(home: .file(path), zone: zone)
    case .standardInput where opened.isStore: self.init(home: .memory, zone: zone)
    case .file, .standardInput, .files: self.init(home: .plain(source), zone: zone)
    }
    timeZoneID = opened.timeZoneID
    userInfo = opened.userInfo
  }
}

extension CurrentStore {
  /// Whether nothing is known that would prevent `save` from writing it.
  var canBeSaved: Bool { !isReadOnly && keeper?.readOnly == nil }

  /// The path of the file that was read, whether a store or plain JSON.
  var source: String? {
    if case .plain(.file(let path)) = home { path } else { path }
  }

  /// The files that were read, which must not be overwritten by accident.
  var sources: [String] {
    if case .plain(let source) = home { source.paths } else { path.map { [$0] } ?? [] }
  }

  /// The store's path, if it has a file.
  var path: String? { if case .file(let path) = home { path } else { nil } }
}

extension Session {
  /// The options for opening stores: `--no-lock`, `--drop-damaged-save`, `--lock-timeout`.
  var keeping: KeepingOptions {
    var keeping = launch.keeping(hasPerson: services.ask != nil)
    keeping.cancel = services.cancel
    keeping.cache = caching
    return keeping
  }
}
