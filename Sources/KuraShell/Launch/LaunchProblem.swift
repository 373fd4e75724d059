import Foundation
import KuraDiagnostics
import KuraSentences
import KuraStore

extension Launch {
  /// Throws if options contradict each other.
  func check() throws(Failure) {
    if let contradiction { throw Failure(contradiction) }
  }

  private var contradiction: LaunchProblem? {
    switch store {
    case .file where creates && isLenient: .createsLenient
    case .file: creates && isReadOnly ? .createsReadOnly : nil
    case .files(let sources, _)
    where sources.contains(.standardInput) && scripts.contains(where: LiveFiles.isStandardInput):
      .standardInputTwice
    case .files(let sources, _)
    where sources.contains(.standardInput) && statements.isEmpty && scripts.isEmpty:
      .standardInputWithoutStatements
    case .files: nil
    case nil: creates ? .createsNothing : nil
    case .standardInput:
      if creates {
        .createsNothing
      } else if scripts.contains(where: LiveFiles.isStandardInput) {
        .standardInputTwice
      } else {
        statements.isEmpty && scripts.isEmpty ? .standardInputWithoutStatements : nil
      }
    }
  }
}

extension LaunchProblem {
  /// Returns the problem of a word that is an option in other programs; nil for any other word.
  static func optionAsStore(_ word: String) -> LaunchProblem? {
    let options = [
      "help": "--help", "usage": "--help", "options": "--help", "version": "--version",
      "create": "--create FILE", "new": "--create FILE", "init": "--create FILE",
      "man": "generate man",
    ]
    return options[word].map { .optionAsStore(word, option: $0) }
  }
}

/// A problem with a command line.
enum LaunchProblem: DiagnosticFacts {
  /// `--arg who`
  case argumentWithoutValue(String)
  case badLockTimeout
  /// `kura --create`, `kura --create -`
  case createsNothing
  /// `kura --create --read-only todo.json`
  case createsReadOnly
  /// `kura --create --lenient todo.json`
  case createsLenient
  /// `kura --create a.json b.json`
  case createsSeveral
  /// `kura --union`
  case unionOfNothing
  /// `--create FILE` if that file exists
  case createsOver(path: String)
  /// `--create /dev/null`
  case createsNoFile(path: String)
  /// `kura -`
  case standardInputWithoutStatements
  /// `kura - -f -`
  case standardInputTwice
  /// `kura 'count Item'`
  case statementAsStore(String, word: String)
  /// `kura help`, with the option to use instead
  case optionAsStore(String, option: String)
  /// `kura report.kura`, `kura todo.json report.kura`
  case scriptWithoutOption(String)
  /// `kura todo.json fetch Item where …`
  case unquotedStatement(String)

  var sentence: String {
    switch self {
    case .argumentWithoutValue(let name):
      localized("--arg needs a name and a value, found only \"\(name)\"")
    case .badLockTimeout:
      localized("--lock-timeout needs a number of seconds from 0 to 1,000,000,000")
    case .createsNothing: localized("--create needs the name of the new file")
    case .createsReadOnly: localized("--create and --read-only cannot be combined")
    case .createsLenient: localized("--create and --lenient cannot be combined")
    case .createsSeveral: localized("--create needs the name of one new file")
    case .unionOfNothing: localized("--union needs the files that it unites")
    case .createsOver(let path): localized("\"\(path)\" already exists")
    case .createsNoFile(let path):
      localized("\"\(path)\" is not a regular file, so it cannot hold a store")
    case .standardInputWithoutStatements:
      localized("with -, pass the statements as arguments or with -f")
    case .standardInputTwice: localized("the store and the script cannot both be standard input")
    case .statementAsStore(let text, _):
      localized("there is no file \"\(text)\"; it looks like a statement")
    case .optionAsStore(let word, _): localized("there is no file \"\(word)\"")
    case .scriptWithoutOption(let path): localized("\"\(path)\" is a script")
    case .unquotedStatement(let word): localized("\"\(word)\" is not a complete statement")
    }
  }

  var help: String? {
    switch self {
    case .argumentWithoutValue: localized("write --arg NAME VALUE")
    case .badLockTimeout: localized("write --lock-timeout 30")
    case .unionOfNothing: localized("write kura --union a.jsonl b.jsonl 'count input'")
    case .createsOver: localized("open it without --create, or choose another name")
    case .createsNoFile: localized("choose the name of a regular file")
    case .statementAsStore(_, let word):
      localized(
        "put the store first: kura STORE '\(word) …'; without a store: kura \"\" '\(word) …'")
    case .optionAsStore(_, let option): localized("write kura \(option)")
    case .scriptWithoutOption(let path): localized("write kura STORE -f \(path)")
    case .unquotedStatement(let word):
      localized("put the statement in quotes: kura STORE '\(word) …'")
    case .createsNothing, .createsReadOnly, .createsLenient, .createsSeveral,
      .standardInputWithoutStatements,
      .standardInputTwice:
      nil
    }
  }
}

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
