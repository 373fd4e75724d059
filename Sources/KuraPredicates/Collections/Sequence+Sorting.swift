package import Foundation
public import KuraDiagnostics
public import KuraValues

extension Sequence where Element: ValueConvertible {
  /// The elements in the order of sort keys, or of the text of some; those alike as they came.
  ///
  ///     try people.sorted(by: "age desc, name[cd]")
  ///
  /// Values of several kinds sort by kind. Each key is computed once for each element; n log n.
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
  /// The elements in the order of sort keys, or of the text of some; those alike as they came.
  ///
  ///     try people.sorted(by: "age desc, name[cd]")
  ///
  /// Values of several kinds sort by kind. Each key is computed once for each element; n log n. Throws
  /// the diagnostic of the first element that cannot be evaluated, an `UnknownValueType` for one that a
  /// predicate cannot read, or what encoding throws.
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

  /// The elements in the order of sort keys; variables stand for anything.
  ///
  ///     try people.sorted(by: "timeBetween(born, $day)", variables: ["day": Date.now])
  ///
  /// Each key is computed once for each element; n log n. Throws the diagnostic of the first element that
  /// cannot be evaluated, an `UnknownValueType` for an element or a variable that a predicate cannot
  /// read, or what encoding throws.
  @_disfavoredOverload
  public func sorted(
    by keys: some SortConvertible, variables: [String: Any?],
    in environment: PredicateEnvironment = .current
  ) throws -> [Element] {
    try sorted(by: keys, variables: variables.predicateValues(), in: environment)
  }
}

extension SortTree {
  /// How one value of the key stands to another, nulls in their place.
  package func order(_ a: Value, _ b: Value, locale: Locale) -> ValueOrder {
    if a.isNull || b.isNull {
      if a.isNull && b.isNull { return .same }
      return a.isNull == putsNullsFirst ? .before : .after
    }
    let order = ascendingOrder(a, b, locale: locale)
    return isAscending ? order : order.reversed
  }

  /// How two values that are not null stand to each other, before the direction counts.
  package func ascendingOrder(_ a: Value, _ b: Value, locale: Locale) -> ValueOrder {
    guard case .string(let x) = a, case .string(let y) = b else { return Value.sortOrder(a, b) }
    let options = TextOptions(rawValue: options.rawValue)
    if isNatural { return NaturalOrder.compare(x, y, options, locale) }
    return TextNeedle(y, options, locale: locale).order(of: x)
  }
}

extension [SortTree] {
  /// The keys that they read of an element; nil where one asks for the element itself.
  fileprivate var keysOfSelf: [String]? {
    let keys = compactMap(\.expression.keysOfSelf)
    return keys.count == count ? Array<String>(Set(keys.joined())) : nil
  }
}

/// Elements with the values that they are sorted by, computed once.
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

  /// Elements that are alike stay in their order: the standard library's sort is stable.
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
