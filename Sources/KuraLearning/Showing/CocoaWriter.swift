import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Writes a fetch as a fetch request of Core Data, line by line.
struct CocoaWriter {
  let typed: AnnotatedFetch
  let language: CocoaLanguage
  let missing: CounterpartList
  private var lines: [String] = []

  init(_ typed: AnnotatedFetch, _ language: CocoaLanguage) {
    self.typed = typed
    self.language = language
    missing = CounterpartList("NSFetchRequest")
  }
}

extension AnnotatedFetch {
  /// Returns the fetch in Swift, with NSPredicate(format:) and arguments.
  ///
  /// Throws if something has no counterpart there.
  package func swift() throws(Untranslatable) -> String { try cocoa(.swift) }

  /// Returns the fetch in Objective-C.
  package func objectiveC() throws(Untranslatable) -> String { try cocoa(.objectiveC) }

  private func cocoa(_ language: CocoaLanguage) throws(Untranslatable) -> String {
    var writer = CocoaWriter(self, language)
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
    set("fetchOffset", count(fetch.offset))
    set("fetchLimit", fetch.result == .exists ? "1" : count(fetch.limit))
    set("fetchBatchSize", count(fetch.batch))
    if !fetch.includesSubentities {
      set("includesSubentities", language == .swift ? "false" : "NO")
    }
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
    let name = language.string(typed.entity)
    let type = fetch.selection == nil ? "NSManagedObject" : "NSDictionary"
    lines.append(
      language == .swift
        ? "let request = NSFetchRequest<\(type)>(entityName: \(name))"
        : "NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:\(name)];")
  }

  private mutating func set(_ property: String, _ value: String?) {
    guard let value else { return }
    lines.append("request.\(property) = \(value)\(language == .swift ? "" : ";")")
  }

  private func list(_ values: [String]) -> String {
    (language == .swift ? "[" : "@[") + values.joined(separator: ", ") + "]"
  }

  /// Returns `5`; for `$n` the variable's name.
  private func count(_ tree: ExpressionTree?) -> String? {
    switch tree?.kind {
    case .constant(let constant)?: typed.texts.text(of: constant.value)
    case .variable(let name)?: name
    default: nil
    }
  }

  private mutating func end(_ fetch: FetchTree) {
    missing.noteLimitKeys(of: fetch)
    if let section = fetch.section { addSections(section) }
    switch (fetch.result, language) {
    case (.objects, .swift): lines.append("let found = try context.fetch(request)")
    case (.count, .swift): lines.append("let count = try context.count(for: request)")
    case (.exists, .swift): lines.append("let exists = try context.count(for: request) > 0")
    case (.objects, .objectiveC):
      lines.append("NSArray *found = [context executeFetchRequest:request error:&error];")
    case (.count, .objectiveC):
      lines.append("NSUInteger count = [context countForFetchRequest:request error:&error];")
    case (.exists, .objectiveC):
      lines.append("BOOL exists = [context countForFetchRequest:request error:&error] > 0;")
    }
  }
}

// Predicates
extension CocoaWriter {
  private func predicate(_ predicate: PredicateTree) -> String {
    check(predicate)
    let format = PredicateFormat(predicate)
    let parts = [language.string(format.text)] + format.arguments.map(text)
    let arguments = parts.joined(separator: ", ")
    return language == .swift
      ? "NSPredicate(format: \(arguments))" : "[NSPredicate predicateWithFormat:\(arguments)]"
  }

  private func text(_ argument: PredicateFormat.Argument) -> String {
    switch argument {
    case .variable(let name): name
    case .value(.object(let object)):
      object.id.map { "\($0.entity.loweringFirst)\($0.number)" } ?? "object"
    case .value(let value):
      language.argument(value) ?? missing.missing(localized("literal for this value"), at: .none)
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
    let key = language.string(path.description)
    let selector = selector(of: sort)
    switch language {
    case .swift:
      let by = selector.map { ", selector: #selector(NSString.\($0)(_:))" } ?? ""
      return "NSSortDescriptor(key: \(key), ascending: \(sort.isAscending)\(by))"
    case .objectiveC:
      let by = selector.map { " selector:@selector(\($0):)" } ?? ""
      return
        "[NSSortDescriptor sortDescriptorWithKey:\(key) ascending:\(sort.isAscending ? "YES" : "NO")\(by)]"
    }
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
      if fetch.isDistinct { set("returnsDistinctResults", language == .swift ? "true" : "YES") }
      return
    }
    set("resultType", language == .swift ? ".dictionaryResultType" : "NSDictionaryResultType")
    let named = columns.filter { $0.name != nil }
    if named.count == columns.count { set("propertiesToFetch", list(columns.map { column($0) })) }
    if fetch.isDistinct { set("returnsDistinctResults", language == .swift ? "true" : "YES") }
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
    lines += description.lines(language)
    return language.variable(description.name)
  }

  private func property(_ tree: ExpressionTree) -> String {
    guard case .keyPath(let path) = tree.kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key })
    else {
      return missing.missing(
        localized("property name for the column \(typed.texts.text(of: tree))"), at: tree.span,
        localized("compute it in the program, for the fetched objects"))
    }
    return language.string(path.description)
  }

  private mutating func addSections(_ section: ExpressionTree) {
    let key = property(section)
    lines.append(
      language == .swift
        ? "let controller = NSFetchedResultsController(fetchRequest: request, managedObjectContext: context, "
          + "sectionNameKeyPath: \(key), cacheName: nil)"
        : "NSFetchedResultsController *controller = [[NSFetchedResultsController alloc] "
          + "initWithFetchRequest:request managedObjectContext:context sectionNameKeyPath:\(key) cacheName:nil];"
    )
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
