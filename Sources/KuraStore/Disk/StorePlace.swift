import Foundation

/// Where a store is: its folder, held open, and the names of its files there.
package struct StorePlace: Sendable {
  /// The path as the user gave it, for messages and for reading.
  package var path: String
  package var folder: Int32
  /// Keeps the folder open as long as somebody knows the place.
  private var heldFolder: OpenFile?
  /// The document, D.
  package var document: String
  /// `STORE.journal`, J.
  package var journal: String { document + ".journal" }
  /// `STORE.lock`, K.
  package var lock: String { document + ".lock" }
  /// `STORE.new`, T: a new document before it has the name.
  package var temporary: String { document + ".new" }
  /// A new journal before it has the name.
  package var newJournal: String { document + ".journal.new" }

  package init(path: String, folder: Int32, document: String) {
    self.path = path
    self.folder = folder
    self.document = document
  }
}

extension StorePlace {
  /// The place of the file behind a path and its symbolic links.
  package init(path: String, _ files: FileOperations) throws(FileError) {
    let target = StorePlace.resolved(path)
    let url = URL(fileURLWithPath: target)
    let folder = try files.openFolder(url.deletingLastPathComponent().path)
    self.init(path: path, folder: folder, document: url.lastPathComponent)
    heldFolder = OpenFile(folder, files)
  }

  /// Whether a path leads to the document of a store, or to a file beside it that belongs to it.
  package static func isFile(_ path: String, ofStoreAt store: String) -> Bool {
    let place = StorePlace(path: store, folder: -1, document: absolute(store))
    return [place.document, place.journal, place.lock, place.temporary, place.newJournal]
      .contains(absolute(path))
  }

  private static func absolute(_ path: String) -> String {
    let url = URL(fileURLWithPath: resolved(path))
    return resolved(url.deletingLastPathComponent().path) + "/" + url.lastPathComponent
  }

  /// The file behind symbolic links; of one that is not there, its folder behind them.
  private static func resolved(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    return path
  }
}
