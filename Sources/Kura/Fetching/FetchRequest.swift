import Foundation
public import KuraDiagnostics
import KuraModel
public import KuraPredicates
import KuraScript
import KuraSentences
public import KuraValues

/// Which objects are wanted, in which order, and what of them.
///
///     let open = try FetchRequest("Item", where: "done == NO AND parentCategory.name == %@", "家")
///       .sorted(by: "due, title[cd]").limit(20)
///     let items = try context.fetch(open)
///
/// It is a value, knows no model, and may be sent anywhere. Names are looked up when it is fetched.
public struct FetchRequest: Sendable, Hashable {
  /// The request as a tree.
  public var tree: FetchTree
  /// What `$name` means in it.
  public var variables: [String: Value] = [:]
  /// How long it may take; nil: as long as it takes. What takes longer throws
  /// ``StoreError/timedOut(_:)``.
  public var timeLimit: Duration?

  /// All objects of an entity, those of its subentities too.
  public init(_ entity: String) { tree = FetchTree(of: FetchSource(.entity(entity))) }

  /// The objects of an entity that a predicate lets through.
  ///
  ///     FetchRequest("Item", where: Key("done") == false)
  public init(_ entity: String, where predicate: PredicateTree) {
    self.init(entity)
    tree.predicate = predicate
  }

  /// The objects of an entity that a predicate lets through, as a format with arguments.
  ///
  ///     try FetchRequest("Item", where: "done == NO AND due < %@", Date.now)
  ///
  /// An argument is never syntax. Linear in the format. Throws a diagnostic whose span lies in the
  /// format.
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

  /// A request as the shell's statement says it.
  ///
  ///     try FetchRequest(parsing: "fetch Item where done == NO select title, due sort due limit 5")
  ///
  /// Linear in the text. Throws a diagnostic that carries the text.
  public init(parsing text: String) throws(Diagnostic) { tree = try FetchTree.reading(text) }
}

extension FetchTree {
  /// Reads `fetch Item …`, `count Item …` or `exists Item …`.
  static func reading(_ text: String) throws(Diagnostic) -> FetchTree {
    let read = try StatementReader.statements(of: SourceText(text))
    guard let fetch = read.first?.statement.tree as? FetchTree else {
      throw Diagnostic(
        RequestTextFacts.noFetch, at: read.first?.statement.span,
        in: read.first?.source ?? SourceText(text))
    }
    if let more = read.dropFirst().first {
      throw Diagnostic(RequestTextFacts.more, at: more.statement.span, in: more.source)
    }
    return fetch
  }
}

/// What a text is that is to be a request.
enum RequestTextFacts: DiagnosticFacts {
  case noFetch
  /// `fetch Item; delete Item all`
  case more

  var kind: Diagnostic.Kind { .syntax }

  var sentence: String {
    switch self {
    case .noFetch: localized("expected a fetch")
    case .more: localized("expected the end behind the fetch")
    }
  }

  var help: String? {
    switch self {
    case .noFetch: localized("it begins with fetch, count or exists")
    case .more: nil
    }
  }
}

// Each gives another request, so that they can be said one behind the other.
extension FetchRequest {
  /// The request of those objects for which this too holds: a predicate, or the text of one.
  ///
  ///     try FetchRequest("Item").filtered(by: "done == NO").filtered(by: Key("due") != nil)
  ///
  /// Linear in the text, and in the parts that the predicate has already. Throws a diagnostic whose
  /// span lies in the text.
  public func filtered(by predicate: some PredicateConvertible) throws(Diagnostic) -> FetchRequest {
    let predicate = try predicate.predicate()
    return changing { $0.predicate = $0.predicate.map { $0 && predicate } ?? predicate }
  }

  /// The request in an order: sort keys, or the text of some, which take the place of others.
  ///
  ///     try FetchRequest("Item").sorted(by: "due desc nulls last, title[cd]")
  ///
  /// Without an order objects come by objectID. Linear in the text. Throws a diagnostic whose span
  /// lies in the text.
  public func sorted(by keys: some SortConvertible) throws(Diagnostic) -> FetchRequest {
    let keys = try keys.sortKeys()
    return changing { $0.sort = keys }
  }

  /// The request of objects under headings: rows that follow each other with the same value of an
  /// expression are a section.
  ///
  ///     try FetchRequest("Item").sorted(by: "parentCategory.name, title").sectioned(by: "parentCategory.name")
  ///
  /// Without an order the expression sorts; an order given decides, and must keep what belongs
  /// together together. Linear in the text. Throws a diagnostic that carries the text.
  public func sectioned(by key: String) throws(Diagnostic) -> FetchRequest {
    let read = try reading("section by \(key)")
    return changing { $0.section = read.section }
  }

