import Foundation
public import KuraDiagnostics
import KuraModel
public import KuraPredicates
import KuraScript
import KuraSentences
public import KuraValues

/// A description of the objects to fetch, their order, and the values to return.
///
///     let open = try FetchRequest("Item", where: "done == NO AND parentCategory.name == %@", "家")
///       .sorted(by: "due, title[cd]").limit(20)
///     let items = try context.fetch(open)
///
/// A request is a value that you can send to any isolation. It is independent of a model: names are
/// resolved when it is fetched.
public struct FetchRequest: Sendable, Hashable {
  /// The request as a tree.
  public var tree: FetchTree
  /// The values of its variables, `$name`.
  public var variables: [String: Value] = [:]
  /// The maximum time for the fetch; nil means no limit. A fetch that takes longer throws
  /// ``StoreError/timedOut(_:)``.
  public var timeLimit: Duration?

  /// Creates a request for all objects of an entity and its subentities, or for the elements at a
  /// path from an entity.
  ///
  ///     FetchRequest("Item")
  ///     FetchRequest("Order.lines")   // a row for each line, with the keys of the line, and owner
  ///
  /// Elements are those of a to-many relationship, or of an array or object in a JSON attribute.
  /// They are read with `rows(_:)`, `fetch(_:as:)` and `count(_:)`, or from a snapshot.
  public init(_ entity: String) {
    let keys = entity.split(separator: ".").map(String.init)
    let source: FetchSource.Kind =
      keys.count > 1
      ? .elements(entity: keys[0], path: keys.dropFirst().map(KeyComponent.init(read:)))
      : .entity(entity)
    tree = FetchTree(of: FetchSource(source))
  }

  /// Creates a request for the objects of an entity that match a predicate.
  ///
  ///     FetchRequest("Item", where: Key("done") == false)
  public init(_ entity: String, where predicate: PredicateTree) {
    self.init(entity)
    tree.predicate = predicate
  }

  /// Creates a request for the objects of an entity that match a predicate format with arguments.
  ///
  ///     try FetchRequest("Item", where: "done == NO AND due < %@", Date.now)
  ///
  /// An argument is never parsed as syntax. Linear in the format. Throws a diagnostic whose span is
  /// in the format.
  public init(
    _ entity: String, where format: String, _ arguments: (any FormatConvertible)?...
  ) throws(Diagnostic) {
    try self.init(entity, format: format, arguments)
  }

  init(
    _ entity: String, format: String, _ arguments: [(any FormatConvertible)?]
  ) throws(Diagnostic) {
    self.init(entity)
    tree.predicate = try PredicateTree(
      format: format, arguments: arguments.map { $0?.formatArgument ?? .value(.null) })
  }

  /// Creates a request from a statement of the shell.
  ///
  ///     try FetchRequest(parsing: "fetch Item where done == NO select title, due sort due limit 5")
  ///
  /// Linear in the text. Throws a diagnostic that contains the text.
  public init(parsing text: String) throws(Diagnostic) { tree = try FetchTree.reading(text) }
}

extension KeyComponent {
  /// Creates a step from a key, or from `@allValues`.
  fileprivate init(read text: String) {
    self =
      text == "@allValues"
      ? KeyComponent("allValues", .collectionOperator) : KeyComponent(text)
  }
}

extension FetchTree {
  /// Parses `fetch Item …`, `count Item …` or `exists Item …`.
  static func reading(_ text: String) throws(Diagnostic) -> FetchTree {
    let read = try StatementReader.statements(of: SourceText(text))
    guard let fetch = read.first?.statement.tree as? FetchTree else {
      throw Diagnostic(
        RequestTextProblem.noFetch, at: read.first?.statement.span,
        in: read.first?.source ?? SourceText(text))
    }
    if let more = read.dropFirst().first {
      throw Diagnostic(RequestTextProblem.more, at: more.statement.span, in: more.source)
    }
    return fetch
  }
}

/// The reasons why a text is not a request.
enum RequestTextProblem: DiagnosticFacts {
  case noFetch
  /// `fetch Item; delete Item all`, which continues after the request
  case more

  var kind: Diagnostic.Kind { .syntax }

  var sentence: String {
    switch self {
    case .noFetch: localized("expected a fetch")
    case .more: localized("expected the end after the fetch")
    }
  }

