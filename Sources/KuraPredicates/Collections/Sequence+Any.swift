package import Foundation
public import KuraDiagnostics
public import KuraValues

// Elements of any type: `Encodable`, dictionaries, Foundation classes or your own. An element that
// predicates cannot read is an error.
extension Sequence {
  /// Returns the elements that match a predicate, in order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try ElementTest(BoundPredicate(predicate, variables, environment)).elements(of: self)
  }

  /// Returns the first element that matches a predicate; nil if none does.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": 18])
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Element? {
    try ElementTest(BoundPredicate(predicate, variables, environment)).first(in: self)
  }

  /// Returns the number of elements that match a predicate.
  ///
  ///     try people.count(by: "children.@count == 0")
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Int {
    try ElementTest(BoundPredicate(predicate, variables, environment)).count(in: self)
  }

  /// Returns whether an element matches a predicate. It stops at the first one.
  ///
  ///     try people.contains(by: "age > 100")
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(BoundPredicate(predicate, variables, environment)).first(in: self) != nil
  }

  /// Returns whether all elements match a predicate. It stops at the first that does not.
  ///
  ///     try people.allSatisfy(by: "name != nil")
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Bool {
    try ElementTest(BoundPredicate(predicate, variables, environment)).allSatisfy(in: self)
  }
}

extension RangeReplaceableCollection {
  /// Removes the elements that match a predicate. If it throws, the collection is unchanged.
  ///
  ///     try people.removeAll(by: "age < 18")
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws {
    try ElementTest(BoundPredicate(predicate, variables, environment)).removeAll(from: &self)
  }
}

extension Set {
  /// Returns the elements that match a predicate, as a set.
  ///
  ///     try tags.filter(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> Set<Element> {
    Set(try ElementTest(BoundPredicate(predicate, variables, environment)).elements(of: self))
  }

  /// Removes the elements that match a predicate. If it throws, the set is unchanged.
  ///
  ///     try tags.removeAll(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass. Of an `Encodable` element, only the keys that the predicate reads are encoded.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws {
    subtract(try ElementTest(BoundPredicate(predicate, variables, environment)).elements(of: self))
  }
}

extension Sequence where Element: ValueConvertible {
  /// Returns the elements that match a predicate, in order.
  ///
  ///     try people.filter(by: "ANY children.age < 18")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> [Element] {
    try ElementTest.reading(predicate, variables, environment) { try $0.elements(of: self) }
  }

  /// Returns the first element that matches a predicate; nil if none does.
  ///
  ///     try people.first(by: "age >= $least", variables: ["least": 18])
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func first(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Element? {
    try ElementTest.reading(predicate, variables, environment) { try $0.first(in: self) }
  }

  /// Returns the number of elements that match a predicate.
  ///
  ///     try people.count(by: "children.@count == 0")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func count(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Int {
    try ElementTest.reading(predicate, variables, environment) { try $0.count(in: self) }
  }

  /// Returns whether an element matches a predicate. It stops at the first one.
  ///
  ///     try people.contains(by: "age > 100")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func contains(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementTest.reading(predicate, variables, environment) { try $0.first(in: self) != nil }
  }

  /// Returns whether all elements match a predicate. It stops at the first that does not.
  ///
  ///     try people.allSatisfy(by: "name != nil")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func allSatisfy(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementTest.reading(predicate, variables, environment) { try $0.allSatisfy(in: self) }
  }
}

extension RangeReplaceableCollection where Element: ValueConvertible {
  /// Removes the elements that match a predicate. If it throws, the collection is unchanged.
  ///
  ///     try people.removeAll(by: "age < 18")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementTest.reading(predicate, variables, environment) { try $0.removeAll(from: &self) }
  }
}

extension Set where Element: ValueConvertible {
  /// Returns the elements that match a predicate, as a set.
  ///
  ///     try tags.filter(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Set<Element> {
    try ElementTest.reading(predicate, variables, environment) { Set(try $0.elements(of: self)) }
  }

  /// Removes the elements that match a predicate. If it throws, the set is unchanged.
  ///
  ///     try tags.removeAll(by: "SELF BEGINSWITH '家'")
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: some PredicateConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementTest.reading(predicate, variables, environment) {
      subtract(try $0.elements(of: self))
    }
  }
}

extension Sequence where Element: ValueConvertible {
  /// Returns the elements sorted by sort keys or a text. Equal elements keep their order.
  ///
  ///     try people.sorted(by: "age desc, name[cd]")
  ///
  /// Values of different kinds are sorted by kind. Each key is computed once per element; n log n.
  /// Throws the diagnostic of the first element that cannot be evaluated.
  public func sorted(
    by keys: some SortConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> [Element] {
    let keys = try keys.sortKeys()
    return try ElementRoot.diagnosing {
      try SortedElements(self, keys, environment.context(variables), root: Element.root).sorted
    }
  }
}

extension Sequence {
  /// Returns the elements sorted by sort keys or a text. Equal elements keep their order.
  ///
  ///     try people.sorted(by: "age desc, name[cd]")
  ///
  /// Values of different kinds are sorted by kind. Each key is computed once per element; n log n.
  /// Throws the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for
  /// an element that predicates cannot read, or what encoding throws.
  public func sorted(
    by keys: some SortConvertible, variables: [String: Value] = [:],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    let keys = try keys.sortKeys()
    let reader = ElementReader<Element>.any(keys.keysOfSelf)
    return try SortedElements(
      self, keys, environment.context(variables), root: reader.value
    ).sorted
  }

