import Foundation
import KuraGraph
import KuraStore
import KuraValues

/// The store that a session has open, or what stands for one.
struct CurrentStore {
  /// Where `save` writes.
  enum Home: Hashable {
    /// Nowhere: the graph was made in memory, or the store came through a pipe.
    case memory
    /// Nowhere: it was read from plain JSON, here or in a pipe.
    case plain(StoreSource)
    /// A store's file.
    case file(String)
  }

  var home: Home
  let zone: ZoneRules
  /// As the document has it.
  var timeZoneID: String?
  /// In which a new document has its dates, if nobody chooses another: the machine's.
  private(set) var newTimeZoneID: String?
  var userInfo: String?
  /// By `--read-only`; what else keeps a store from being written, its keeper knows.
  var isReadOnly = false
  /// Whether this session has saved into it.
  var hasSaved = false
  /// Saves into the file; nil where there is none, or what it was is no store.
  var keeper: StoreKeeper?
  /// What the cache of its columns is asked at changes and at the end.
  var cache: StoreCache?

  init(home: Home, zone: ZoneRules = .utc) {
    self.home = home
    self.zone = zone
  }

  /// A graph that is in no file, with dates in a zone.
  init(inMemory zoneID: String) {
    self.init(home: .memory, zone: TimeZone(identifier: zoneID).map { ZoneRules($0) } ?? .utc)
    newTimeZoneID = zoneID
  }

  /// What was read from a source.
  init(_ opened: StoreContents, from source: StoreSource) {
    let zone = opened.timeZoneID.flatMap(TimeZone.init(identifier:)).map { ZoneRules($0) } ?? .utc
    switch source {
    case .file(let path) where opened.isStore: self.init(home: .file(path), zone: zone)
    case .standardInput where opened.isStore: self.init(home: .memory, zone: zone)
    case .file, .standardInput: self.init(home: .plain(source), zone: zone)
    }
    timeZoneID = opened.timeZoneID
    userInfo = opened.userInfo
  }
}

extension CurrentStore {
  /// Whether nothing is known that keeps `save` from writing it.
  var canBeSaved: Bool { !isReadOnly && keeper?.readOnly == nil }

  /// The file that was read, a store's or plain JSON, if it was one.
  var source: String? {
    if case .plain(.file(let path)) = home { path } else { path }
  }

  /// The file's path, if there is one.
  var path: String? { if case .file(let path) = home { path } else { nil } }
}

extension Session {
  /// How stores are kept: `--no-lock`, `--drop-damaged-save`, `--lock-timeout`.
  var keeping: KeepingOptions {
    var keeping = launch.keeping(hasPerson: surroundings.ask != nil)
    keeping.cancel = surroundings.cancel
    keeping.cache = caching
    return keeping
  }
}
