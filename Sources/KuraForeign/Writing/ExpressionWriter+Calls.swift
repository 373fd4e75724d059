import KuraDiagnostics
import KuraPredicates
import KuraSentences

/// How a function or method of another language is written here.
typealias ForeignFunction =
  @Sendable (ExpressionWriter, ForeignCall) throws(ForeignProblem) -> Written

// Functions and methods, which are one to this reader: `len(x)`, `x.len()`.
extension ExpressionWriter {
  func call(_ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    if let predicate = try embeddedPredicate(tree) { return predicate }
    if let query = try queryValue(tree) { return query }
    if let (name, arguments) = tree.namedCall {
      if parser.dialect == .jq { return try jqCall(name, arguments, tree) }
      return try function(ForeignCall(name, tree.span, arguments))
    }
    guard let (receiver, name, arguments) = tree.methodCall else { throw .unreadable(tree.span) }
    if case .name(let word) = receiver.kind, Self.namespaces.contains(word), scope[word] == nil {
      return try function(ForeignCall(word + "." + name, tree.span, arguments))
    }
    if let found = try collectionMethod(receiver, name, arguments, tree) { return found }
    let all = [ForeignArgument(value: receiver)] + arguments
    return try function(ForeignCall(name, tree.span, all), isMethod: true)
  }

  /// A filter of jq as a value: what comes in is its first argument.
  func jqCall(
    _ name: String, _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    let root = ForeignArgument(value: ForeignExpression(.root, tree.span))
    switch name {
    case "any" where arguments.count == 2, "any" where arguments.count == 1:
      let many = arguments.count == 2 ? arguments[0] : root
      let closure = ForeignExpression(.closure([], arguments[arguments.count - 1].value), tree.span)
      let asked = [ForeignArgument(value: closure)]
      if let found = try collectionMethod(many.value, "some", asked, tree) { return found }
    case "has":
      guard let key = arguments.first?.value.literalText else { break }
      let path = ForeignExpression(.member(root.value, key), tree.span)
      return .predicate(try value(path).text(in: .sum) + " != NULL")
    case "IN":
      let list = ForeignExpression(.list(arguments.map(\.value)), tree.span)
      return try comparison("IN", root.value, list, tree)
    case "contains", "inside":
      if case .list(let parts)? = arguments.first?.value.kind, parts.count == 1 {
        return try function(ForeignCall(name, tree.span, [root, ForeignArgument(value: parts[0])]))
      }
    case "select", "map": throw missing(localized("\(name) inside of a condition"), at: tree.span)
    default: break
    }
    return try function(ForeignCall(name, tree.span, [root] + arguments), isMethod: true)
  }

  private static let namespaces: Set = [
    "Math", "math", "np", "Number", "String", "str", "Date", "NSDate", "datetime", "DateTime",
    "Calendar", "re", "Regex", "Object", "Array", "timezone", "dt", "string", "_",
  ]

  func function(_ call: ForeignCall, isMethod: Bool = false) throws(ForeignProblem) -> Written {
    let name = Self.plainName(call.name)
    if !isMethod, !Self.otherwiseHere.contains(name) || parser.dialect == .kura,
      let own = FunctionCatalogue.signature(called: call.name),
      own.operands.accept(call.values.count)
    {
      return try ownFunction(own, call)
    }
    if let function = Self.functions[name] {
      changes += 1
      if !isMethod || parser.dialect == .kura { parser.note(call.span) }
      return try function(self, call)
    }
    if parser.dialect == .kura, !isMethod { return Written(parser.source(call.span)) }
    throw missing(call.name, at: call.span)
  }

  /// Names that mean something else in other languages than here.
  private static let otherwiseHere: Set = ["coalesce", "substring", "date", "format", "round"]

  /// `predicatewithformat` for `predicateWithFormat:`
  static func plainName(_ name: String) -> String {
    name.lowercased().filter { $0 != ":" && $0 != "_" }
  }

  /// A function that Kura has by the same name.
  private func ownFunction(
    _ own: PredicateFunction, _ call: ForeignCall
  ) throws(ForeignProblem) -> Written {
    if own.isAggregate, call.values.count == 1, let found = try aggregate(own, call.values[0]) {
      return found
    }
    var texts: [String] = []
    for argument in call.values { texts.append(try value(argument).text) }
    return Written(
      "\(own.names.first ?? call.name)(\(texts.joined(separator: ", ")))", own.result.written)
  }

