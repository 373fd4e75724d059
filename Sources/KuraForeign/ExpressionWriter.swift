import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences

/// Writes values and conditions of other languages in Kura's language.
///
/// A condition of SQL has three truth values, one of Kura two: `title < "b"` is false for NULL, and
/// `NOT` of it true. Each condition therefore has a positive and a negated form, which `NOT`, `AND`
/// and `OR` combine.
final class ExpressionWriter {
  let names: ModelNames
  let parser: ForeignParser
  var scope = Scope()
  /// The number of parts that Kura writes differently.
  var changes = 0
  /// The entities of the variables that WITH has created, by lowercase name.
  var commonTables: [String: String] = [:]
  private var depth = 0

  init(_ names: ModelNames, _ parser: ForeignParser) {
    self.names = names
    self.parser = parser
  }

  var isSQL: Bool { parser.dialect == .sql }

  /// Returns a variable for a subquery that nothing around it uses: `$x`, `$y`.
  func newVariable() -> String {
    let used = ([scope.root].compactMap(\.self) + scope.names.values).map(\.text)
    let letters = ["$x", "$y", "$z"] + (1...200).map { "$x\($0)" }
    return letters.first { letter in
      !used.contains { $0 == letter || $0.hasPrefix(letter + ".") }
    } ?? "$x"
  }

  /// Calls `write` in another scope of names.
  func inside<Result>(_ scope: Scope, _ write: () throws -> Result) rethrows -> Result {
    let outside = self.scope
    self.scope = scope
    defer { self.scope = outside }
    return try write()
  }

  /// Calls `write` with another object as the root of keys.
  func asking<Result>(
    _ object: Snippet, _ names: [String] = [], _ write: () throws -> Result
  ) rethrows -> Result {
    try inside(scope.binding(names, to: object), write)
  }
}

// Values and conditions
extension ExpressionWriter {
  /// Writes a value. In a statement of Kura it stays unchanged if nothing in it is foreign.
  func value(_ tree: Tree) throws -> Snippet {
    depth += 1
    defer { depth -= 1 }
    guard depth < 150 else { throw tree.span.unreadable }
    try parser.step()
    let before = changes
    var written = try write(tree)
    guard parser.dialect == .kura, changes == before, tree.span.start < tree.span.end,
      !parser.marks.contains(where: { $0.start < tree.span.end && tree.span.start < $0.end })
    else { return written }
    written.text = parser.source(tree.span)
    if written.text.hasPrefix("("), written.text.hasSuffix(")") { written.binding = .unary }
    return written
  }

  /// Writes a value of SQL, where a condition has the value TRUE, FALSE or NULL.
  func operand(_ tree: Tree) throws -> Snippet { try operand(try value(tree), tree) }

  func operand(_ written: Snippet, _ tree: Tree) throws -> Snippet {
    if case .place = written.type {
      throw tree.span.missing(localized("the position of a substring"))
    }
    guard written.isPredicate, isSQL else { return written }
    guard !written.nulls.isEmpty else {
      return Snippet("TERNARY(\(written.text), YES, NO)", .boolean)
    }
    let text = "TERNARY(\(written.text), YES, TERNARY(\(written.negated.text), NO, NULL))"
    return Snippet(text, .boolean, nulls: [text])
  }

  /// Returns the texts of values, separated by commas.
  func texts(_ values: [Tree]) throws -> String {
    try values.map { tree in try operand(tree).text }.joined(separator: ", ")
  }

  /// Writes a condition; a lone value becomes the condition that it is true.
  func predicate(_ tree: Tree) throws -> Snippet {
    if let isTrue = tree.literalBoolean {
      changes += 1
      let always = Snippet.predicate("TRUEPREDICATE", .unary)
        .or(not: .predicate("FALSEPREDICATE", .unary))
      return isTrue ? always : always.negated
    }
    if let name = tree.parameterName, parser.dialect == .kura, scope[name] == nil,
      name.dropFirst().first?.isNumber == false
    {
      return .predicate(name, .unary)
    }
    let written = try value(tree)
    if written.isPredicate { return written }
    // `priority == 1 OR 2` does not mean that 2 is true.
    if parser.dialect == .kura, tree.isLiteral { throw tree.span.unreadable }
    return try truth(written, tree)
  }

