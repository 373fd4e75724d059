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