  /// `count(i.id)` where `i` is a to-many of the object: `items.@count`; `count(1)`: `count(SELF)`.
  private func aggregate(
    _ own: PredicateFunction, _ argument: ForeignExpression
  ) throws(ForeignProblem) -> Written? {
    let name = own.names.first ?? ""
    if name == "count", argument.literalInteger != nil, parser.dialect == .sql {
      return Written("count(SELF)", .number)
    }
    guard parser.dialect == .sql, case .member(let base, _) = argument.kind,
      let place = place(of: try value(base)), place.isMany
    else { return nil }
    changes += 1
    if name == "count" { return Written("\(place.path).@count", .number) }
    let signs = ["sum": "@sum", "min": "@min", "max": "@max", "average": "@avg", "avg": "@avg"]
    guard let sign = signs[name] else { return nil }
    let key = try value(argument).text.dropFirst(place.path.count + 1)
    return Written("\(place.path).\(sign).\(key)", .number)
  }

  /// `current_date`: a function that is written without brackets.
  func constantFunction(_ name: String) throws(ForeignProblem) -> Written? {
    let word = Self.plainName(name)
    guard Self.constants.contains(word), let function = Self.functions[word] else { return nil }
    changes += 1
    return try function(self, ForeignCall(name, .none, []))
  }

  private static let constants: Set = [
    "currentdate", "currenttimestamp", "localtimestamp", "currenttime", "localtime", "sysdate",
    "systimestamp", "datetime.now", "datetime.today",
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

// How the tables are written down.
extension ExpressionWriter {
  /// The same function by another name; it takes so many arguments.
  static func renamed(
    _ name: String, _ type: WrittenType, takes counts: ClosedRange<Int> = 1...1
  ) -> ForeignFunction {
    { (writer, call) throws(ForeignProblem) in
      guard counts.contains(call.values.count) else {
        throw writer.missing(
          localized("\(call.name) with \(call.values.count) arguments"), at: call.span)
      }
      return Written("\(name)(\(try writer.texts(call.values)))", type)
    }
  }

  /// What takes nothing, or what it takes means nothing here.
  static func constant(_ text: String, _ type: WrittenType) -> ForeignFunction {
    { (_, _) throws(ForeignProblem) in Written(text, type) }
  }

  /// `title.hasPrefix("x")`: a comparison.
  static func operation(_ sign: String) -> ForeignFunction {
    { (writer, call) throws(ForeignProblem) in
      guard call.values.count == 2 else {
        throw writer.missing(
          localized("\(call.name) with \(call.values.count - 1) arguments"), at: call.span)
      }
      let (left, right) = (try writer.value(call.values[0]), try writer.value(call.values[1]))
      return writer.quantified(left, sign, right)
    }
  }

  /// What Kura has not.
  static func missing(_ instead: String) -> ForeignFunction {
    { (writer, call) throws(ForeignProblem) in
      throw writer.missing(call.name, instead, at: call.span)
    }
  }

  func texts(_ values: [ForeignExpression]) throws(ForeignProblem) -> String {
    var texts: [String] = []
    for tree in values { texts.append(try value(tree).text) }
    return texts.joined(separator: ", ")
  }

  /// The value at a place of a call.
  func value(_ call: ForeignCall, _ index: Int) throws(ForeignProblem) -> Written {
    guard index < call.values.count else {
      throw missing(localized("\(call.name) with \(call.values.count) arguments"), at: call.span)
    }
    return try value(call.values[index])
  }

  static let functions = textFunctions.merging(numberFunctions) { a, _ in a }
    .merging(dateFunctions) { a, _ in a }.merging(valueFunctions) { a, _ in a }

  /// Those that are asked without brackets, as Swift has computed properties: `title.isEmpty`.
  static let properties = functions.filter { propertyNames.contains($0.key) }

  private static let propertyNames: Set = [
    "count", "length", "isempty", "size", "year", "month", "day", "hour", "minute", "second",
    "lowercased", "uppercased", "lowercase", "uppercase", "date", "magnitude", "now", "today",
    "lowercasestring", "uppercasestring", "dayofweek", "weekday", "hasvalue", "utf16",
  ]
}
