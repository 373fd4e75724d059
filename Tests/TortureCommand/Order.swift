import Torture

/// The arguments of the command: `[--workers N] [SECONDS [TRIAL,… [SEED [ROUNDS]]]]`
struct Order {
  var seconds = 60.0
  var trials = Trial.all
  var seed = UInt64.random(in: 1..<1_000_000) * 1_000_000
  var rounds: Int?
  /// The number of rounds that may run at once.
  var workers = 2
  /// The number of seconds after which a round counts as hanging.
  var patience = 180.0
  var isListing = false

  init(_ arguments: [String]) throws(WrongOrder) {
    var rest = arguments[...]
    while let option = rest.first, option.hasPrefix("--") {
      rest.removeFirst()
      try take(option, &rest)
    }
    if let word = rest.popFirst() { seconds = try Self.number(word) }
    if let names = rest.popFirst(), names != "all" { trials = try Self.trials(names) }
    if let word = rest.popFirst() { seed = try Self.number(word) }
    if let word = rest.popFirst() { rounds = try Self.number(word) as Int }
    if let word = rest.first { throw WrongOrder("\"\(word)\" is an extra argument") }
  }

  private mutating func take(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(WrongOrder) {
    switch option {
    case "--list": isListing = true
    case "--workers": workers = max(1, try Self.number(rest.popFirst() ?? ""))
    case "--patience": patience = try Self.number(rest.popFirst() ?? "")
    default: throw WrongOrder("there is no option \(option)")
    }
  }

  private static func trials(_ names: String) throws(WrongOrder) -> [Trial] {
    var result: [Trial] = []
    for name in names.split(separator: ",") {
      guard let trial = Trial.named(name) else {
        throw WrongOrder("there is no trial \(name); --list lists them")
      }
      result.append(trial)
    }
    return result
  }

  static func number<Number: LosslessStringConvertible>(
    _ word: String
  ) throws(WrongOrder) -> Number {
    guard let number = Number(word) else { throw WrongOrder("\"\(word)\" is not a number") }
    return number
  }
}

/// An error in the arguments.
struct WrongOrder: Error, CustomStringConvertible {
  private var reason: String

  init(_ reason: String) { self.reason = reason }

  var description: String {
    "torture: \(reason)\nusage: torture [--workers N] [--patience SECONDS] "
      + "[SECONDS [TRIAL,… [SEED [ROUNDS]]]], or torture --list"
  }
}
