/// The subset of ICU's regular expressions that is regular and unambiguous.
///
/// For everything else (look-around, back references, flags, possessive repetition), `init` returns nil, and ICU matches.
struct RegularSyntax {
  let tree: Node

  indirect enum Node: Sendable {
    /// One scalar of a set: `a`, `[0-9]`
    case one(ScalarSet)
    /// `ab`
    case sequence([Node])
    /// `a|b`
    case choice([Node])
    /// `a*`, `a{2,3}`; nil: any number
    case several(Node, ClosedRange<Int>?, least: Int)
    /// `\b`, or `\B`: no boundary
    case wordBoundary(isNegated: Bool)
  }

  init(tree: Node) { self.tree = tree }

  init?(_ pattern: String) {
    var scalars = Array(pattern.unicodeScalars)
    // The whole text is matched anyway.
    if !scalars.contains("|") {
      if scalars.first == "^" { scalars.removeFirst() }
      if scalars.last == "$", scalars.dropLast().last != "\\" { scalars.removeLast() }
    }
    // In `(?s)`, a dot reads line ends too.
    let dotsReadAll = scalars.starts(with: "(?s)".unicodeScalars)
    if dotsReadAll { scalars.removeFirst(4) }
    guard !scalars.isEmpty else { return nil }
    var reader = RegularReader(scalars: scalars, dot: dotsReadAll ? .one(.all) : .dot)
    guard let tree = reader.choice(depth: 0), reader.isAtEnd else { return nil }
    self.tree = tree
  }
}

/// Reads a pattern; every part returns nil for unsupported syntax.
private struct RegularReader {
  typealias Node = RegularSyntax.Node
  let scalars: [Unicode.Scalar]
  /// The meaning of a dot.
  let dot: Node
  var place = 0

  var isAtEnd: Bool { place == scalars.count }
  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  mutating func choice(depth: Int) -> Node? {
    guard depth < 50, let first = sequence(depth) else { return nil }
    var choices = [first]
    while next == "|" {
      place += 1
      guard let more = sequence(depth) else { return nil }
      choices.append(more)
    }
    return choices.count == 1 ? first : .choice(choices)
  }

