import KuraDiagnostics
public import KuraValues

/// Asks one predicate of the elements of a collection, all at the same moment.
struct ElementTest<Element> {
  private let test: PreparedTest
  private var evaluator: Evaluator
  private let root: (Element) throws -> Value
  /// Asks an element for its keys, if that is all that the predicate needs.
  private var direct: ((Element) throws -> Bool?)?
  /// Whether it is known that elements are objects, whose keys are all that there is.
  private var isKnown = false

  private init(_ prepared: PreparedPredicate, root: @escaping (Element) throws -> Value) {
    test = prepared.test
    evaluator = prepared.evaluator()
    self.root = root
  }

  /// Each element is SELF as what `root` makes of it.
  init(_ question: Question, root: @escaping (Element) throws -> Value) throws(Diagnostic) {
    self.init(question.prepared, root: root)
  }

  /// Each element is SELF as it is.
  init(reading question: Question) where Element: ValueConvertible {
    self.init(question.prepared, root: Element.root)
    guard let type = Element.self as? any KeyReadable.Type else { return }
    direct = (question.prepared.directly(type) as? ReadyTest<Element>)?.test
  }

  /// Each element is encoded, as far as it is asked for.
  init(encoding question: Question) throws(Diagnostic) where Element: Encodable {
    let picker = KeyPicker<Element>(question.prepared.keys)
    self.init(question.prepared) { try picker.value(of: $0) }
    guard let test = question.prepared.direct(PickedValues.self) else { return }
    isKnown = true
    direct = { element in try picker.pick(from: element).map { try test($0) } }
  }

  /// Each element is read by the key paths of a predicate.
  init(_ question: Question, by predicate: TypedPredicate<Element>) throws(Diagnostic) {
    self.init(question.prepared) { predicate.root($0) }
    guard let test = question.prepared.direct(PathReader<Element>.self) else { return }
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
  /// Whether an element is an object: a type may say that its values are something else.
  private mutating func isObject(_ element: Element) throws -> Bool {
    if isKnown { return true }
    if case .object = try root(element) { isKnown = true } else { direct = nil }
    return isKnown
  }
}

/// A test of a type that is known only to its maker.
private struct ReadyTest<Element> {
  let test: DirectTest<Element>
}

extension PreparedPredicate {
  fileprivate func directly<Element: KeyReadable>(_ type: Element.Type) -> Any? {
    direct(type).map { ReadyTest(test: $0) }
  }
}

/// A predicate with the values of its variables, which is asked of a collection.
struct Question {
  let prepared: PreparedPredicate

  init(
    _ predicate: some PredicateConvertible, _ variables: [String: Value],
    _ environment: PredicateEnvironment
  ) throws(Diagnostic) {
    prepared = try predicate.predicate().prepared(variables: variables, in: environment)
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
  /// Whether anything `Encodable` fulfils the predicate; it is encoded for this, but only the keys
  /// that are asked for.
  ///
  ///     struct Song: Codable { var title: String }
  ///     try PredicateTree(parsing: "title LIKE[c] '*moon*'").evaluate(encoding: Song(title: "Blue Moon"))
  ///
  /// A key that the type does not encode is an error. Linear in the keys that are asked for, and in the
  /// tree for most. Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    let root = try KeyPicker(keysOfSelf).value(of: object)
    return try evaluate(on: root, in: environment.context(variables))
  }
}

extension ExpressionTree {
  /// The value of the expression for anything `Encodable`; it is encoded for this.
  ///
  /// A key that the type does not encode is an error. Linear in the keys that are asked for, and in the
  /// tree for most. Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(
    encoding object: some Encodable, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Value {
    let root = try KeyPicker(keysOfSelf).value(of: object)
    return try evaluate(on: root, in: environment.context(variables))
  }
}