  /// Returns the condition that a value is true: YES or not 0; outside SQL also not nil and not
  /// empty.
  func truth(_ written: Snippet, _ tree: Tree) throws -> Snippet {
    changes += 1
    let text = written.text(in: .sum)
    if written.isMany, !scope.isQuantified {
      return .predicate("\(text).@count > 0").or(not: .predicate("\(text).@count == 0"))
    }
    switch written.type {
    case .integer, .number: return compared(written, "!=", Snippet("0", .integer))
    case .place(_, let anywhere, _): return test(anywhere, written.nulls)
    case .object, .date, .null, .text:
      if isSQL { throw tree.span.missing(parser.source(tree.span)) }
      return compared(written, "!=", Snippet(written.type == .text ? "\"\"" : "NULL"))
    case .boolean, .unknown:
      return .predicate("\(text) == YES").or(not: .predicate("\(text) == NO"), nulls: written.nulls)
    }
  }

  func write(_ tree: Tree) throws -> Snippet {
    switch tree.kind {
    case .number(let digits): return Snippet(digits, Int(digits) == nil ? .number : .integer)
    case .string(let text, let mayBeName):
      // In SQL a key may be in double quotation marks.
      if mayBeName, let key = key(text, of: scope.root) { return key }
      return Snippet(StatementText.string(text), .text)
    case .boolean(let isTrue): return Snippet(isTrue ? "YES" : "NO", .boolean)
    case .null: return .null
    case .name(let name): return try self.name(name, tree)
    case .parameter(let name): return try parameter(name, tree)
    case .object(let name, let number): return object(name, number)
    case .root: return try root(tree)
    case .keyPath(let path): return keyPath(path)
    case .member(let base, let name): return try member(base, name, tree)
    case .index(let base, let index): return try self.index(base, index, tree)
    case .call: return try call(tree)
    case .closure(_, let body): return try value(body)
    case .prefix(let sign, let inner): return try prefix(sign, inner, tree)
    case .infix(let sign, let left, let right): return try infix(sign, left, right, tree)
    case .list(let values):
      if isSQL, let last = values.last { throw last.span.missing(localized("a row of values")) }
      return Snippet.set(try values.map(value))
    case .choice(let choices, let other): return try choice(choices, other)
    case .cast(let inner, let type): return try cast(inner, to: type, tree)
    case .interval: throw tree.span.missing("INTERVAL", "dateByAdding(date, 1, \"day\")")
    case .select(let query): return try nested(query)
    case .verbatim: return Snippet(parser.source(tree.span))
    case .star: return Snippet("SELF")
    }
  }

  /// Writes `a ? b : c`, `CASE WHEN a THEN b ELSE c END`.
  private func choice(
    _ choices: [(condition: Tree, value: Tree)], _ other: Tree?
  ) throws -> Snippet {
    changes += 1
    if choices.count == 1, let other, !isSQL {
      let (met, unmet) = (try value(choices[0].value), try value(other))
      if met.isPredicate, unmet.isPredicate {
        let test = try predicate(choices[0].condition)
        let (yes, no) = (connected("AND", test, met), connected("AND", test.negated, unmet))
        return connected("OR", yes, no)
      }
    }
    var result = try other.map { tree in try operand(tree) } ?? .null
    for (condition, value) in choices.reversed() {
      let (test, chosen) = (try predicate(condition), try operand(value))
      guard chosen.type.agrees(with: result.type) || !isSQL else {
        throw value.span.missing(localized("CASE with values of different types"))
      }
      let text = "TERNARY(\(test.text), \(chosen.text), \(result.text))"
      let mayBeNull = !chosen.nulls.isEmpty || !result.nulls.isEmpty
      result = Snippet(
        text, chosen.type == .null ? result.type : chosen.type, nulls: mayBeNull ? [text] : [])
    }
    return result
  }
}

extension Snippet {
  static let null = Snippet("NULL", .null, nulls: ["NULL"])

