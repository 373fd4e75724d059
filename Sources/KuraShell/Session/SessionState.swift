package import Foundation
import KuraFetch
package import KuraGraph
package import KuraRendering
package import KuraStore
package import KuraValues

/// What a session remembers from one statement to the next.
package struct SessionState {
  package var context: ManagedObjectContext
  package var store: OpenStore
  /// The contexts around the present one, with the names of those that `begin` opened in them.
  var scratches: [ScratchContext] = []
  /// Which statements of scripts have changed what since the last save.
  var trace = ChangeTrace()
  /// `let $home = …`, `--arg`; objects in them by identity.
  package var variables: [String: Value] = [:]
  /// The entity of the objects in a variable that a fetch gave.
  var variableEntities: [String: String] = [:]
  /// `_`
  var lastFetch: LastFetch?
  package var format: OutputFormat
  package var nullText = "NULL"
  package var isTimed = false
  /// How long a statement may take; nil: as long as it likes.
  package var timeout: Duration?
  /// Each statement that changes is held to the rules of the model.
  var isValidating = false
  /// What `.timezone` or `--timezone` said.
  package var chosenZone: ZoneRules?
  package var locale: Locale
  /// Errors do not stop a script.
  package var keepsGoing = false
  package var savesAtEnd = false
  /// `--dry-run`: a save says what it would write.
  var isDryRun = false
  /// `--safe`: nothing is touched but the store.
  var isSafe = false
  /// `--read-only`
  var opensReadOnly = false
  /// What becomes of changes that meet those of others.
  var mergePolicy = MergePolicy.error
  /// How stores are kept: `--no-lock`, `--drop-damaged-save`.
  var keeping = KeepingOptions()
  /// A store was opened of which saves could not be read: what was asked of it is not the whole.
  var lacksSaves = false
  /// The first failure's.
  package var status = ExitStatus.done
  /// `.quit` was read, or nobody reads the results any more.
  package var isLeaving = false
  /// It was said that what is changed under `--read-only` cannot be saved.
  var isWarned = false
  /// The question of unsaved changes met the end of input, and nothing was typed since.
  var gotNoAnswer = false
  /// How many scripts are reading each other.
  var depth = 0
}

/// The store that is open, or what stands for one.
package struct OpenStore {
  /// Where `save` writes.
  package enum Home: Sendable, Hashable {
    /// Nowhere: the graph was made in memory, or the store came through a pipe.
    case memory
    /// Nowhere: it was read from plain JSON, here or in a pipe.
    case plain(StoreSource)
    /// A store's file.
    case file(String)
  }

  package var home: Home
  package var zone: ZoneRules
  /// As the document has it.
  package var timeZoneID: String?
  package var userInfo: String?
  /// By `--read-only`; what else keeps a store from being written, its keeper knows.
  package var isReadOnly = false
  /// Whether this session has saved into it.
  var hasSaved = false
  /// Saves into the file; nil where there is none, or what it was is no store.
  package var keeper: StoreKeeper?

  package init(home: Home, zone: ZoneRules = .utc, timeZoneID: String? = nil) {
    self.home = home
    self.zone = zone
    self.timeZoneID = timeZoneID
  }
}

extension SessionState {
  /// Literals are read and dates printed in it.
  package var zone: ZoneRules { chosenZone ?? store.zone }
}

extension OpenStore {
  /// Whether nothing is known that keeps `save` from writing it.
  var canBeSaved: Bool { !isReadOnly && keeper?.readOnly == nil }

  /// The file that was read, a store's or plain JSON, if it was one.
  var source: String? {
    if case .plain(.file(let path)) = home { path } else { path }
  }

  /// The file's path, if there is one.
  var path: String? { if case .file(let path) = home { path } else { nil } }

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
