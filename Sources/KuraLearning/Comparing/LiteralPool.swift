import Foundation
import KuraModel
import KuraPredicates
import KuraValues

/// Values near the literals of two predicates, for which the predicates may differ.
struct LiteralPool {
  /// The literals that are compared with each key.
  private var literals: [String: [Value]] = [:]
  /// The values derived from them, by key and type.
  private var known: [String: [Value]] = [:]

  init(_ trees: [PredicateTree], _ variables: [String: Value]) {
    for tree in trees { add(tree, variables) }
  }
}

extension LiteralPool {
  private mutating func add(_ tree: PredicateTree, _ variables: [String: Value]) {
    for comparison in tree.allNodes.comparisons {
      var (keys, values) = (Set<String>(), [Value]())
      for side in [comparison.left, comparison.right] {
        for part in TreeNode.expression(side).allNodes.expressions {
          Self.add(part, &keys, &values, variables)
        }
      }
      for key in keys { literals[key, default: []] += values }
    }
  }

  private static func add(
    _ tree: ExpressionTree, _ keys: inout Set<String>, _ values: inout [Value],
    _ variables: [String: Value]
  ) {
    switch tree.kind {
    case .keyPath(let path): for step in path.components { keys.insert(step.name) }
    case .constant(let constant): values += constant.value.flat
    case .variable(let name): values += variables[name]?.flat ?? []
    default: break
    }
  }

  /// Returns values of an attribute that equal, or are next to, the literals that it is compared
  /// with.
  mutating func values(near attribute: Attribute) -> [Value] {
    let name = "\(attribute.type.rawValue) \(attribute.name)"
    if let values = known[name] { return values }
    let values = Self.values(of: attribute.type, near: literals[attribute.name] ?? [])
    known[name] = values
    return values
  }

  /// Returns the literals themselves, as values of the attribute's type.
  func exact(_ attribute: Attribute) -> [Value] {
    let own = literals[attribute.name] ?? []
    if attribute.type.isNumeric {
      return Self.numbers(own.compactMap(\.decimalValue), attribute.type)
    }
    return own.filter { $0.kind.rawValue == attribute.type.rawValue }
  }

  /// Returns the counts that a to-many relationship is compared with, and their neighbors.
  func counts(near key: String) -> [Int] {
    let numbers = (literals[key] ?? []).compactMap { value -> Int? in
      guard case .integer(let number) = value, (0...24).contains(number) else { return nil }
      return Int(number)
    }
    return numbers.flatMap { [max(0, $0 - 1), $0, $0 + 1] }
  }

  /// Returns values of a type that do not depend on a literal.
  static func usual(_ type: AttributeType) -> [Value] {
    switch type {
    case .integer, .integer16, .integer32, .double, .float, .decimal:
      numbers([0, 1, 2, -1, 10], type)
    case .string: ["x", "X", "é", "", "ab"].map { .string($0) }
    case .boolean: [.boolean(false), .boolean(true)]
    case .date:
      [0, 946_684_800, 1_767_225_600].map { .date(Timestamp(microseconds: $0 * 1_000_000)) }
    case .uuid: [.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 64, 8, 128, 10, 11, 12, 13, 14, 15, 16)))]
    case .uri: [.uri("https://example.com"), .uri("x:y")]
    case .binary: [.binary([]), .binary([1])]
    case .json: [.integer(1), .string("x"), .list([.integer(1)])]
    }
  }

  private static func values(of type: AttributeType, near literals: [Value]) -> [Value] {
    switch type {
    case .integer, .integer16, .integer32, .double, .float, .decimal:
      numbers(literals.compactMap(\.decimalValue).flatMap(\.neighbors), type)
    case .string: literals.flatMap(\.texts).map { .string($0) }
    case .date: literals.flatMap(\.moments).map { .date($0) }
    case .boolean, .uuid, .uri, .binary: literals.filter { $0.kind.rawValue == type.rawValue }
    case .json: literals.filter { $0.kind != .object && $0.kind != .date }
    }
  }

  /// Returns the numbers that a type can represent, as its values.
  private static func numbers(_ numbers: [Decimal], _ type: AttributeType) -> [Value] {
    numbers.compactMap { number in
      switch type {
      case .decimal: return .decimal(number)
      case .float: return Double("\(number)").map { .double(Double(Float($0))) }
      case .double: return Double("\(number)").map { .double($0) }
      default:
        guard let whole = Int64("\(number)"), type.integerRange?.contains(whole) ?? false else {
          return nil
        }
        return .integer(whole)
      }
    }
  }
}

