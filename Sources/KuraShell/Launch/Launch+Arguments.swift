extension Launch {
  /// The arguments with each `--arg NAME VALUE` as `--arg=NAME=VALUE`, which a parser of options can
  /// take.
  package static func joiningPairs(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return joined + [argument] + rest }
      if argument == "--arg", let name = rest.first, let value = rest.dropFirst().first {
        joined.append("--arg=\(name)=\(value)")
        rest = rest.dropFirst(2)
      } else {
        joined.append(argument)
      }
    }
    return joined
  }

  /// Lets a name be a string: `who=O'Brien`.
  package mutating func addArgument(_ pair: String) throws(Failure) {
    guard let equals = pair.firstIndex(of: "="), equals > pair.startIndex else {
      throw Failure(ShellFacts.argumentWithoutValue(pair))
    }
    arguments[String(pair[..<equals])] = String(pair[equals...].dropFirst())
  }

  /// Reads the seconds that a save waits for the lock.
  package static func lockTimeout(_ seconds: Double) throws(Failure) -> Duration {
    guard seconds >= 0, seconds <= 1e9 else { throw Failure(ShellFacts.badLockTimeout) }
    return .seconds(seconds)
  }

  /// A script does not wait for ever; a person says when it is enough.
  func lockTimeout(hasPerson: Bool) -> Duration? {
    lockTimeout ?? (hasPerson ? nil : .seconds(30))
  }
}