  /// Returns the elements sorted by sort keys. The variables can have values of any type.
  ///
  ///     try people.sorted(by: "timeBetween(born, $day)", variables: ["day": Date.now])
  ///
  /// Each key is computed once per element; n log n. Throws the diagnostic of the first element
  /// that cannot be evaluated, an `UnknownValueType` for an element or a variable that predicates
  /// cannot read, or what encoding throws.
  @_disfavoredOverload
  public func sorted(
    by keys: some SortConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try sorted(by: keys, variables: variables.predicateValues(), in: environment)
  }
}

extension SortTree {
  /// Returns the order of two values of the key, including nulls.
  package func order(_ a: Value, _ b: Value, locale: Locale) -> ValueOrder {
    if a.isNull || b.isNull {
      if a.isNull && b.isNull { return .same }
      return a.isNull == putsNullsFirst ? .before : .after
    }
    let order = ascendingOrder(a, b, locale: locale)
    return isAscending ? order : order.reversed
  }

  /// Returns the ascending order of two values that are not null.
  package func ascendingOrder(_ a: Value, _ b: Value, locale: Locale) -> ValueOrder {
    guard case .string(let x) = a, case .string(let y) = b else { return Value.sortOrder(a, b) }
    let options = TextOptions(rawValue: options.rawValue)
    if isNatural { return NaturalOrder.compare(x, y, options, locale) }
    return TextNeedle(y, options, locale: locale).order(of: x)
  }
}

extension [SortTree] {
  /// The keys that the sort keys read from an element; nil if one needs the whole element.
  fileprivate var keysOfSelf: [String]? {
    let keys = compactMap(\.expression.keysOfSelf)
    return keys.count == count ? Array<String>(Set(keys.joined())) : nil
  }
}

/// Elements with their sort values, each computed once.
struct SortedElements<Element> {
  private struct Row {
    let element: Element
    let values: [Value]
  }

  private let keys: [SortTree]
  private let locale: Locale
  private var rows: [Row] = []

  init(
    _ elements: some Sequence<Element>, _ keys: [SortTree], _ context: EvaluationContext,
    root: (Element) throws -> Value
  ) throws {
    self.keys = keys
    locale = context.locale
    let reads = keys.map { PredicatePreparation(context: context).read($0.expression) }
    var evaluator = Evaluator(root: .null, context: context)
    for element in elements {
      evaluator.root = try root(element)
      rows.append(Row(element: element, values: try reads.map { try $0(evaluator) }))
    }
  }

  /// The sorted elements. Equal elements keep their order, because the standard library's sort is
  /// stable.
  var sorted: [Element] { rows.sorted(by: precedes).map(\.element) }

  private func precedes(_ a: Row, _ b: Row) -> Bool {
    for (place, key) in keys.enumerated() {
      let order = key.order(
        a.values[place], b.values[place], locale: locale)
      if order != .same { return order == .before }
    }
    return false
  }
}

extension Sequence {
  /// Returns the elements that match a predicate over key paths, in order.
  ///
  ///     try books.filter(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> [Element] {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).elements(of: self) }
  }

  /// Returns the first element that matches a predicate over key paths; nil if none does.
  ///
  ///     try books.first(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func first(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Element? {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).first(in: self) }
  }

  /// Returns the number of elements that match a predicate over key paths.
  ///
  ///     try books.count(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func count(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Int {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).count(in: self) }
  }

  /// Returns whether an element matches a predicate over key paths. It stops at the first one.
  ///
  ///     try books.contains(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func contains(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).first(in: self) != nil }
  }

  /// Returns whether all elements match a predicate over key paths. It stops at the first that does
  /// not.
  ///
  ///     try books.allSatisfy(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func allSatisfy(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try ElementRoot.diagnosing { try ElementTest(predicate, environment).allSatisfy(in: self) }
  }
}

extension RangeReplaceableCollection {
  /// Removes the elements that match a predicate over key paths. If it throws, the collection is
  /// unchanged.
  ///
  ///     try books.removeAll(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementRoot.diagnosing {
      try ElementTest(predicate, environment).removeAll(from: &self)
    }
  }
}

extension Set {
  /// Returns the elements that match a predicate over key paths, as a set.
  ///
  ///     try books.filter(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public func filter(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Set<Element> {
    try ElementRoot.diagnosing {
      Set(try ElementTest(predicate, environment).elements(of: self))
    }
  }

  /// Removes the elements that match a predicate over key paths. If it throws, the set is
  /// unchanged.
  ///
  ///     try books.removeAll(by: TypedKey(\Book.year) < 1910)
  ///
  /// One pass. Throws the diagnostic of the first element that cannot be evaluated.
  public mutating func removeAll(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) {
    try ElementRoot.diagnosing {
      subtract(try ElementTest(predicate, environment).elements(of: self))
    }
  }
}

extension LazySequenceProtocol {
  /// Returns the elements that match a predicate over key paths, each tested on demand.
  ///
  ///     try books.lazy.filter(by: TypedKey(\Book.year) < 1910) { _ in false }.prefix(3)
  ///
  /// For an element that cannot be evaluated, `failing` receives the diagnostic and returns whether
  /// to include the element. Constant time; each element is tested on demand.
  public func filter(
    by predicate: TypedPredicate<Element>, in environment: PredicateEnvironment = .current,
    failing: @escaping (Diagnostic) -> Bool
  ) -> LazyFilterSequence<Elements> {
    filter(ElementTest(predicate, environment).resolvingFailures(failing))
  }
}
