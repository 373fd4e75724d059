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

  /// The closure, if it is the only argument.
  var closure: (names: [String], body: Tree)? {
    guard arguments.count == 1, case .closure(let names, let body) = arguments[0].value.kind else {
      return nil
    }
    return (names, body)
  }

  /// Refuses labels that are not known, and another number of arguments.
  func check(_ counts: ClosedRange<Int>, _ labels: Set<String>, _ writer: ExpressionWriter) throws {
    if let label = arguments.compactMap(\.label).first(where: { !labels.contains($0) }) {
      throw writer.missing("\(name)(\(label):)", at: span)
    }
    guard counts.contains(arguments.count) else {
      throw writer.missing(localized("\(name) with \(arguments.count) arguments"), at: span)
    }
  }
}

/// The way in which Kura writes a function or method of another language.
struct ForeignFunction: Sendable {
  typealias Writer = @Sendable (ExpressionWriter, Call) throws -> Written

  /// The number of its arguments, with the object of a method.
  var counts: ClosedRange<Int> = 1...1
  /// The labels that its arguments may have; other labels are refused.
  var labels: Set<String> = []
  let writer: Writer

  func write(_ writer: ExpressionWriter, _ call: Call) throws -> Written {
    try call.check(counts, labels, writer)
    return try self.writer(writer, call)
  }
}

extension ForeignFunction {
  /// Functions by each of their names, which are separated by blanks in the table.
  static func table(_ rows: [String: ForeignFunction]) -> [String: ForeignFunction] {
    var table: [String: ForeignFunction] = [:]
    for (names, function) in rows {
      for name in names.components(of: " ") { table[name] = function }
    }
    return table
  }

  /// A function of Kura, which is NULL if an argument is.
  static func named(
    _ name: String, _ type: WrittenType, _ counts: ClosedRange<Int> = 1...1,
    labels: Set<String> = []
  ) -> ForeignFunction {
    ForeignFunction(counts: counts, labels: labels) { writer, call in
      let values = try call.values.map(writer.operand)
      let texts = values.map(\.text).joined(separator: ", ")
      return Written("\(name)(\(texts))", type, nulls: values.reduce([]) { $0.joined($1.nulls) })
    }
  }

  /// A value that has no arguments.
  static func constant(_ text: String, _ type: WrittenType) -> ForeignFunction {
    ForeignFunction(counts: 0...0) { _, _ in Written(text, type) }
  }

  /// `title.hasPrefix("x")`: a comparison.
  static func operation(_ sign: String) -> ForeignFunction {
    ForeignFunction(counts: 2...2) { writer, call in
      writer.compared(try writer.value(call.values[0]), sign, try writer.value(call.values[1]))
    }
  }

  /// A function that is another way to write an operator or a choice.
  static func tree(
    _ counts: ClosedRange<Int>,
    _ make: @escaping @Sendable ([Tree]) -> Tree
  ) -> ForeignFunction {
    ForeignFunction(counts: counts) { writer, call in
      try writer.write(Tree(make(call.values).kind, call.span))
    }
  }

  /// A function that Kura does not have.
  static func refused(_ instead: String) -> ForeignFunction {
    ForeignFunction(counts: 0...64) { writer, call in
      throw writer.missing(call.name, instead, at: call.span)
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
      throw missing(parser.source(tree.span), at: tree.span)
    }
    if let word = receiver.words?.first, scope[word] == nil,
      Self.methods[Self.plainName(word + "." + name)] != nil
    {
      return try function(Call(word + "." + name, tree.span, arguments))
    }
    if let found = try collectionMethod(receiver, name, arguments, tree) { return found }
    let all = [Argument(value: receiver)] + arguments
    return try function(Call(name, tree.span, all), isMethod: true)
  }

  private func function(_ call: Call, isMethod: Bool = false) throws -> Written {
    let name = Self.plainName(call.name)
    if isSQL {
      if let found = try aggregate(name, call) { return found }
      changes += 1
      guard let function = Self.sqlFunctions[name] else { throw missing(call.name, at: call.span) }
      return try function.write(self, call)
    }
    let isKura = parser.dialect == .kura
    if isKura, !isMethod, let own = FunctionCatalogue.signature(called: call.name),
      own.operands.accept(call.values.count)
    {
      let text = "\(own.names.first ?? call.name)(\(try texts(call.values)))"
      return Written(text, own.result.written)
    }
    if let function = Self.methods[name] ?? (isKura ? Self.sqlFunctions[name] : nil) {
      changes += 1
      if !isMethod || isKura { parser.note(call.span) }
      return try function.write(self, call)
    }
    if isKura, !isMethod { return Written(parser.source(call.span)) }
    throw missing(call.name, at: call.span)
  }

