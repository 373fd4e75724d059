import Foundation
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
    for tree in predicate.allNodes.expressions {
      switch tree.kind {
      case .function(let call) where call.function?.isOwn ?? true:
        _ = missing.missing(
          localized("function for \(typed.texts.text(of: tree))"), at: tree.span,
          localized("compute the value first, and pass it as $x"))
      case .mapped:
        _ = missing.missing(
          localized("expression for each element: \(typed.texts.text(of: tree))"), at: tree.span,
          localized("compute it in the program, for the fetched objects"))
      case .fetch:
        _ = missing.missing(
          localized("nested fetch in a predicate format"), at: tree.span,
          localized("run it first, and pass its result"))
      case .keyPath(let path) where path.base == nil && path.components.first?.name == "objectID":
        _ = missing.missing(localized("numeric objectID"), at: tree.span)
      default: break
      }
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

/// The Swift or Objective-C syntax of a fetch request of Core Data.
struct CocoaSyntax: Sendable {
  let literals: LiteralSyntax
  let yes, no: String
  let array: Template

  /// The declaration of the request: `%1` is the name of the entity, `%2` the class of its results.
  let request: Template
  let property: Template
  /// `%1` is the format with its arguments.
  let predicate: Template
  let dictionaries: String

  /// `%1` is the key, `%2` the direction, `%3` the selector.
  let sort: Template
  let selector: Template

  /// The last statement, which runs the request.
  let results: [FetchTree.Result: String]
  let controller: Template

  /// An expression description: `%1` is its variable, `%2` its name, `%3` the function, `%4` the argument, `%5` the
  /// type.
  let description: Template
  let evaluatedObject: String
  let keyPath: Template
  /// The type of an attribute, from its name with a small and with a capital letter.
  let attributeType: Template
}

extension CocoaSyntax {
  static let swift = CocoaSyntax(
    literals: .foundation, yes: "true", no: "false", array: "[%1]",
    request: "let request = NSFetchRequest<%2>(entityName: %1)",
    property: "request.%1 = %2",
    predicate: "NSPredicate(format: %1)",
    dictionaries: ".dictionaryResultType",
    sort: "NSSortDescriptor(key: %1, ascending: %2%3)",
    selector: ", selector: #selector(NSString.%1(_:))",
    results: [
      .objects: "let found = try context.fetch(request)",
      .count: "let count = try context.count(for: request)",
      .exists: "let exists = try context.count(for: request) > 0",
    ],
    controller: """
      let controller = NSFetchedResultsController(fetchRequest: request, managedObjectContext: context, \
      sectionNameKeyPath: %1, cacheName: nil)
      """,
    description: """
      let %1 = NSExpressionDescription()
      %1.name = %2
      %1.expression = NSExpression(forFunction: %3, arguments: [%4])
      %1.expressionResultType = %5
      """,
    evaluatedObject: "NSExpression.expressionForEvaluatedObject()",
    keyPath: "NSExpression(forKeyPath: %1)",
    attributeType: ".%1AttributeType")

  static let objectiveC = CocoaSyntax(
    literals: .objectiveC, yes: "YES", no: "NO", array: "@[%1]",
    request: "NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:%1];",
    property: "request.%1 = %2;",
    predicate: "[NSPredicate predicateWithFormat:%1]",
    dictionaries: "NSDictionaryResultType",
    sort: "[NSSortDescriptor sortDescriptorWithKey:%1 ascending:%2%3]",
    selector: " selector:@selector(%1:)",
    results: [
      .objects: "NSArray *found = [context executeFetchRequest:request error:&error];",
      .count: "NSUInteger count = [context countForFetchRequest:request error:&error];",
      .exists: "BOOL exists = [context countForFetchRequest:request error:&error] > 0;",
    ],
    controller: """
      NSFetchedResultsController *controller = [[NSFetchedResultsController alloc] \
      initWithFetchRequest:request managedObjectContext:context sectionNameKeyPath:%1 cacheName:nil];
      """,
    description: """
      NSExpressionDescription *%1 = [[NSExpressionDescription alloc] init];
      %1.name = %2;
      %1.expression = [NSExpression expressionForFunction:%3 arguments:@[%4]];
      %1.expressionResultType = %5;
      """,
    evaluatedObject: "[NSExpression expressionForEvaluatedObject]",
    keyPath: "[NSExpression expressionForKeyPath:%1]",
    attributeType: "NS%2AttributeType")
}

/// The literals of Swift or Objective-C: `%1` is a number, a quoted text, or the elements of a list.
struct LiteralSyntax: Sendable {
  let string, number: Template
  /// The escape of a control character, with its number in hexadecimal; `%2` has four digits.
  let control: Template
  let yes, no: String
  /// Nil has no literal if the language has none for a value of any type.
  let null: String?
  let date, decimal, uuid, uri, data: Template
  let list: Template
}

extension LiteralSyntax {
  /// The values of a Swift program.
  static let swift = LiteralSyntax(
    string: "\"%1\"", number: "%1", control: "\\u{%1}", yes: "true", no: "false", null: nil,
    date: "Date(timeIntervalSince1970: %1)", decimal: "Decimal(string: %1)!",
    uuid: "UUID(uuidString: %1)!", uri: "URL(string: %1)!", data: "Data(base64Encoded: %1)!",
    list: "[%1] as [Value]")

  /// The arguments of a format in Swift, which are objects of Foundation.
  static let foundation = LiteralSyntax(
    string: "\"%1\"", number: "%1", control: "\\u{%1}", yes: "true", no: "false", null: "NSNull()",
    date: "Date(timeIntervalSince1970: %1) as NSDate", decimal: "NSDecimalNumber(string: %1)",
    uuid: "UUID(uuidString: %1)! as NSUUID", uri: "URL(string: %1)! as NSURL",
    data: "Data(base64Encoded: %1)! as NSData", list: "[%1] as NSArray")

  static let objectiveC = LiteralSyntax(
    string: "@\"%1\"", number: "@%1", control: "\\u%2", yes: "@YES", no: "@NO",
    null: "[NSNull null]", date: "[NSDate dateWithTimeIntervalSince1970:%1]",
    decimal: "[NSDecimalNumber decimalNumberWithString:%1]",
    uuid: "[[NSUUID alloc] initWithUUIDString:%1]", uri: "[NSURL URLWithString:%1]",
    data: "[[NSData alloc] initWithBase64EncodedString:%1 options:0]", list: "@[%1]")

  /// Returns `"誕生"`, `@"誕生"`.
  func text(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16)
        literal += control(hex, String(repeating: "0", count: 4 - hex.count) + hex)
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return string(literal)
  }

  /// Returns a literal; nil for a value without one.
  func text(_ value: Value) -> String? {
    switch value {
    case .string(let text): self.text(text)
    case .date(let date): self.date(NumberText.text(Double(date.microseconds) / 1_000_000))
    case .decimal(let number): decimal(text(NumberText.text(number)))
    case .uuid(let id): uuid(text(id.uuidString))
    case .uri(let address): uri(text(address))
    case .binary(let bytes): data(text(Data(bytes).base64EncodedString()))
    case .boolean(let flag): flag ? yes : no
    case .integer(let number): self.number("\(number)")
    case .double(let number): self.number("\(number)")
    case .list(let values): text(values)
    case .null: null
    case .set, .dictionary, .object: nil
    }
  }

  private func text(_ values: [Value]) -> String? {
    let elements = values.compactMap { text($0) }
    return elements.count == values.count ? list(elements.joined(separator: ", ")) : nil
  }
}
