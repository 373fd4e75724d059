import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension SwiftPredicateWriter {
  /// A value in the predicate, with its properties.
  struct Side {
    var text: String
    var isOptional = false
    var isObject = false
    var isCollection = false
    /// The end of an optional chain that cannot be nil itself: `.born` of `book.author?.born`.
    var tail = ""

    init(_ text: String) { self.text = text }

    /// Appends a key. A question mark follows a part that may be nil itself.
    mutating func append(_ key: String, _ property: Property) {
      text += (isOptional && tail.isEmpty ? "?." : ".") + key
      if isOptional { tail += "." + key }
      (isObject, isCollection) = (!property.isAttribute, property.isToMany)
      if property.isOptional, !property.isToMany { (isOptional, tail) = (true, "") }
    }

    /// Returns the result of a call, or a property, of a collection.
    func calling(_ call: String) -> Side {
      var side = Side("\(text).\(call)")
      if isOptional { (side.isOptional, side.tail) = (true, "\(tail).\(call)") }
      return side
    }

    /// Returns a condition on the value that is false if the value is nil: `(book.author.flatMap {
    /// $0.born < 1800 } ?? false)`
    func ifPresent(_ condition: (_ value: String) -> String) -> String {
      if !isOptional { return condition(text) }
      // The chain before the tail ends in a question mark.
      let head = tail.isEmpty ? text : String(text.dropLast(tail.count + 1))
      return "(\(head).flatMap { \(condition("$0" + tail)) } ?? false)"
    }
  }

  func side(_ tree: ExpressionTree) -> Side {
    switch tree.kind {
    case .constant(let constant): return Side(literal(constant.value, tree))
    case .variable(let name):
      var side = Side(variables[name]?.name ?? name)
      side.isObject = variables[name] != nil
      return side
    case .keyPath(let path): return side(path, tree)
    case .function(let call): return arithmetic(call, tree)
    case .ternary(let condition, let yes, let no):
      return Side("(\(clause(condition)) ? \(side(yes).text) : \(side(no).text))")
    default: return unknown(tree)
    }
  }

  private func unknown(_ tree: ExpressionTree) -> Side {
    Side(missing.missing(localized("counterpart of \(typed.texts.text(of: tree))"), at: tree.span))
  }

  /// Returns a literal, or the name of a constant that precedes the predicate.
  private func literal(_ value: Value, _ tree: ExpressionTree) -> String {
    guard let text = LiteralSyntax.swift.text(value) else {
      return value.isNull ? "nil" : unknown(tree).text
    }
    switch value {
    case .list: return unknown(tree).text
    case .date: return named("date", text)
    case .decimal: return named("decimal", text)
    case .uuid: return named("uuid", text)
    case .uri: return named("url", text)
    case .binary: return named("data", text)
    default: return text
    }
  }

  private func named(_ kind: String, _ text: String) -> String {
    if let known = constants.first(where: { $0.hasSuffix(" = " + text) }) {
      return String(known.dropFirst(4).prefix { $0 != " " })
    }
    let name = "\(kind)\(constants.count + 1)"
    constants.append("let \(name) = \(text)")
    return name
  }

  private func arithmetic(_ call: FunctionCall, _ tree: ExpressionTree) -> Side {
    guard let function = call.builtIn, let template = function.spelling.swift,
      function.entry.operands.accept(call.arguments.count)
    else { return unknown(tree) }
    let sides = call.arguments.map(side)
    if sides.contains(where: \.isOptional) {
      return Side(
        missing.missing(localized("arithmetic with values that may be nil"), at: tree.span))
    }
    return Side(template.filled(with: sides.map(\.text)))
  }
}

// Key paths
extension SwiftPredicateWriter {
  /// Returns the start of a path: the object, or a variable's.
  private func start(of path: KeyPathTree) -> (name: String, entity: String)? {
    guard let base = path.base else { return (subject, typed.entity) }
    guard case .variable(let name) = base.kind else { return nil }
    return variables[name]
  }

  private func side(_ path: KeyPathTree, _ tree: ExpressionTree) -> Side {
    if case .subquery(let collection, let variable, let predicate)? = path.base?.kind {
      return subquery(collection, variable, predicate, path, tree)
    }
    let isCount = path.components.last.map { $0.kind == .collectionOperator && $0.name == "count" }
    let keys = KeyPathTree(
      base: path.base, isCount == true ? path.components.dropLast() : path.components)
    guard let chain = chain(keys), chain.rest.isEmpty else { return unknown(tree) }
    if isCount != true { return chain.side }
    return chain.side.isCollection ? chain.side.calling("count") : unknown(tree)
  }

  /// The keys of a path in Swift, up to the first to-many relationship.
  struct Chain {
    var side: Side
    /// The entity of the object at the end.
    var entity: String
    /// The attribute at the end.
    var attribute: Attribute?
    /// The steps after the to-many relationship.
    var rest: ArraySlice<KeyComponent> = []
  }

  /// Returns `item.parentCategory?.name`, from another start for a key path; nil if a step is not a property.
  func chain(_ path: KeyPathTree, from root: String? = nil) -> Chain? {
    guard let (name, entity) = start(of: path) else { return nil }
    var chain = Chain(side: Side(root ?? name), entity: entity)
    chain.side.isObject = true
    for (place, key) in path.components.enumerated() {
      guard chain.attribute == nil, let property = key.property else { return nil }
      chain.side.append(key.name, property)
      switch property {
      case .attribute(let attribute): chain.attribute = attribute
      case .relationship(let relationship): chain.entity = relationship.destination
      }
      if property.isToMany {
        chain.rest = path.components[(place + 1)...]
        break
      }
    }
    return chain
  }

  /// Writes `SUBQUERY(items, $i, …).@count`.
  private func subquery(
    _ collection: ExpressionTree, _ variable: String, _ predicate: PredicateTree,
    _ path: KeyPathTree, _ tree: ExpressionTree
  ) -> Side {
    guard case .keyPath(let source) = collection.kind, path.components.map(\.name) == ["count"],
      let chain = chain(source), chain.side.isCollection, chain.rest.isEmpty
    else { return unknown(tree) }
    let outside = variables[variable]
    variables[variable] = (variable, chain.entity)
    let test = light(clause(predicate), atMost: Self.heaviestInside)
    variables[variable] = outside
    let count = chain.side.calling("filter { \(variable) in \(test) }.count")
    // No element is found where there is no collection.
    return count.isOptional ? Side("(\(count.text) ?? 0)") : count
  }
}