  /// `predicatewithformat` for `predicateWithFormat:`
  static func plainName(_ name: String) -> String {
    name.lowercased().filter { $0 != ":" && $0 != "_" }
  }

  /// `CURRENT_DATE`, `Date.now`: a function that is written without brackets.
  func constantFunction(_ name: String, _ tree: Tree) throws -> Written? {
    let word = Self.plainName(name)
    guard Self.constants.contains(word),
      let function = Self.sqlFunctions[word] ?? Self.methods[word]
    else { return nil }
    changes += 1
    return try function.write(self, Call(name, tree.span, []))
  }

  private static let constants: Set = [
    "currentdate", "currenttimestamp", "localtimestamp", "sysdate", "date.now",
  ]

  /// A method that is written without brackets, as a computed property: `title.isEmpty`.
  static func property(_ name: String) -> ForeignFunction? {
    properties.contains(name.lowercased()) ? methods[name.lowercased()] : nil
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
  /// `COUNT(*)`, `SUM(minutes)`; nil if it is not an aggregate.
  private func aggregate(_ name: String, _ call: Call) throws -> Written? {
    guard Self.aggregates.contains(name), call.arguments.count == 1 else { return nil }
    changes += 1
    let argument = call.values[0]
    if let partners {
      if name == "count", argument.isStar || argument.isLiteral {
        // A row without a partner counts, too.
        let count = partners.path + ".@count"
        return Written("TERNARY(\(count) == 0, 1, \(count))", .integer)
      }
      guard case .member(let base, let key) = argument.kind,
        base.lastWord.flatMap({ scope[$0] })?.path == partners.path
      else { throw missing(localized("an aggregate of a joined row"), at: call.span) }
      return try aggregate(name, of: partners, Tree(.name(key), argument.span))
    }
    if name == "count", argument.isStar || argument.isLiteral {
      return Written("count(SELF)", .integer)
    }
    let written = try operand(argument)
    guard name == "count" || name == "min" || name == "max" || written.type.agrees(with: .number)
    else { throw missing(localized("arithmetic with what is no number"), at: argument.span) }
    let text = "\(name)(\(written.text))"
    guard name != "count" else { return Written(text, .integer) }
    let type = name == "avg" ? .number : written.type
    if isGrouped, written.nulls.isEmpty { return Written(text, type) }
    // The sum of nothing is NULL in SQL, and 0 in Kura.
    let exact = name == "sum" ? "TERNARY(count(\(written.text)) == 0, NULL, \(text))" : text
    return Written(exact, type, nulls: [exact])
  }

  /// An aggregate of the objects that belong to one: `items.@count`, `items.@max.minutes`.
  func aggregate(_ name: String, of many: Place, _ key: Tree) throws -> Written {
    let element = Scope(root: Place(path: "", entity: many.entity))
    let written = try inside(element) { try value(key) }
    guard written.text.allSatisfy({ $0.isLetter || $0.isNumber || "_.#\"".contains($0) }) else {
      throw missing(localized("an aggregate of a computed value"), at: key.span)
    }
    let variable = newVariable()
    let isKnown = written.nulls.isEmpty
    let known =
      isKnown
      ? many.path : "SUBQUERY(\(many.path), \(variable), \(variable).\(written.text) != NULL)"
    let isEmpty = "\(known).@count == 0"
    let text =
      switch name {
      case "count": known + ".@count"
      case "sum": "TERNARY(\(isEmpty), NULL, \(many.path).@sum.\(written.text))"
      case "avg": "TERNARY(\(isEmpty), NULL, \(known).@avg.\(written.text))"
      default: "\(many.path).@\(name).\(written.text)"
      }
    let type: WrittenType = name == "count" ? .integer : name == "avg" ? .number : written.type
    return Written(text, type, nulls: name == "count" ? [] : [text])
  }
}
