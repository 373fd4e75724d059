import KuraDiagnostics
public import KuraValues

/// Asks one predicate of the elements of a collection, all at the same moment.
struct ElementTest<Element> {
  private let test: PreparedTest
  private var evaluator: Evaluator
  private let root: (Element) throws -> Value

  /// Each element is SELF as what `root` makes of it.
  init(
    _ predicate: some PredicateConvertible, _ variables: [String: Value],
    root: @escaping (Element) throws -> Value
  ) throws(Diagnostic) {
    let prepared = try predicate.predicate().prepared(variables: variables)
    test = prepared.test
    evaluator = prepared.evaluator()
    self.root = root
  }

  mutating func callAsFunction(_ element: Element) throws -> Bool {
    evaluator.root = try root(element)
    return try test(evaluator)
  }
}

extension ElementTest {
  func elements(of sequence: some Sequence<Element>) throws -> [Element] {
    var test = self
    return try sequence.filter { try test($0) }
  }

  func first(in sequence: some Sequence<Element>) throws -> Element? {
    var test = self
    return try sequence.first { try test($0) }
  }

  func count(in sequence: some Sequence<Element>) throws -> Int {
    var test = self
    return try sequence.count { try test($0) }
  }
}

extension ValueConvertible {
  /// The value as SELF: a dictionary of values is an object, as `evaluate(_:)` has it.
  static func root(_ element: Self) -> Value {
    // The types first: asking each element what it is would cost more than most predicates.
    if Self.self == [String: Value].self, let object = element as? [String: Value] {
      return .object(ObjectReference(object))
    }
    return element.predicateValue
  }
}

extension PredicateTree {
  /// Whether anything `Encodable` fulfils the predicate; it is encoded for this.
  ///
  ///     struct Song: Codable { var title: String }
  ///     try PredicateTree(parsing: "title LIKE[c] '*moon*'").evaluate(encoding: Song(title: "Blue Moon"))
  ///
  /// Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:]
  ) throws -> Bool {
    try evaluate(value: ValueEncoder().encode(object), variables: variables)
  }
}

extension ExpressionTree {
  /// The value of the expression for anything `Encodable`; it is encoded for this.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:]
  ) throws -> Value {
    let root = try ValueEncoder().encode(object)
    return try evaluate(on: root, in: EvaluationContext(variables: variables))
  }
}
