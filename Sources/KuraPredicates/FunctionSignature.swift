/// A function as people call it: its name, how many arguments it takes, and a word of help.
public struct FunctionSignature: Sendable, Hashable {
  /// What a `FunctionCall` carries: `sum:`, `add:to:`, `daysBetween`.
  public let selector: String
  /// What it may be called by, the usual name first: `average`, `average:`.
  public let names: [String]
  /// How many arguments it takes.
  public let arguments: Arguments
  /// One line of help.
  public let summary: String
  /// A call, `sum({1, 2, 3})`, and what it gives, `6`.
  public let example: (call: String, result: String)
  /// Whether it is Kura's own, which no Apple platform has.
  public let isOwn: Bool

  /// How many arguments a function takes.
  public enum Arguments: Sendable, Hashable {
    /// `now()`, `length(s)`, `modulus:by:(a, b)`
    case exactly(Int)
    /// `sum({1, 2})`, which is also `sum(1, 2)`
    case collection
    /// `concat(a, b, …)`
    case atLeast(Int)
  }

  /// Equal by selector.
  public static func == (a: FunctionSignature, b: FunctionSignature) -> Bool {
    a.selector == b.selector
  }

  /// Hashes the selector.
  public func hash(into hasher: inout Hasher) { hasher.combine(selector) }
}

extension FunctionSignature.Arguments {
  /// Whether so many arguments will do.
  package func accepts(_ count: Int) -> Bool {
    switch self {
    case .exactly(let wanted): count == wanted
    case .collection: count >= 1
    case .atLeast(let wanted): count >= wanted
    }
  }
}

extension FunctionSignature {
  /// A function of NSExpression; the name without its colon is one too if it has one argument.
  static func apple(
    _ selector: String, _ arguments: Arguments, _ summary: String,
    _ example: (call: String, result: String), alsoCalled others: String...
  ) -> FunctionSignature {
    let isShort = selector.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1
    let short = isShort ? [String(selector.dropLast())] : []
    return FunctionSignature(
      selector: selector, names: short + [selector] + others, arguments: arguments,
      summary: summary, example: example, isOwn: false)
  }

  /// A function of Kura's own.
  static func own(
    _ name: String, _ arguments: Arguments, _ summary: String,
    _ example: (call: String, result: String)
  ) -> FunctionSignature {
    FunctionSignature(
      selector: name, names: [name], arguments: arguments, summary: summary, example: example,
      isOwn: true)
  }
}
