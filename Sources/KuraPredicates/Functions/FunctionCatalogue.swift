/// Every named function of the predicate language, in the order of the help.
public enum FunctionCatalogue {
  /// All functions that have a name. Linear in their number.
  public static var all: [PredicateFunction] { PredicateFunction.all.filter { !$0.names.isEmpty } }

  /// Returns the function with a name, in any case, with or without the colon of a single argument.
  ///
  ///     FunctionCatalogue.signature(called: "SUM")?.selector     // "sum:"
  ///
  /// Constant time.
  public static func signature(called name: String) -> PredicateFunction? { .called(name) }

  /// Returns the function with a selector, as trees contain it. Constant time.
  public static func signature(selector: String) -> PredicateFunction? { .of(selector) }
}

extension PredicateFunction {
  /// Every function, including those without a name.
  package static var all: [PredicateFunction] { entries + ownOfProgram + added }

  /// Returns whether a name belongs to a built-in function.
  static func isBuiltIn(_ name: String) -> Bool { byName[name.lowercased()] != nil }

  private static let entries =
    statistics + windows + arithmetic + numbers + bits + texts + values + ownDates + ownTexts
    + formats
    + ownValues

  /// Functions that a test has added.
  @TaskLocal private static var added: [PredicateFunction] = []

  /// Runs a closure with additional functions in the language, for tests.
  package static func adding<Result>(
    _ functions: PredicateFunction..., during body: () throws -> Result
  ) rethrows -> Result {
    try $added.withValue(functions, operation: body)
  }

  /// The entries in the order of the cases.
  static let byCase = BuiltInFunction.allCases.compactMap { function in
    entries.first { $0.builtIn == function }
  }

  package static func of(_ selector: String) -> PredicateFunction? {
    bySelector[selector] ?? custom(selector)
  }

  /// Returns the function with a selector that a program or a test has added.
  static func custom(_ selector: String) -> PredicateFunction? {
    added.first { $0.selector == selector } ?? ownOfProgram(selector)
  }

  /// Returns the function with a name, in any case.
  package static func called(_ name: String) -> PredicateFunction? {
    let name = name.lowercased()
    return byName[name] ?? added.first { $0.names.contains { $0.lowercased() == name } }
      ?? ownOfProgram(name)
  }

  /// Returns the function that another language calls by a name: `length` for `strlen`.
  package static func knownElsewhere(as name: String) -> PredicateFunction? {
    byForeignName[name.lowercased()]
  }

  static let bySelector = table { [$0.selector] }

  private static let byName = table { function in function.names.map { $0.lowercased() } }

  private static let byForeignName = table { function in
    function.foreignNames.map { $0.lowercased() }
  }

  private static func table(
    _ keys: (PredicateFunction) -> [String]
  ) -> [String: PredicateFunction] {
    Dictionary(
      entries.flatMap { function in keys(function).map { ($0, function) } },
      uniquingKeysWith: { first, _ in first })
  }
}
