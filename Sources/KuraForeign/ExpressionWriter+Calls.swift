import KuraDiagnostics
import KuraPredicates
import KuraSentences

/// A function, method or property with its arguments; the object of a method that is a value comes first.
struct Call {
  let name: String
  let span: SourceSpan
  let arguments: [Argument]
  var isProperty = false

  init(_ name: String, _ span: SourceSpan, _ arguments: [Argument] = []) {
    self.name = name
    self.span = span
    self.arguments = arguments
  }

  var values: [Tree] { arguments.map(\.value) }

  /// The name in small letters, without `_` and `:`.
  var plainName: String { name.lowercased().filter { $0 != ":" && $0 != "_" } }

  /// The closure, if it is the only argument.
  var closure: (names: [String], body: Tree)? {
    guard arguments.count == 1, case .closure(let names, let body) = arguments[0].value.kind else {
      return nil
    }
    return (names, body)
  }

  /// Refuses labels that are not known, and another number of arguments.
  func check(_ counts: ClosedRange<Int>, _ labels: Set<String>) throws {
    if let label = arguments.compactMap(\.label).first(where: { !labels.contains($0) }) {
      throw span.missing("\(name)(\(label):)")
    }
    guard counts.contains(arguments.count) else {
      throw span.missing(localized("\(name) with \(arguments.count) arguments"))
    }
  }
}

extension ExpressionWriter {
  func call(_ tree: Tree) throws -> Written {
    if let predicate = try embeddedPredicate(tree) { return predicate }
    if let query = try queryValue(tree) { return query }
    if let (name, arguments) = tree.namedCall {
      return try function(Call(name, tree.span, arguments))
    }
    guard !isSQL, let (receiver, name, arguments) = tree.methodCall else {
      throw tree.span.missing(parser.source(tree.span))
    }
    if let word = receiver.words?.first, scope[word] == nil {
      let call = Call(word + "." + name, tree.span, arguments)
      if ForeignFunction.ofPrograms[call.plainName] != nil { return try function(call) }
    }
    if let found = try collectionMethod(receiver, name, arguments, tree) { return found }
    let all = [Argument(value: receiver)] + arguments
    return try function(Call(name, tree.span, all), isMethod: true)
  }

  private func function(_ call: Call, isMethod: Bool = false) throws -> Written {
    let name = call.plainName
    let isKura = parser.dialect == .kura
    if isSQL, let found = try aggregate(name, call) { return found }
    if isKura, !isMethod, let own = FunctionCatalogue.signature(called: call.name),
      own.operands.accept(call.values.count)
    {
      let text = "\(own.names.first ?? call.name)(\(try texts(call.values)))"
      return Written(text, own.result.written)
    }
    let program = isSQL ? nil : ForeignFunction.ofPrograms[name]
    let database = isSQL || isKura ? ForeignFunction.ofSQL[name] : nil
    if let function = program ?? database {
      changes += 1
      if !isSQL, !isMethod || isKura { parser.mark(nil, at: call.span) }
      return try function.write(self, call)
    }
    if isKura, !isMethod { return Written(parser.source(call.span)) }
    throw call.span.missing(call.name)
  }

  /// `CURRENT_DATE`, `Date.now`: a function that is written without brackets.
  func constantFunction(_ name: String, _ tree: Tree) throws -> Written? {
    let call = Call(name, tree.span)
    guard Self.constants.contains(call.plainName),
      let function = ForeignFunction.ofSQL[call.plainName]
        ?? ForeignFunction.ofPrograms[call.plainName]
    else { return nil }
    changes += 1
    return try function.write(self, call)
  }

  private static let constants: Set = [
    "currentdate", "currenttimestamp", "localtimestamp", "sysdate", "date.now",
  ]

  /// A method that is written without brackets, as a computed property: `title.isEmpty`.
  static func property(_ name: String) -> ForeignFunction? {
    let name = name.lowercased()
    return properties.contains(name) ? ForeignFunction.ofPrograms[name] : nil
  }

  private static let properties: Set = [
    "count", "length", "isempty", "lowercased", "uppercased", "magnitude", "lowercasestring",
    "uppercasestring", "now", "year", "month", "day", "hour", "minute", "second", "weekday",
  ]
}

extension PredicateFunction.ResultType {
  fileprivate var written: WrittenType {
    switch self {
    case .number, .numberLikeElements: .number
    case .string, .uuid: .text
    case .date: .date
    case .boolean: .boolean
    default: .unknown
    }
  }
}

// Aggregates of SQL
extension ExpressionWriter {
  static let aggregates: Set = ["count", "sum", "min", "max", "avg"]

  /// `COUNT(*)`, `SUM(minutes)`; nil if it is not an aggregate.
  private func aggregate(_ name: String, _ call: Call) throws -> Written? {
    guard Self.aggregates.contains(name), call.arguments.count == 1 else { return nil }
    changes += 1
    let argument = call.values[0]
    let countsRows = name == "count" && (argument.isStar || argument.isLiteral)
    if let partners = scope.partners {
      if countsRows {
        // A row without a partner counts, too.
        let count = partners.path + ".@count"
        return Written("TERNARY(\(count) == 0, 1, \(count))", .integer)
      }
      guard case .member(let base, let key) = argument.kind,
        base.lastWord.flatMap({ scope[$0] })?.text == partners.text
      else { throw call.span.missing(localized("an aggregate of a joined row")) }
      return try aggregate(name, of: partners, Tree(.name(key), argument.span))
    }
    if countsRows { return Written("count(SELF)", .integer) }
    let written = try operand(argument)
    guard name == "count" || name == "min" || name == "max" || written.type.agrees(with: .number)
    else { throw argument.span.missing(localized("arithmetic with what is no number")) }
    let text = "\(name)(\(written.text))"
    guard name != "count" else { return Written(text, .integer) }
    let type = name == "avg" ? .number : written.type
    if scope.isGrouped, written.nulls.isEmpty { return Written(text, type) }
    // The sum of nothing is NULL in SQL, and 0 in Kura.
    let exact = name == "sum" ? "TERNARY(count(\(written.text)) == 0, NULL, \(text))" : text
    return Written(exact, type, nulls: [exact])
  }

  /// An aggregate of the objects that belong to one: `items.@count`, `items.@max.minutes`.
  func aggregate(_ name: String, of many: Written, _ key: Tree) throws -> Written {
    let written = try inside(Scope(root: .object("", many.entity))) { try value(key) }
    guard written.text.allSatisfy({ $0.isLetter || $0.isNumber || "_.#\"".contains($0) }) else {
      throw key.span.missing(localized("an aggregate of a computed value"))
    }
    let (path, variable) = (many.path, newVariable())
    let known =
      written.nulls.isEmpty
      ? path : "SUBQUERY(\(path), \(variable), \(variable).\(written.text) != NULL)"
    let isEmpty = "\(known).@count == 0"
    switch name {
    case "count": return Written(known + ".@count", .integer)
    case "sum", "avg":
      let owner = name == "sum" ? path : known
      let text = "TERNARY(\(isEmpty), NULL, \(owner).@\(name).\(written.text))"
      return Written(text, name == "avg" ? .number : written.type, nulls: [text])
    default:
      let text = "\(path).@\(name).\(written.text)"
      return Written(text, written.type, nulls: [text])
    }
  }
}