  /// Returns a set: `{1, 2}`
  static func set(_ elements: [Snippet]) -> Snippet {
    Snippet("{" + elements.map { $0.text(in: .sum) }.joined(separator: ", ") + "}")
  }
}

// Names and the paths that begin with them
extension ExpressionWriter {
  private func name(_ name: String, _ tree: Tree) throws -> Snippet {
    if isSQL, let key = key(name, of: scope.root) { return key }
    if let place = scope[name] { return changed(place) }
    if name.hasPrefix("%"), let place = Int(name.dropFirst()),
      place <= parser.placeholderValues.count
    {
      return try value(parser.placeholderValues[place - 1])
    }
    if let tree = scope.values[name] {
      // The value that a script has assigned to a name belongs to another scope.
      var scope = scope
      scope.values[name] = nil
      changes += 1
      return try inside(scope) { try value(tree) }
    }
    if let key = key(name, of: scope.root) { return key }
    if let constant = try constantFunction(name, tree) { return constant }
    if ["self", "this character", "it"].contains(name.lowercased()), let root = scope.root {
      return changed(root)
    }
    let keys = scope.names.values.sorted { $0.path < $1.path }.compactMap { key(name, of: $0) }
    if let key = keys.first {
      if isSQL, Set(keys.map(\.text)).count > 1 { throw tree.span.missing(name) }
      return key
    }
    if !isSQL, let way = wayToEntity(named: name) { return changed(way) }
    if scope.root == nil, names.entity(name) != nil {
      guard let query = try queryValue(tree) else { throw tree.span.unreadable }
      return query
    }
    return unknownKey(name, of: nil)
  }

  private func parameter(_ name: String, _ tree: Tree) throws -> Snippet {
    if let place = scope[name] { return changed(place) }
    if name == "$0", scope.root != nil { return try root(tree) }
    if name.hasPrefix("$"), !name.dropFirst().allSatisfy(\.isNumber) {
      return Snippet(name, nulls: [name])
    }
    guard name.hasPrefix(":") || name.hasPrefix("@") else { throw tree.span.unreadable }
    let variable = "$" + name.dropFirst()
    throw tree.span.missing(
      name,
      localized(
        "write \(variable) and set it with let \(variable) = …, or with --arg \(name.dropFirst()) VALUE"
      ))
  }

  private func root(_ tree: Tree) throws -> Snippet {
    guard let root = scope.root else { throw tree.span.unreadable }
    return changed(root)
  }

  private func changed(_ written: Snippet) -> Snippet {
    changes += 1
    return written
  }

  func object(_ name: String, _ number: String) -> Snippet {
    let entity = names.entity(name) ?? name
    return Snippet("\(ModelNames.written(entity))/\(number)", .object(entity))
  }

  private func keyPath(_ names: [String]) -> Snippet {
    var names = names[...]
    if names.count > 1, key(names[0], of: scope.root) == nil, let entity = scope.root?.entity,
      self.names.entity(names[0]) == entity
    {
      names.removeFirst()
    }
    changes += 1
    return names.reduce(scope.root ?? .object("", nil)) { place, name in
      key(name, of: place) ?? Snippet(join(place.path, name))
    }
  }

  /// Returns a key of an object; nil if the entity is unknown or does not have the key.
  func key(_ name: String, of object: Snippet?) -> Snippet? {
    guard let object, let entity = object.entity,
      let (key, property) = names.key(name, of: entity)
    else { return nil }
    if key != name { changes += 1 }
    var written = Snippet(join(object.path, key), .integer, isMany: object.isMany)
    var isOptional = !object.nulls.isEmpty
    switch property {
    case .attribute(let attribute)?:
      written.type = SnippetType(attribute.type)
      isOptional = isOptional || attribute.isOptional || attribute.derivation != nil
    case .relationship(let way)?:
      written.type = .object(way.destination)
      written.isMany = object.isMany || way.isToMany
      isOptional = isOptional || way.isOptional
    case nil: break
    }
    if isOptional, !written.isMany { written.nulls = [written.text] }
    return written
  }