  /// The request of no more than so many objects or rows; 0 is no limit, as `fetchLimit` has it.
  ///
  /// What changes all that a request finds does not take 0: a number that came to nothing would be all.
  public func limit(_ count: Int) -> FetchRequest {
    changing { $0.limit = ExpressionTree(.constant(Constant(.integer(Int64(count))))) }
  }

  /// The request without the first objects or rows.
  public func offset(_ count: Int) -> FetchRequest {
    changing { $0.offset = ExpressionTree(.constant(Constant(.integer(Int64(count))))) }
  }

  /// The request without objects of subentities.
  public func withoutSubentities() -> FetchRequest { changing { $0.includesSubentities = false } }

  /// The request with values for its variables.
  ///
  ///     try FetchRequest("Item", where: "due < $day").with(["day": Date.now])
  ///
  /// Linear in the values.
  public func with(_ variables: [String: any ValueConvertible]) -> FetchRequest {
    var request = self
    for (name, value) in variables { request.variables[name] = value.predicateValue }
    return request
  }

  /// The request with a time that it may take.
  public func timeLimit(_ limit: Duration?) -> FetchRequest {
    var request = self
    request.timeLimit = limit
    return request
  }

  /// Throws where its limit is a 0 that was given.
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
  /// The request of columns in place of objects, each an expression with or without a name.
  ///
  ///     try FetchRequest("Item").select("title", "year(due) as year")
  ///
  /// Linear in the text. Throws a diagnostic that carries the text.
  public func select(_ columns: String...) throws(Diagnostic) -> FetchRequest {
    let read = try reading("select \(columns.joined(separator: ", "))")
    return changing { $0.selection = read.selection }
  }

  /// The request of which of equal rows the first one stays.
  public func distinct() -> FetchRequest { changing { $0.isDistinct = true } }

  /// The request of a row for each group of objects that have the same values.
  ///
  ///     try FetchRequest("Item").grouped(by: "category").select("category", "count(SELF) as n")
  ///
  /// Linear in the text. Throws a diagnostic that carries the text.
  public func grouped(by keys: String...) throws(Diagnostic) -> FetchRequest {
    let read = try reading("group by \(keys.joined(separator: ", "))")
    return changing { $0.grouping = read.grouping }
  }

  /// The request of those groups for which a predicate holds, in which aggregates may stand.
  ///
  ///     … .having("count(SELF) > 1")
  ///
  /// Linear in the text. Throws a diagnostic that carries the text.
  public func having(_ predicate: String) throws(Diagnostic) -> FetchRequest {
    let read = try reading("having \(predicate)")
    return changing { $0.having = read.having }
  }

  private func reading(_ clause: String) throws(Diagnostic) -> FetchTree {
    try FetchTree.reading("fetch Entity \(clause)")
  }
}

/// `delete(FetchRequest("Item").limit(0))`
private struct ZeroLimit: DiagnosticFacts {
  var kind: Diagnostic.Kind { .change }
  var sentence: String { localized("a limit of 0 is none: all objects would be changed") }
  var help: String? { localized("leave it out where all are meant") }
}

// Arguments of which the compiler knows less: an enumeration with raw values, an `NSNumber`.
extension FetchRequest {
  /// The objects of an entity that a predicate lets through, as a format with arguments of any type.
  ///
  ///     try FetchRequest("Item", where: "priority == %@", NSNumber(value: 3))
  ///
  /// Linear in the format. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  @_disfavoredOverload
  public init(_ entity: String, where format: String, _ arguments: Any?...) throws {
    try self.init(entity, where: format, argumentArray: arguments)
  }

  /// The objects of an entity that a predicate lets through, as a format with a list of arguments.
  ///
  ///     try FetchRequest("Item", where: "%K == %@", argumentArray: ["title", "掃除"])
  ///
  /// Linear in the format. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public init(_ entity: String, where format: String, argumentArray: [Any?]) throws {
    self.init(entity, where: try Self.predicate(format, argumentArray))
  }

  static func predicate(_ format: String, _ arguments: [Any?]) throws -> PredicateTree {
    try PredicateTree(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
  }
}

extension ManagedObjectContext {
  /// The objects of an entity that a predicate lets through, as a format with arguments of which the
  /// compiler knows less.
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

  /// The objects of a type's entity that a predicate lets through, as a format with such arguments.
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
  /// The objects of an entity that a predicate lets through, as a format with arguments of which the
  /// compiler knows less.
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

  /// The objects of a type's entity that a predicate lets through, as a format with such arguments.
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
