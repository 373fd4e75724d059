import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Writes a fetch as a fetch request of Core Data, line by line.
struct CocoaWriter {
  let typed: AnnotatedFetch
  let syntax: CocoaSyntax
  let missing = CounterpartList("NSFetchRequest")
  private var lines: [String] = []

  init(_ typed: AnnotatedFetch, _ syntax: CocoaSyntax) {
    (self.typed, self.syntax) = (typed, syntax)
  }
}

extension AnnotatedFetch {
  /// Returns the fetch in Swift, with NSPredicate(format:) and arguments.
  ///
  /// Throws if something has no counterpart there.
  package func swift() throws(Untranslatable) -> String { try cocoa(.swift) }

  /// Returns the fetch in Objective-C.
  package func objectiveC() throws(Untranslatable) -> String { try cocoa(.objectiveC) }

  private func cocoa(_ syntax: CocoaSyntax) throws(Untranslatable) -> String {
    var writer = CocoaWriter(self, syntax)
    let text = writer.text()
    try writer.missing.check()
    return text
  }
}

extension CocoaWriter {
  mutating func text() -> String {
    let fetch = typed.fetch
    begin(fetch)
    if let predicate = fetch.predicate {
      set("predicate", self.predicate(predicate))
    }
    if !fetch.sort.isEmpty { set("sortDescriptors", list(fetch.sort.map(descriptor))) }
    set("fetchOffset", typed.count(fetch.offset))
    set("fetchLimit", fetch.result == .exists ? "1" : typed.count(fetch.limit))
    set("fetchBatchSize", typed.count(fetch.batch))
    if !fetch.includesSubentities { set("includesSubentities", syntax.no) }
    addColumns(fetch)
    end(fetch)
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func begin(_ fetch: FetchTree) {
    guard case .entity = fetch.source.kind else {
      _ = missing.missing(
        localized("entity for \"\(fetch.source.written)\""), at: fetch.source.span)
      return
    }
    let type = fetch.selection == nil ? "NSManagedObject" : "NSDictionary"
    lines.append(syntax.request(syntax.literals.text(typed.entity), type))
  }

  private mutating func set(_ property: String, _ value: String?) {
    if let value { lines.append(syntax.property(property, value)) }
  }

  private func list(_ values: [String]) -> String {
    syntax.array(values.joined(separator: ", "))
  }

  private mutating func end(_ fetch: FetchTree) {
    missing.noteLimitKeys(of: fetch)
    if let section = fetch.section { lines.append(syntax.controller(property(section))) }
    lines += syntax.results[fetch.result].map { [$0] } ?? []
  }
}

// Predicates
extension CocoaWriter {
  private func predicate(_ predicate: PredicateTree) -> String {
    check(predicate)
    let format = PredicateFormat(predicate)
    let parts = [syntax.literals.text(format.text)] + format.arguments.map(text)
    return syntax.predicate(parts.joined(separator: ", "))
  }

  private func text(_ argument: PredicateFormat.Argument) -> String {
    switch argument {
    case .variable(let name): name
    case .value(.object(let object)):
      object.id.map { "\($0.entity.loweringFirst)\($0.number)" } ?? "object"
    case .value(let value):
      syntax.literals.text(value) ?? missing.missing(localized("literal for this value"), at: .none)
    }
  }

  /// Records what NSPredicate does not support.
  private func check(_ predicate: PredicateTree) {
    let cocoa = missing
    predicate.walk { node, _ in
      guard case .expression(let tree) = node else { return .into }
      switch tree.kind {
      case .function(let call) where call.function?.isOwn ?? true:
        let name = typed.texts.text(of: tree)
        _ = cocoa.missing(
          localized("function for \(name)"), at: tree.span,
          localized("compute the value first, and pass it as $x"))
      case .mapped:
        _ = cocoa.missing(
          localized("expression for each element: \(typed.texts.text(of: tree))"), at: tree.span,
          localized("compute it in the program, for the fetched objects"))
      case .fetch:
        _ = cocoa.missing(
          localized("nested fetch in a predicate format"), at: tree.span,
          localized("run it first, and pass its result"))
      case .keyPath(let path) where path.base == nil && path.components.first?.name == "objectID":
        _ = cocoa.missing(localized("numeric objectID"), at: tree.span)
      default: break
      }
      return .into
    }
  }
}

// Order, columns, sections
extension CocoaWriter {
  private func descriptor(_ sort: SortTree) -> String {
    guard case .keyPath(let path) = sort.expression.kind, path.base == nil else {
      return missing.missing(localized("sort key other than a key path"), at: sort.span)
    }
    if let alias = typed.fetch.selection?.first(where: { $0.isNamed && $0.name == path.onlyName }),
      alias.expression != sort.expression
    {
      return missing.missing(localized("sort key other than a key path"), at: sort.span)
    }
    if sort.nullsFirst != nil, sort.putsNullsFirst != sort.isAscending {
      return missing.missing(localized("option for the position of nil"), at: sort.span)
    }
    return syntax.sort(
      syntax.literals.text(path.description), sort.isAscending ? syntax.yes : syntax.no,
      selector(of: sort).map { syntax.selector($0) } ?? "")
  }

  private func selector(of sort: SortTree) -> String? {
    if sort.isNatural { return "localizedStandardCompare" }
    switch sort.options {
    case []: return nil
    case [.caseInsensitive]: return "caseInsensitiveCompare"
    case [.localeSensitive]: return "localizedCompare"
    case [.localeSensitive, .caseInsensitive]: return "localizedCaseInsensitiveCompare"
    default:
      return missing.missing(localized("comparator for [\(sort.options.letters)]"), at: sort.span)
    }
  }

  private mutating func addColumns(_ fetch: FetchTree) {
    guard let columns = fetch.selection else {
      if fetch.isDistinct { set("returnsDistinctResults", syntax.yes) }
      return
    }
    set("resultType", syntax.dictionaries)
    let named = columns.filter { $0.name != nil }
    if named.count == columns.count { set("propertiesToFetch", list(columns.map { column($0) })) }
    if fetch.isDistinct { set("returnsDistinctResults", syntax.yes) }
    if !fetch.grouping.isEmpty {
      set("propertiesToGroupBy", list(fetch.grouping.map(property)))
    }
    if let having = fetch.having { set("havingPredicate", predicate(having)) }
  }

  /// Returns a key, or the variable of an NSExpressionDescription, which it creates.
  private mutating func column(_ column: SelectedColumn) -> String {
    guard let description = ExpressionDescription(column, of: typed.entity, in: typed.model) else {
      return property(column.expression)
    }
    lines.append(description.statements(syntax))
    return description.variable
  }

  private func property(_ tree: ExpressionTree) -> String {
    guard case .keyPath(let path) = tree.kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key })
    else {
      return missing.missing(
        localized("property name for the column \(typed.texts.text(of: tree))"), at: tree.span,
        localized("compute it in the program, for the fetched objects"))
    }
    return syntax.literals.text(path.description)
  }
}

extension String {
  /// `memoDate`
  var loweringFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension KeyPathTree {
  /// The key, if the path has only one.
  fileprivate var onlyName: String? { components.count == 1 ? components[0].name : nil }
}