  var help: String? {
    switch self {
    case .noFetch: localized("begin with fetch, count or exists")
    case .more: nil
    }
  }
}

// Each method returns another request, so that calls can be chained.
extension FetchRequest {
  /// Returns the request with an additional predicate, as a tree or a text.
  ///
  ///     try FetchRequest("Item").filtered(by: "done == NO").filtered(by: Key("due") != nil)
  ///
  /// Linear in the text and in the existing predicate. Throws a diagnostic whose span is in the
  /// text.
  public func filtered(by predicate: some PredicateConvertible) throws(Diagnostic) -> FetchRequest {
    let predicate = try predicate.predicate()
    return changing { $0.predicate = $0.predicate.map { $0 && predicate } ?? predicate }
  }

  /// Returns the request with this order instead of its current one: sort keys, or a text.
  ///
  ///     try FetchRequest("Item").sorted(by: "due desc nulls last, title[cd]")
  ///
  /// Without an order, objects are sorted by objectID. Linear in the text. Throws a diagnostic
  /// whose span is in the text.
  public func sorted(by keys: some SortConvertible) throws(Diagnostic) -> FetchRequest {
    let keys = try keys.sortKeys()
    return changing { $0.sort = keys }
  }

  /// Returns the request with sections. Successive rows with the same value of an expression are a
  /// section.
  ///
  ///     try FetchRequest("Item").sorted(by: "parentCategory.name, title").sectioned(by: "parentCategory.name")
  ///
  /// Without an order, the expression sorts the rows. An explicit order must keep the rows of a
  /// section together. Linear in the text. Throws a diagnostic that contains the text.
  public func sectioned(by key: String) throws(Diagnostic) -> FetchRequest {
    let read = try reading("section by \(key)")
    return changing { $0.section = read.section }
  }

  /// Returns the request with a maximum number of objects or rows. As with `fetchLimit`, 0 means no
  /// limit.
  ///
  /// An update or delete of all objects that a request finds refuses a limit of 0, so that a
  /// computed 0 cannot change everything.
  public func limit(_ count: Int) -> FetchRequest {
    changing { $0.limit = ExpressionTree(.constant(Constant(.integer(Int64(count))))) }
  }

  /// Returns the request with a maximum number of objects or groups for each combination of the
  /// values of keys.
  ///
  ///     try FetchRequest("Item").sorted(by: "due").limit(3, per: "parentCategory")
  ///
  /// An offset then applies to each combination too. Linear in the text. Throws a diagnostic that
  /// contains the text.
  public func limit(_ count: Int, per keys: String...) throws(Diagnostic) -> FetchRequest {
    let read = try reading("limit \(count) per \(keys.joined(separator: ", "))")
    return limit(count).changing { $0.limitKeys = read.limitKeys }
  }

  /// Returns the request without its first `count` objects or rows.
  public func offset(_ count: Int) -> FetchRequest {
    changing { $0.offset = ExpressionTree(.constant(Constant(.integer(Int64(count))))) }
  }

  /// Returns the request without the objects of subentities.
  public func withoutSubentities() -> FetchRequest { changing { $0.includesSubentities = false } }

  /// Returns the request with values for its variables.
  ///
  ///     try FetchRequest("Item", where: "due < $day").with(["day": Date.now])
  ///
  /// Linear in the values.
  public func with(_ variables: [String: any ValueConvertible]) -> FetchRequest {
    var request = self
    for (name, value) in variables { request.variables[name] = value.predicateValue }
    return request
  }

  /// Returns the request with a maximum time for the fetch.
  public func timeLimit(_ limit: Duration?) -> FetchRequest {
    var request = self
    request.timeLimit = limit
    return request
  }

  /// Throws if the request has an explicit limit of 0.
  func checkingItsLimit() throws(Diagnostic) -> FetchRequest {
    guard case .constant(let constant)? = tree.limit?.kind, case .integer(0) = constant.value
    else { return self }
    throw Diagnostic(ZeroLimit())
  }

  private func changing(_ change: (inout FetchTree) -> Void) -> FetchRequest {
    var request = self
    change(&request.tree)
    return request
  }
}

