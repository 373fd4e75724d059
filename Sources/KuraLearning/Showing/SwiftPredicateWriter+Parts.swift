import KuraDiagnostics
import KuraPredicates

// The compiler checks a #Predicate as one expression, and gives long ones up.
extension SwiftPredicateWriter {
  /// More than this the compiler does not check in reasonable time.
  private static let mostWeight = 4

  /// The condition, with parts of it as predicates of their own where it is long.
  mutating func splitCondition(_ predicate: PredicateTree) -> String {
    guard predicate.weight > Self.mostWeight else { return condition(predicate) }
    switch predicate.kind {
    case .and(let operands): return split(operands, " && ") { .and($0) }
    case .or(let operands): return split(operands, " || ") { .or($0) }
    case .not(let inner): return "!\(part(inner))"
    case .comparison, .truth, .constant: return condition(predicate)
    }
  }

  private mutating func split(
    _ operands: [PredicateTree], _ sign: String, _ join: ([PredicateTree]) -> PredicateTree.Kind
  ) -> String {
    var texts: [String] = []
    var rest = operands[...]
    while let first = rest.first {
      let light = rest.prefix { $0.weight <= 1 }.prefix(Self.mostWeight)
      let some = light.isEmpty ? [first] : Array(light)
      rest = rest.dropFirst(some.count)
      let isAlone = some.count == 1 && first.weight <= 1 || some.count == operands.count
      texts.append(
        isAlone
          ? joined(some, sign, empty: "")
          : part(some.count == 1 ? first : PredicateTree(join(some))))
    }
    return texts.joined(separator: sign)
  }

  /// A part as a predicate of its own, and what asks it.
  private mutating func part(_ predicate: PredicateTree) -> String {
    let text = splitCondition(predicate)
    let name = "part\(parts.count + 1)"
    parts.append(macro(named: name, text))
    return "\(name).evaluate(\(subject))"
  }

  /// `let predicate = #Predicate<Item> { item in … }`
  func macro(named name: String, _ condition: String) -> String {
    "let \(name) = #Predicate<\(typed.entity)> { \(subject) in\n  \(condition)\n}"
  }
}

extension PredicateTree {
  /// How much a compiler has to do with it, in plain comparisons.
  fileprivate var weight: Int {
    var weight = 0
    walk { node, _ in
      switch node {
      case .predicate(let tree):
        if case .comparison(let comparison) = tree.kind {
          weight += comparison.modifier == .direct ? 1 : 2
        } else if case .truth = tree.kind {
          weight += 1
        }
      case .expression(let tree):
        switch tree.kind {
        case .subquery: weight += 2
        case .function: weight += 1
        default: break
        }
      }
      return .into
    }
    return weight
  }
}