  /// Returns the text of an object that SQL compares with a text: `author.name`.
  func named(_ object: Snippet, for other: Snippet) -> Snippet {
    guard isSQL, other.type == .text, let entity = object.entity,
      let name = names.model.allAttributes(of: entity).first(where: {
        $0.type == .string && ["name", "title", "label"].contains($0.name.lowercased())
      })
    else { return object }
    return key(name.name, of: object) ?? object
  }

  /// Returns a key of an object of an unknown entity.
  private func unknownKey(_ name: String, of object: Snippet?) -> Snippet {
    let path = join(object?.path ?? "", name)
    return Snippet(path, isMany: object?.isMany ?? false, nulls: [path])
  }

  /// Returns a path with one more key: `parentCategory.name`
  func join(_ path: String, _ key: String) -> String {
    (path.isEmpty ? "" : path + ".") + ModelNames.written(key)
  }

  /// Returns the only path from the fetched object to objects of an entity: `tags` for `Tag`.
  private func wayToEntity(named name: String) -> Snippet? {
    guard let entity = names.entity(name), let root = scope.root, let from = root.entity else {
      return nil
    }
    if entity == from { return root }
    let ways = names.relationships(from: from, to: entity)
    guard ways.count == 1, let way = ways.first else { return nil }
    return .object(
      join(root.path, way.name), way.destination, isMany: root.isMany || way.isToMany)
  }

  /// Writes `i.title`, `title.count`, `$0.parentCategory.name`.
  private func member(_ base: Tree, _ name: String, _ tree: Tree) throws -> Snippet {
    if name.hasPrefix("@") { return Snippet(try value(base).text + "." + name, .number) }
    if case .name(let first) = base.kind {
      if isSQL, let place = scope[first] {
        return key(name, of: place) ?? unknownKey(name, of: place)
      }
      // `Item.title`, when Item is the fetched entity.
      if scope[first] == nil, key(first, of: scope.root) == nil, let root = scope.root,
        let entity = names.entity(first), entity == root.entity
      {
        changes += 1
        if let key = key(name, of: root) { return key }
      }
      if let constant = try constantFunction("\(first).\(name)", tree) { return constant }
    }
    if let query = try queryValue(tree) { return query }
    let owner = try value(base)
    if let key = key(name, of: owner) { return key }
    if !isSQL, !isPlainKey(owner, name), let function = Self.property(name) {
      changes += 1
      parser.mark(nil, at: tree.span)
      return try function.write(self, Call(name, tree.span, [Argument(value: base)]))
    }
    return unknownKey(name, of: owner)
  }

  /// Returns whether a key is not one of a JSON value, which may have any name, such as
  /// `pages.length`.
  private func isPlainKey(_ owner: Snippet, _ name: String) -> Bool {
    owner.type == .unknown && parser.dialect == .kura
      && ["length", "name", "year", "month", "day", "value"].contains(name)
  }

  /// Writes `items[0]`, `title[0]`, `title[FIRST]`, `items[done == NO]`.
  private func index(_ base: Tree, _ index: Tree, _ tree: Tree) throws -> Snippet {
    if let query = try queryValue(tree) { return query }
    if case .infix("..<", _, _) = index.kind { throw tree.span.missing(parser.source(tree.span)) }
    let owner = try value(base)
    if case .name(let word) = index.kind, ["first", "last", "size"].contains(word.lowercased()) {
      return Snippet("\(owner.text(in: .unary))[\(word.uppercased())]", owner.type)
    }
    if owner.isMany, case .object(let entity) = owner.type, case .infix = index.kind {
      changes += 1
      let found = try subquery(owner.text, of: entity, [index]) { scope.binding([], to: $0) }
      return Snippet(found, .unknown, isMany: true)
    }
    if owner.isMany, parser.dialect != .kura {
      throw tree.span.missing(localized("an index into a set"))
    }
    return Snippet("\(owner.text(in: .unary))[\(try value(index).text)]")
  }
}

