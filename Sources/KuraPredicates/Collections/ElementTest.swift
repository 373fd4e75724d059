import KuraDiagnostics
import KuraValues

/// Tests elements of a collection with one predicate. `now()` is the same for all of them.
struct ElementTest<Element> {
  private let test: PreparedTest
  private var evaluator: Evaluator
  private let root: (Element) throws -> Value
  /// The test that reads keys directly from an element, if the predicate needs only keys.
  private var direct: ((Element) throws -> Bool?)?
  /// Whether all elements are known to be objects that consist only of keys.
  private var isKnown = false

  private init(_ prepared: PreparedPredicate, root: @escaping (Element) throws -> Value) {
    test = prepared.test
    evaluator = prepared.evaluator()
    self.root = root
  }

  /// Creates a test that reads, encodes or inspects each element, depending on its type.
  init(_ question: BoundPredicate) {
    self =
      Self.reading(Element.self, question) ?? Self.encoding(Element.self, question)
      ?? Self(question.prepared) { try Value(untyped: $0) }
  }

  /// Creates a test in which each element is SELF.
  init(reading question: BoundPredicate) where Element: ValueConvertible {
    self.init(question.prepared, root: Element.root)
    guard let type = Element.self as? any KeyReadable.Type else { return }
    direct = (question.prepared.directly(type) as? AnyElementTest<Element>)?.test
  }

  /// Creates a test that encodes the keys of each element that the predicate reads.
  init(encoding question: BoundPredicate) where Element: Encodable {
    let picker = KeyPicker<Element>(question.prepared.keys)
    self.init(question.prepared) { try picker.value(of: $0) }
    guard let test = question.prepared.direct(PickedValues.self) else { return }
    isKnown = true
    direct = { element in try picker.pick(from: element).map { try test($0) } }
  }

  /// Creates a test that reads each element with the key paths of the predicate.
  init(_ predicate: TypedPredicate<Element>, _ environment: PredicateEnvironment) {
    let prepared = predicate.tree.prepared(in: environment)
    self.init(prepared) { predicate.root($0) }
    guard let test = prepared.direct(PathReader<Element>.self) else { return }
    isKnown = true
    direct = { try test(PathReader(root: $0, readers: predicate.readers)) }
  }

  mutating func callAsFunction(_ element: Element) throws -> Bool {
    if let direct, try isObject(element), let answer = try direct(element) { return answer }
    evaluator.root = try root(element)
    return try test(evaluator)
  }
}

extension ElementTest {
  /// Returns whether an element is an object. The value of a `KeyReadable` type can also be
  /// something else.
  private mutating func isObject(_ element: Element) throws -> Bool {
    if isKnown { return true }
    if case .object = try root(element) { isKnown = true } else { direct = nil }
    return isKnown
  }
}

extension ElementTest {
  private static func reading(_ type: Any.Type, _ question: BoundPredicate) -> ElementTest? {
    func made<Known: ValueConvertible>(_: Known.Type) -> Any {
      ElementTest<Known>(reading: question)
    }
    return (type as? any ValueConvertible.Type).flatMap { made($0) as? ElementTest }
  }

  private static func encoding(_ type: Any.Type, _ question: BoundPredicate) -> ElementTest? {
    func made<Known: Encodable>(_: Known.Type) -> Any { ElementTest<Known>(encoding: question) }
    return (type as? any Encodable.Type).flatMap { made($0) as? ElementTest }
  }
}

/// A test for elements of a type that only its creator knows.
private struct AnyElementTest<Element> {
  let test: DirectTest<Element>
}

extension PreparedPredicate {
  fileprivate func directly<Element: KeyReadable>(_ type: Element.Type) -> Any? {
    direct(type).map { AnyElementTest(test: $0) }
  }
}

/// A predicate and the values of its variables, to evaluate for a collection.
struct BoundPredicate {
  let prepared: PreparedPredicate

  init(
    _ predicate: some PredicateConvertible, _ variables: [String: Value],
    _ environment: PredicateEnvironment
  ) throws(Diagnostic) {
    prepared = try predicate.predicate().prepared(variables: variables, in: environment)
  }

  init(
    _ predicate: some PredicateConvertible, untyped variables: [String: Any?],
    _ environment: PredicateEnvironment
  ) throws {
    try self.init(predicate, variables.predicateValues(), environment)
  }
}

extension ElementTest where Element: ValueConvertible {
  /// Calls a closure with a test in which each element is SELF. The closure throws only diagnostics.
  static func reading<Result>(
    _ predicate: some PredicateConvertible, _ variables: [String: Value],
    _ environment: PredicateEnvironment, _ body: (ElementTest) throws -> Result
  ) throws(Diagnostic) -> Result {
    try ElementRoot.diagnosing {
      try body(ElementTest(reading: BoundPredicate(predicate, variables, environment)))
    }
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

  func allSatisfy(in sequence: some Sequence<Element>) throws -> Bool {
    var test = self
    return try sequence.allSatisfy { try test($0) }
  }

  func removeAll(from collection: inout some RangeReplaceableCollection<Element>) throws {
    var test = self
    try collection.removeAll { try test($0) }
  }
}