// Rows of values
extension FetchRequest {
  /// Returns the request with columns instead of objects. Each column is an expression with an
  /// optional name.
  ///
  ///     try FetchRequest("Item").select("title", "year(due) as year")
  ///
  /// Linear in the text. Throws a diagnostic that contains the text.
  public func select(_ columns: String...) throws(Diagnostic) -> FetchRequest {
    let read = try reading("select \(columns.joined(separator: ", "))")
    return changing { $0.selection = read.selection }
  }

  /// Returns the request without duplicate rows; the first of equal rows remains.
  public func distinct() -> FetchRequest { changing { $0.isDistinct = true } }

  /// Returns the request with one row per group of objects that have the same values.
  ///
  ///     try FetchRequest("Item").grouped(by: "category").select("category", "count(SELF) as n")
  ///
  /// Linear in the text. Throws a diagnostic that contains the text.
  public func grouped(by keys: String...) throws(Diagnostic) -> FetchRequest {
    let read = try reading("group by \(keys.joined(separator: ", "))")
    return changing { $0.grouping = read.grouping }
  }

  /// Returns the request with only the groups that match a predicate, which may contain aggregates.
  ///
  ///     … .having("count(SELF) > 1")
  ///
  /// Linear in the text. Throws a diagnostic that contains the text.
  public func having(_ predicate: String) throws(Diagnostic) -> FetchRequest {
    let read = try reading("having \(predicate)")
    return changing { $0.having = read.having }
  }

  private func reading(_ clause: String) throws(Diagnostic) -> FetchTree {
    try FetchTree.reading("fetch Entity \(clause)")
  }
}

/// A limit of 0 in an update or delete: `delete(FetchRequest("Item").limit(0))`.
private struct ZeroLimit: DiagnosticFacts {
  var kind: Diagnostic.Kind { .change }
  var sentence: String { localized("a limit of 0 means no limit: all objects would change") }
  var help: String? { localized("if you want all objects, omit the limit") }
}

// Arguments of types that conform to no argument protocol: an enumeration with raw values, an
// `NSNumber`.
extension FetchRequest {
  /// Creates a request for the objects of an entity that match a predicate format with arguments of
  /// any type.
  ///
  ///     try FetchRequest("Item", where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public init(_ entity: String, where format: String, _ arguments: Any?...) throws {
    try self.init(entity, where: format, argumentArray: arguments)
  }

  /// Creates a request for the objects of an entity that match a predicate format with an array of
  /// arguments.
  ///
  ///     try FetchRequest("Item", where: "%K == %@", argumentArray: ["title", "掃除"])
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  public init(_ entity: String, where format: String, argumentArray: [Any?]) throws {
    self.init(entity, where: try Self.predicate(format, argumentArray))
  }

  static func predicate(_ format: String, _ arguments: [Any?]) throws -> PredicateTree {
    try PredicateTree(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
  }
}

extension ManagedObjectContext {
  /// Returns the objects of an entity that match a predicate format with arguments of any type.
  ///
  ///     try context.fetch("Item", where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch(
    _ entity: String, where format: String, _ arguments: Any?...
  ) throws -> [ManagedObject] {
    try fetch(FetchRequest(entity, where: format, argumentArray: arguments))
  }

  /// Returns the objects that match a predicate format with arguments of any type, as a Swift type.
  ///
  ///     let items: [Item] = try context.fetch(Item.self, where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:as:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where format: String, _ arguments: Any?...
  ) throws -> [Wanted] {
    try fetch(type, where: FetchRequest.predicate(format, arguments))
  }
}

extension Snapshot {
  /// Returns the objects of an entity that match a predicate format with arguments of any type.
  ///
  ///     try snapshot.fetch("Item", where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch(
    _ entity: String, where format: String, _ arguments: Any?...
  ) throws -> [ObjectSnapshot] {
    try fetch(FetchRequest(entity, where: format, argumentArray: arguments))
  }

  /// Returns the objects that match a predicate format with arguments of any type, as a Swift type.
  ///
  ///     let items: [Item] = try snapshot.fetch(Item.self, where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the objects of the entity; less with an index. Throws as `fetch(_:as:)` does, and an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public func fetch<Wanted: Storable>(
    _ type: Wanted.Type, where format: String, _ arguments: Any?...
  ) throws -> [Wanted] {
    try fetch(type, where: FetchRequest.predicate(format, arguments))
  }
}