/// A function, method or property with its arguments. The receiver of a method is the first
/// argument.
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

  /// The name in lowercase, without `_` and `:`.
  var plainName: String { name.lowercased().filter { $0 != ":" && $0 != "_" } }

  /// The closure, if it is the only argument.
  var closure: (names: [String], body: Tree)? {
    guard arguments.count == 1, case .closure(let names, let body) = arguments[0].value.kind else {
      return nil
    }
    return (names, body)
  }

  /// Throws for unknown labels, and another number of arguments.
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
  func call(_ tree: Tree) throws -> Snippet {
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

  private func function(_ call: Call, isMethod: Bool = false) throws -> Snippet {
    let name = call.plainName
    let isKura = parser.dialect == .kura
    if name == "count", call.arguments.count == 1, scope.partners == nil,
      case .prefix("DISTINCT", let value) = call.values[0].kind
    {
      changes += 1
      parser.mark(.sql, at: call.span)
      return Snippet("countDistinct(\(try operand(value).text))", .integer)
    }
    if isSQL, let found = try aggregate(name, call) { return found }
    if isKura, !isMethod, let own = FunctionCatalogue.signature(called: call.name),
      own.operands.accept(call.values.count)
    {
      let text = "\(own.names.first ?? call.name)(\(try texts(call.values)))"
      return Snippet(text, own.result.written)
    }
    let program = isSQL ? nil : ForeignFunction.ofPrograms[name]
    let database = isSQL || isKura ? ForeignFunction.ofSQL[name] : nil
    if let function = program ?? database {
      changes += 1
      if !isSQL, !isMethod || isKura { parser.mark(nil, at: call.span) }
      return try function.write(self, call)
    }
    if isKura, !isMethod { return Snippet(parser.source(call.span)) }
    throw call.span.missing(call.name)
  }

  /// Writes `CURRENT_DATE`, `Date.now`: a function that is written without brackets.
  func constantFunction(_ name: String, _ tree: Tree) throws -> Snippet? {
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

  /// Returns a method that is written without brackets, as a computed property: `title.isEmpty`.
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
  fileprivate var written: SnippetType {
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

  /// Writes `COUNT(*)`, `SUM(minutes)`; nil if it is not an aggregate.
  private func aggregate(_ name: String, _ call: Call) throws -> Snippet? {
    guard Self.aggregates.contains(name), call.arguments.count == 1 else { return nil }
    changes += 1
    let argument = call.values[0]
    let countsRows = name == "count" && (argument.isStar || argument.isLiteral)
    if let partners = scope.partners {
      if countsRows {
        // A row without a partner also counts.
        let count = partners.path + ".@count"
        return Snippet("TERNARY(\(count) == 0, 1, \(count))", .integer)
      }
      guard case .member(let base, let key) = argument.kind,
        base.lastWord.flatMap({ scope[$0] })?.text == partners.text
      else { throw call.span.missing(localized("an aggregate over joined rows")) }
      return try aggregate(name, of: partners, Tree(.name(key), argument.span))
    }
    if countsRows { return Snippet("count(SELF)", .integer) }
    let written = try operand(argument)
    guard name == "count" || name == "min" || name == "max" || written.type.agrees(with: .number)
    else { throw argument.span.missing(localized("arithmetic with a value that is not a number")) }
    let text = "\(name)(\(written.text))"
    guard name != "count" else { return Snippet(text, .integer) }
    let type = name == "avg" ? .number : written.type
    if scope.isGrouped, written.nulls.isEmpty { return Snippet(text, type) }
    // The sum of no values is NULL in SQL, and 0 in Kura.
    let exact = name == "sum" ? "TERNARY(count(\(written.text)) == 0, NULL, \(text))" : text
    return Snippet(exact, type, nulls: [exact])
  }

  /// Returns an aggregate of the objects that belong to one: `items.@count`, `items.@max.minutes`.
  func aggregate(_ name: String, of many: Snippet, _ key: Tree) throws -> Snippet {
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
    case "count": return Snippet(known + ".@count", .integer)
    case "sum", "avg":
      let owner = name == "sum" ? path : known
      let text = "TERNARY(\(isEmpty), NULL, \(owner).@\(name).\(written.text))"
      return Snippet(text, name == "avg" ? .number : written.type, nulls: [text])
    default:
      let text = "\(path).@\(name).\(written.text)"
      return Snippet(text, written.type, nulls: [text])
    }
  }
}