  private mutating func sequence(_ depth: Int) -> Node? {
    var parts: [Node] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      guard let one = atom(depth), let part = repeated(one) else { return nil }
      parts.append(part)
    }
    return .sequence(parts)
  }

  private mutating func atom(_ depth: Int) -> Node? {
    guard let scalar = next else { return nil }
    place += 1
    switch scalar {
    case "(": return group(depth)
    case "[": return set().map { .one($0) }
    case ".": return dot
    case "\\": return boundary() ?? escape().map { .one($0) }
    case "^", "$", "*", "+", "?", "{", "}", "]": return nil
    default: return .one(ScalarSet(scalar))
    }
  }

  private mutating func group(_ depth: Int) -> Node? {
    if next == "?" {
      guard place + 1 < scalars.count, scalars[place + 1] == ":" else { return nil }
      place += 2
    }
    guard let inner = choice(depth: depth + 1), next == ")" else { return nil }
    place += 1
    return inner
  }

  private mutating func boundary() -> Node? {
    guard next == "b" || next == "B", ScalarSet.word != nil else { return nil }
    defer { place += 1 }
    return .wordBoundary(isNegated: next == "B")
  }

  private mutating func escape() -> ScalarSet? {
    guard let scalar = next else { return nil }
    place += 1
    switch scalar {
    case "n": return ScalarSet("\n")
    case "r": return ScalarSet("\r")
    case "t": return ScalarSet("\t")
    case "p", "P": return property().map { scalar == "p" ? $0 : $0.inverted }
    default:
      if let set = ScalarSet.named(scalar) { return set }
      return scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9" ~= scalar)
        ? ScalarSet(scalar) : nil
    }
  }

  /// Reads `{Han}`, `{Lu}`, `{Script=Greek}`.
  private mutating func property() -> ScalarSet? {
    guard next == "{", let end = scalars[place...].firstIndex(of: "}") else { return nil }
    let name = String(String.UnicodeScalarView(scalars[place...end]))
    place = end + 1
    guard name.utf8.dropFirst().dropLast().allSatisfy(\.mayBeInProperty) else { return nil }
    return ScalarSet(property: "[\\p\(name)]")
  }

  private mutating func set() -> ScalarSet? {
    var result = ScalarSet([])
    let isInverted = next == "^"
    if isInverted { place += 1 }
    var isEmpty = true
    while let scalar = next, scalar != "]" {
      guard let low = member() else { return nil }
      isEmpty = false
      guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else {
        result = result.union(low)
        continue
      }
      place += 1
      guard let from = low.only, let high = member()?.only, from <= high else { return nil }
      result = result.union(ScalarSet([from.value...high.value]))
    }
    guard next == "]", !isEmpty else { return nil }
    place += 1
    return isInverted ? result.inverted : result
  }

  private mutating func member() -> ScalarSet? {
    guard let scalar = next else { return nil }
    place += 1
    switch scalar {
    case "\\": return escape()
    // Set operations, nested sets, and what ICU reads as strings or blanks
    case "[", "&", "-", "{", "}", "^", ":", "$": return nil
    default: return ScalarSet(scalar)
    }
  }

  private mutating func repeated(_ one: Node) -> Node? {
    guard let scalar = next else { return one }
    if case .wordBoundary = one { return "*+?{".unicodeScalars.contains(scalar) ? nil : one }
    let result: Node
    switch scalar {
    case "*": result = .several(one, nil, least: 0)
    case "+": result = .several(one, nil, least: 1)
    case "?": result = .several(one, 0...1, least: 0)
    case "{":
      guard let interval = interval() else { return nil }
      result = .several(one, interval.range, least: interval.least)
    default: return one
    }
    place += 1
    // A lazy repetition matches the same texts; a possessive one does not.
    if next == "?" { place += 1 } else if next == "+" { return nil }
    if let after = next, "*+?{".unicodeScalars.contains(after) { return nil }
    return result
  }

  /// Reads `{2}`, `{2,}`, `{2,5}`; stops before the closing brace.
  private mutating func interval() -> (range: ClosedRange<Int>?, least: Int)? {
    guard let end = scalars[place...].firstIndex(of: "}") else { return nil }
    let text = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    place = end
    guard parts.count <= 2, let least = Int(parts[0]), (0...50).contains(least) else { return nil }
    if parts.count == 1 { return (least...least, least) }
    if parts[1].isEmpty { return (nil, least) }
    guard let most = Int(parts[1]), (least...50).contains(most) else { return nil }
    return (least...most, least)
  }
}

extension RegularSyntax.Node {
  /// `.`: any scalar, or a return with its line feed, which ICU reads as one.
  static let dot = Self.choice([
    .one(.notReturn), .sequence([.one(ScalarSet("\r")), .one(ScalarSet("\n"))]), .one(.loneReturn),
  ])
}

extension RegularSyntax {
  /// The longest run of bytes that every matching text contains.
  var requiredLiteral: [UInt8]? {
    var best = ""
    var run = ""
    RegularSyntax.collect(tree, &run, &best)
    if run.utf8.count > best.utf8.count { best = run }
    return best.isEmpty ? nil : Array(best.utf8)
  }

  private static func collect(_ node: Node, _ run: inout String, _ best: inout String) {
    func end() {
      if run.utf8.count > best.utf8.count { best = run }
      run = ""
    }
    switch node {
    case .one(let set):
      if let scalar = set.only { run.unicodeScalars.append(scalar) } else { end() }
    case .sequence(let parts): for part in parts { collect(part, &run, &best) }
    case .choice: end()
    case .wordBoundary: break
    case .several(let inner, _, let least):
      end()
      if least > 0 {
        collect(inner, &run, &best)
        end()
      }
    }
  }
}

extension UInt8 {
  /// Whether the name of a property may contain the byte.
  fileprivate var mayBeInProperty: Bool {
    Unicode.Scalar(self).properties.isAlphabetic || 0x30...0x39 ~= self
      || "_= -".utf8.contains(self)
  }
}