extension Decimal {
  fileprivate var neighbors: [Decimal] {
    [self, self, self - 1, self + 1, self - Decimal(1) / 2, self + Decimal(1) / 2, -self, 0]
      + [self / 2, self * 2]
  }
}

extension Value {
  /// The value, or its elements.
  fileprivate var flat: [Value] { elements?.flatMap(\.flat) ?? (isNull ? [] : [self]) }

  fileprivate var decimalValue: Decimal? {
    switch self {
    case .integer(let number): Decimal(number)
    case .decimal(let number): number
    case .double(let number): number.magnitude < 1e15 ? NumberText.decimal("\(number)") : nil
    default: nil
    }
  }

  /// The moments at a date and next to it; a number may be a year, a month, a day or an hour.
  fileprivate var moments: [Timestamp] {
    let (second, day) = (Int64(1_000_000), Int64(86_400_000_000))
    switch self {
    case .date(let date):
      return [0, 0, second, -second, day, -day, 370 * day, -370 * day].compactMap { step in
        let (moment, overflow) = date.microseconds.addingReportingOverflow(step)
        return overflow ? nil : Timestamp(microseconds: moment)
      }
    case .integer(let number) where (1...9998).contains(number):
      let years = [number - 1970, number - 1969].map { $0 * 365 * day + $0 / 4 * day + 180 * day }
      let parts =
        number > 31 ? [] : [30 * number - 15, number - 1, number].map { 19_723 * day + $0 * day }
      let hours = number > 24 ? [] : [19_800 * day + number * 3600 * second]
      return (years + parts + hours).map { Timestamp(microseconds: $0) }
    default: return []
    }
  }

  /// Texts that equal this one, differ in what comparisons may ignore, begin or end with it,
  /// contain it, or match it as a pattern; for a number, texts of that length.
  var texts: [String] {
    switch self {
    case .string(let text): text.relatives
    case .integer(let number) where (0...40).contains(number):
      [number - 1, number, number + 1].filter { $0 >= 0 }
        .map { String(repeating: "x", count: Int($0)) } + ["\(number)"]
    default: []
    }
  }
}

extension String {
  fileprivate var relatives: [String] {
    let own = [self, uppercased(), lowercased(), marked, unmarked]
    let longer = own.flatMap { [$0, $0 + "x", "x" + $0, "x" + $0 + "x"] } + [self + self]
    let shorter = [String(dropFirst()), String(dropLast()), ""]
    return longer + shorter + (isPattern ? asPattern.flatMap { [$0, $0.uppercased()] } : [])
  }

  /// The text with a diacritic on its first letter: `é` for `e`, `が` for `か`.
  private var marked: String {
    guard let first = unicodeScalars.first else { return self }
    let isKana = (0x3041...0x30FE).contains(first.value)
    var scalars = String.UnicodeScalarView([first, isKana ? "\u{3099}" : "\u{301}"])
    scalars.append(contentsOf: unicodeScalars.dropFirst())
    return String(scalars)
  }

  /// The text without diacritics: `e` for `é`, `か` for `が`.
  private var unmarked: String {
    String(
      String.UnicodeScalarView(
        decomposedStringWithCanonicalMapping.unicodeScalars.filter(\.isPlain)))
  }

  private var isPattern: Bool { contains { "*?.[\\+(".contains($0) } }

  /// Texts that LIKE or MATCHES would accept if each sign of the pattern had its simplest meaning.
  private var asPattern: [String] {
    let signs = Set("*?.+[](){}^$\\|")
    let plain = filter { !signs.contains($0) }
    let filled = map { signs.contains($0) ? "a" : String($0) }.joined()
    let digits = replacing("[0-9]+", with: "7").replacing("\\d", with: "7").replacing(
      ".*", with: ""
    )
    .replacing("[0-9]", with: "7")
    let any = replacing(".*", with: "zz").replacing("*", with: "zz").replacing("?", with: "z")
    return [plain, filled, digits, any, replacing(".*", with: "").replacing("*", with: "")]
      + split(separator: "|").map { $0.filter { !signs.contains($0) } }
  }
}

extension Unicode.Scalar {
  /// Whether it is not a combining mark.
  fileprivate var isPlain: Bool {
    !properties.isDiacritic && properties.canonicalCombiningClass == .notReordered
  }
}
