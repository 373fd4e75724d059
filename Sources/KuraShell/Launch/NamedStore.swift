import Foundation
import KuraDiagnostics
import KuraSentences
import KuraStore

/// A store that a notebook or a lesson names.
///
/// Such a file may come from another user: it opens only stores in its own folder, in the current
/// folder, and in their subfolders, after symbolic links are resolved.
struct NamedStore {
  let name: String
  /// The folder of the file that contains the name, with a slash at the end; empty for the current
  /// folder.
  let folder: String

  init(_ name: String, namedIn file: String) {
    self.name = name
    folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }
}

extension NamedStore {
  /// Returns the path in the folder of the file that contains the name, if the store exists there.
  func pathInSameFolder() throws(Failure) -> String? {
    try allowed([name.hasPrefix("/") ? name : folder + name])
  }

  /// Returns the path in the current folder, or in the folder of the file that contains the name.
  func path() throws(Failure) -> String? {
    try allowed(name.hasPrefix("/") ? [name] : [name, folder + name])
  }

  /// Returns the first of these paths that exists; throws if it is outside both folders.
  private func allowed(_ paths: [String]) throws(Failure) -> String? {
    let present = paths.filter { access($0, F_OK) == 0 }
    let allowed = present.first { isInside($0, "") || isInside($0, folder) }
    if allowed == nil, !present.isEmpty { throw Failure(NamedStoreProblem.outside(name)) }
    return allowed
  }

  private func isInside(_ path: String, _ folder: String) -> Bool {
    let folder = StorePlace.resolvingSymlinks(folder.isEmpty ? "." : folder)
    return StorePlace.resolvingSymlinks(path).hasPrefix(folder == "/" ? folder : folder + "/")
  }
}

/// The reason why a named store is not opened.
private enum NamedStoreProblem: DiagnosticFacts {
  /// `store=/etc/passwd`
  case outside(String)

  var sentence: String {
    switch self {
    case .outside(let name):
      localized(
        "the store \"\(name)\" is neither in the folder of the file that names it nor in the current folder"
      )
    }
  }

  var help: String? {
    localized("copy it into one of these folders, or start kura in a folder that contains it")
  }
}
