import KuraDiagnostics

// What most command lines are, without a parser of options, whose reading takes as long as opening a
// small store: a process that is started for each question would pay it each time.
extension Launch {
  /// What a command line asks for that has a store, statements, and options as they are listed; nil of
  /// any other and of what is wrong, which the parser of options reads and explains.
  package static func plain(_ arguments: [String]) -> Launch? {
    var launch = Launch()
    launch.initFile = LiveFiles.home(".kurarc")
    var words: [String] = []
    var given: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        words.append(argument)
        continue
      }
      guard !given.contains(argument), launch.take(argument, from: &rest) else { return nil }
      given.append(argument)
    }
    return launch.take(words) ? launch : nil
  }

  /// The words that something else stands behind.
  private static let commands = ["check", "generate", "help", "lesson", "notebook"]

  /// Whether the words are a store and its statements, beside which the options make sense.
  private mutating func take(_ words: [String]) -> Bool {
    if let name = words.first {
      guard !Self.commands.contains(name) else { return false }
      if !name.isEmpty { store = .file(name) }
    }
    statements = Array(words.dropFirst())
    return (try? check()) != nil
  }

  /// Whether an option is of those that most people give, with what belongs behind it.
  private mutating func take(_ option: String, from rest: inout ArraySlice<String>) -> Bool {
    switch option {
    case "--no-init": initFile = nil
    case "--create": creates = true
    case "--read-only": isReadOnly = true
    case "--autosave": savesAtEnd = true
    case "--no-cache": caches = false
    case "--no-lock": takesLock = false
    case "--keep-going": keepsGoing = true
    case "-f":
      guard let file = Self.value(&rest) else { return false }
      scripts = [file]
    case "--format":
      guard let named = Self.value(&rest).flatMap({ try? Self.format(named: $0) }) else {
        return false
      }
      format = named
    default: return false
    }
    return true
  }

  private static func value(_ rest: inout ArraySlice<String>) -> String? {
    guard let value = rest.popFirst(), !value.hasPrefix("-") else { return nil }
    return value
  }
}
